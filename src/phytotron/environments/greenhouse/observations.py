"""Observables of a greenhouse: named quantities, in any selection.

The thirteen indoor and five outdoor quantities of van Laatum et al., GreenLight-Gym, table 6; leaf area index and
photosynthesis, which its text names; every state, actuator and weather input of the model; and forecasts of the
weather, perfect or less certain the further ahead.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity, find, names
from phytotron.environments.glasshouse.foreseen import DAY_AHEAD, disturbed, error_walk
from phytotron.environments.greenhouse.reward import Turnover
from phytotron.environments.observing import Catalogue, observables, observables_of
from phytotron.models.greenlight import Control, Equations, Parameters, State, Weather, forcing
from phytotron.models.greenlight.derivative import processes
from phytotron.models.greenlight.optics import canopy
from phytotron.models.greenlight.states import indoor_climate, outdoor_climate
from phytotron.weather.greenhouse_weather import GreenhouseWeather

DAYS_PER_YEAR = 365.0


class Situation(NamedTuple):
    """Everything that can be observed: the present state and weather, the last interval, and the weather to come."""

    state: State
    weather: Weather
    control: Control
    flows: Turnover
    time: Array  # days since the start of the year
    parameters: Parameters
    equations: Equations
    series: GreenhouseWeather
    start_day: Array  # of the series
    second: Array  # since the midnight of that day
    key: Array  # for what is uncertain


def _par(s: Situation) -> Array:
    light = forcing(s.control, s.weather, s.parameters, s.equations).light
    return jnp.asarray(light.sun_par + light.lamp_par)


def _photosynthesis(s: Situation) -> Array:
    given = forcing(s.control, s.weather, s.parameters, s.equations)
    return jnp.asarray(processes(s.state, given, s.equations).growth.assimilation)


def _wave(function: Callable[[Any], Array], days: float) -> Callable[[Situation], Array]:
    return lambda s: 0.5 * (1.0 + function(2.0 * math.pi / days * jnp.mod(s.time, days)))


def _clock_wave(function: Callable[[Any], Array]) -> Callable[[Situation], Array]:
    """Return a wave of the day of the year of the published code: days since the year 1, modulo 365.2425."""

    def wave(s: Situation) -> Array:
        before = s.series.year[s.start_day] - 1
        leap_days = before // 4 - before // 100 + before // 400
        offset = leap_days - jnp.asarray(0.2425, s.time.dtype) * before  # of 1 January of that year
        return 0.5 * (1.0 + function(2.0 * math.pi / DAYS_PER_YEAR * jnp.mod(s.time + offset, 365.2425)))

    return wave


_OWN = observables(
    ("air_temperature", "tAir", "°C", "air temperature", -60, 150, lambda s: s.state.air_temperature),
    ("air_co2", "co2Air", "ppm", "CO2 mole fraction of the air", 0, 2e5,
     lambda s: indoor_climate(s.state).co2),
    ("relative_humidity", "rhAir", "%", "relative humidity of the air", 0, 1000,
     lambda s: indoor_climate(s.state).relative_humidity),
    ("fruit", "cFruit", "kg m-2", "dry weight of the fruit", -0.01, 10, lambda s: 1e-6 * s.state.fruit_carbohydrate),
    ("harvest", "harFruit", "kg m-2", "dry weight harvested in the last interval", 0, 10, lambda s: s.flows.harvest),
    ("par", "parCan", "W m-2", "PAR above the crop, from sun and lamps", 0, 2000, _par),
    ("canopy_temperature_24h", "tCan24", "°C", "daily mean of the canopy temperature", -60, 150,
     lambda s: s.state.canopy_temperature_24h),
    ("co2_use", "co2Res", "kg m-2", "CO2 injected in the last interval", 0, 10, lambda s: s.flows.co2),
    ("gas_use", "gasRes", "m3 m-2", "gas burnt in the last interval", 0, 10, lambda s: s.flows.gas),
    ("hour_sine", "hourSin", "-", "(1 + sin) / 2 of the hour of the day", 0, 1, _wave(jnp.sin, 1.0)),
    ("hour_cosine", "hourCos", "-", "(1 + cos) / 2 of the hour of the day", 0, 1, _wave(jnp.cos, 1.0)),
    ("day_sine", "daySin", "-", "(1 + sin) / 2 of the day of the year", 0, 1, _wave(jnp.sin, DAYS_PER_YEAR)),
    ("day_cosine", "dayCos", "-", "(1 + cos) / 2 of the day of the year", 0, 1, _wave(jnp.cos, DAYS_PER_YEAR)),
    ("global_radiation", "iGlob", "W m-2", "global radiation", 0, 1500, lambda s: s.weather.global_radiation),
    ("outdoor_temperature", "tOut", "°C", "outdoor temperature", -60, 60, lambda s: s.weather.outdoor_temperature),
    ("outdoor_humidity", "rhOut", "%", "outdoor relative humidity", 0, 200,
     lambda s: outdoor_climate(s.weather).relative_humidity),
    ("outdoor_co2", "co2Out", "ppm", "outdoor CO2 mole fraction", 0, 1e4, lambda s: outdoor_climate(s.weather).co2),
    ("wind_speed", "wind", "m s-1", "wind speed", 0, 80, lambda s: s.weather.wind_speed),
    ("electricity_use", "elRes", "kWh m-2", "electricity of the lamps in the last interval", 0, 10,
     lambda s: s.flows.electricity),
    ("clock_day_sine", "daySin", "-", "(1 + sin) / 2 of the day as the published code counts it", 0, 1,
     _clock_wave(jnp.sin)),
    ("clock_day_cosine", "dayCos", "-", "(1 + cos) / 2 of the day as the published code counts it", 0, 1,
     _clock_wave(jnp.cos)),
    ("leaf_area_index", "lai", "m2 m-2", "leaf area per ground area", 0, 100,
     lambda s: canopy(s.state, s.parameters).leaf_area),
    ("photosynthesis", "mcAirBuf", "mg m-2 s-1", "net photosynthesis, as carbohydrates", -10, 100, _photosynthesis),
)  # fmt: skip
PAPER = tuple(_OWN)[:18]

OBSERVABLES = Catalogue(
    {
        **_OWN,
        **observables_of(State, "state", lambda s: s.state),
        **observables_of(Control, "control", lambda s: s.control),
        **observables_of(Weather, "weather", lambda s: s.weather),
    },
    {
        "paper": PAPER,
        # The published code gives vapour pressure [Pa] and CO2 concentration [mg m-3] outdoors.
        "published_code": (
            *PAPER[:11],
            "clock_day_sine",
            "clock_day_cosine",
            *PAPER[13:15],
            "weather.outdoor_vapour_pressure",
            "weather.outdoor_co2",
            PAPER[17],
        ),
    },
)
GROUPS = OBSERVABLES.groups


@dataclass(frozen=True)
class Forecast:
    """Weather 1, 2, ... `hours` hours ahead.

    `error` 0 is a perfect forecast. With 1 the standard deviation a day ahead is that of DAY_AHEAD; it grows with the
    square root of the lead, as that of a random walk, and the errors of successive hours belong to one walk. A new walk
    is drawn at every step.

    `means_until=(1, 3, 6)` gives the means over hour 1, hours 2 to 3 and hours 4 to 6 in place of every hour.
    """

    hours: int
    variables: tuple[str, ...] = ("global_radiation", "outdoor_temperature", "outdoor_vapour_pressure", "wind_speed")
    error: float = 0.0
    means_until: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.hours, bool) or not isinstance(self.hours, int) or not 1 <= self.hours <= 240:
            raise ValueRangeError("Forecast.hours", self.hours, "a whole number from 1 to 240")
        rising = all(first < last for first, last in pairwise((0, *self.means_until)))
        if self.means_until and (not rising or self.means_until[-1] != self.hours):
            wanted = f"whole hours that rise from above 0 to {self.hours}, which are its hours, or none"
            raise ValueRangeError("Forecast.means_until", self.means_until, wanted)
        if not 0.0 <= self.error <= 10.0:
            raise ValueRangeError("Forecast.error", self.error, "0 (perfect) to 10")
        known = names(Weather) if self.error == 0.0 else tuple(DAY_AHEAD)
        for name in self.variables:
            if name not in known:
                raise UnknownNameError("weather input of a forecast", name, known)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """Return the name, unit and range of each variable of each hour ahead."""
        return tuple(
            replace(q, name=f"forecast.{q.name}+{span}h", description=f"{q.description} in {hours} h")
            for q in (find(Weather, name) for name in self.variables)
            for span, hours in self._spans
        )

    @cached_property
    def _spans(self) -> tuple[tuple[str, str], ...]:
        """Return, for each value of a variable, its hours as they appear in the name and in words."""
        ends = self.means_until or tuple(range(1, self.hours + 1))
        spans = [(first + 1, last) for first, last in pairwise((0, *ends))]
        return tuple((f"{a}", f"{a}") if a == b else (f"{a}-{b}", f"{a} to {b}") for a, b in spans)

    def observe(self, situation: Situation) -> Array:
        """Return the forecast as one vector (variables x spans,)."""
        moments = situation.second + SECONDS_PER_HOUR * jnp.arange(1, self.hours + 1)
        ahead = jax.vmap(situation.series.at, (None, 0))(situation.start_day, moments)
        columns = ahead[:, jnp.array([names(Weather).index(name) for name in self.variables])].T
        if self.error > 0.0:
            columns = self._uncertain(situation.key, columns)
        if self.means_until:
            spans = pairwise((0, *self.means_until))
            columns = jnp.stack([jnp.mean(columns[:, first:last], axis=1) for first, last in spans], axis=1)
        return columns.reshape(-1)

    def _uncertain(self, key: Array, columns: Array) -> Array:
        walk = error_walk(key, self.hours, len(self.variables), columns.dtype)
        parts = zip(self.variables, columns, walk, strict=True)
        return jnp.stack([disturbed(name, column, self.error, row) for name, column, row in parts])


# Forecasts that have a name: a day, as means over hours 1, 2-3, 4-6, 7-12 and 13-24.
FORECASTS = {"day_ahead": Forecast(hours=24, means_until=(1, 3, 6, 12, 24))}
