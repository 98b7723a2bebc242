"""Forecasts of the weather: by persistence, or with errors that grow with the lead time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import find
from phytotron.models.greenlight import Weather
from phytotron.weather.greenhouse_weather import INPUTS, GreenhouseWeather

HOURS = 48  # for which an uncertain forecast is drawn; later on its last error holds
# Error a day ahead of a forecast of error 1: radiation in proportion to itself, the others in their unit.
DAY_AHEAD = {
    "global_radiation": 0.4,
    "outdoor_temperature": 2.0,
    "outdoor_vapour_pressure": 120.0,
    "wind_speed": 1.5,
    "sky_temperature": 4.0,
}
USUAL_DAYS = 7  # whose mean at an hour is what is usual at that hour
# Hours in which what sets now apart from the usual fades to a share of 1 / e: of 1, 2, 3, 6, 12 and 24 those with the
# lowest error up to a day ahead, March to August of 2011-2020 at Schiphol. With the day before as the usual, the errors
# 1 and 12 hours ahead are 107 and 154 W m-2 of radiation, with the mean of seven days 71 and 127.
FADES_IN = {
    "global_radiation": 6.0,
    "outdoor_temperature": 24.0,
    "outdoor_vapour_pressure": 24.0,
    "wind_speed": 12.0,
    "sky_temperature": 6.0,
}
DUSK = 20.0  # W m-2 of radiation, below which no two days are compared


def error_walk(key: Array, hours: int, columns: int, dtype: Any) -> Array:
    """Return forecast errors 1, 2, ... hours ahead, an array (columns, hours).

    They are random walks whose standard deviation a day ahead is 1.
    """
    return jnp.cumsum(jax.random.normal(key, (columns, hours), dtype), axis=1) / jnp.sqrt(24.0)


def disturbed(name: str, value: Array, error: float, walk: Array) -> Array:
    """Return an input of the weather with the error of a forecast, kept within its range."""
    shift = (error * DAY_AHEAD[name]) * walk
    q = find(Weather, name)
    return jnp.clip(value * (1.0 + shift) if name == "global_radiation" else value + shift, q.low, q.high)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class PersistentWeather(GreenhouseWeather):
    """A weather forecast by persistence.

    After the present, every hour is as usual at that hour, and the difference between the present and the usual fades.
    """

    now: Any  # s since the first midnight of the weather
    sum_today: Any  # MJ m-2, of the radiation of today as it is expected

    @classmethod
    def after(cls, weather: GreenhouseWeather, now: Array) -> PersistentWeather:
        """Return the forecast that is made at a moment [s]."""
        parts = (weather.values, weather.year, weather.days_since_new_year, weather.interval, now)
        moments = now - now % SECONDS_PER_DAY + jnp.arange(0, SECONDS_PER_DAY, weather.interval)
        unknown = jnp.zeros((), jnp.asarray(weather.values).dtype)
        radiation = cls(*parts, unknown).at(0, moments)[..., INPUTS.index("global_radiation")]
        return cls(*parts, jnp.sum(radiation) * weather.interval * 1e-6)

    def at(self, day: Any, second: Any) -> Array:
        moment = jnp.asarray(day * SECONDS_PER_DAY + second)
        ahead = jnp.maximum(moment - self.now, 0)
        known = moment - -(-ahead // SECONDS_PER_DAY) * SECONDS_PER_DAY  # the last time at which it was that hour
        values, usual = self._at(known), self._usual(known)
        now, usual_now = self._at(self.now), self._usual(self.now - SECONDS_PER_DAY)
        hours = ahead.astype(values.dtype) / SECONDS_PER_HOUR
        expected = {"daily_radiation_sum": self._daily_sum(moment)}
        for name, fades_in in FADES_IN.items():
            column = INPUTS.index(name)
            left = jnp.exp(-hours / fades_in)
            expected[name] = moved_on(name, usual[..., column], now[column], usual_now[column], left)
        for name, likely in expected.items():
            column = INPUTS.index(name)
            values = values.at[..., column].set(jnp.where(ahead > 0, likely, values[..., column]))
        return values

    def _daily_sum(self, moment: Array) -> Array:
        """The radiation sum of the day of a moment to come: today's as expected, later the mean of a week until today.

        The weather has the whole sum in every row of a day, which nobody knows before its end.
        """
        days = jnp.arange(1, USUAL_DAYS) * SECONDS_PER_DAY
        before = self._at(self.now - days)[..., INPUTS.index("daily_radiation_sum")]
        # Before the first day nothing is known, and the row of the present has the sum of today, known or not.
        before = jnp.where(self.now - days < 0, self.sum_today, before)
        usual = (jnp.sum(before) + self.sum_today) / USUAL_DAYS
        later = moment // SECONDS_PER_DAY > self.now // SECONDS_PER_DAY
        return jnp.where(later, usual, self.sum_today)

    def _usual(self, moment: Array) -> Array:
        """Return the mean weather at this hour over a week that ends with this day."""
        days = jnp.arange(USUAL_DAYS) * SECONDS_PER_DAY
        return jnp.mean(self._at(moment[..., None] - days), axis=-2)

    def _at(self, moment: Array) -> Array:
        """Return the weather of a moment; before the first day nothing is known, and the present is taken."""
        return super().at(0, jnp.where(moment < 0, self.now, moment))


def moved_on(name: str, usual: Array, now: Array, usual_now: Array, left: Array) -> Array:
    """Return the forecast of one input: its usual value at some hour, plus what is left of the present difference from
    the usual.

    `left` is the share of that difference that has not faded yet.
    """
    q = find(Weather, name)
    if name != "global_radiation":
        return jnp.clip(usual + left * (now - usual_now), q.low, q.high)
    by_day = (now > DUSK) & (usual_now > DUSK)
    clearer = jnp.where(by_day, now / jnp.where(by_day, usual_now, 1.0), 1.0)
    return jnp.clip(usual * clearer**left, q.low, q.high)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class UncertainWeather(GreenhouseWeather):
    """A weather forecast with errors, which grow with the lead time."""

    now: Any  # s since the first midnight of the weather
    walk: Any  # (inputs of DAY_AHEAD, hours), of an error of 1
    error: float = field(metadata={"static": True})

    def at(self, day: Any, second: Any) -> Array:
        moment = day * SECONDS_PER_DAY + second
        lead = jnp.maximum(moment - self.now, 0).astype(self.walk.dtype) / SECONDS_PER_HOUR
        hours = jnp.arange(self.walk.shape[1] + 1)
        values = super().at(day, second)
        for row, name in enumerate(DAY_AHEAD):
            walk = jnp.interp(lead, hours, jnp.concatenate([jnp.zeros(1, self.walk.dtype), self.walk[row]]))
            column = INPUTS.index(name)
            values = values.at[..., column].set(disturbed(name, values[..., column], self.error, walk))
        return values


def foreseen_weather(key: Array, weather: GreenhouseWeather, now: Array, forecast: str | float) -> GreenhouseWeather:
    """Return the weather as a forecast has it after a moment [s since its first midnight]."""
    parts = (weather.values, weather.year, weather.days_since_new_year, weather.interval)
    if forecast == "perfect":
        return weather
    if forecast == "persistent":
        return PersistentWeather.after(weather, jnp.asarray(now))
    if isinstance(forecast, bool | str) or not 0.0 <= forecast <= 10.0:
        raise ValueRangeError("forecast", forecast, '"perfect", "persistent", or an error from 0 to 10')
    walk = error_walk(key, HOURS, len(DAY_AHEAD), jnp.asarray(weather.values).dtype)
    return UncertainWeather(*parts, now, walk, float(forecast))
