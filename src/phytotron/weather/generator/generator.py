"""The weather generator of a site, in its climate or a changed one."""

import dataclasses
import functools
from datetime import UTC, datetime
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Value, check_value, quantities, quantity, record
from phytotron.core.seeds import random_key
from phytotron.weather.generator.daily import BALANCED_FROM, DailyWeather, generate_daily
from phytotron.weather.generator.hourly import HourlyTables, HourlyWeather, generate_hourly, hourly_tables
from phytotron.weather.generator.seasons import DAYS, calendar_days
from phytotron.weather.generator.tables import VERSIONS, DailyTables, SiteParameters, daily_tables, load_parameters
from phytotron.weather.generator.variable_hours import VariableTables, generate_variable_hours, variable_tables
from phytotron.weather.humid_air import saturation_vapour_pressure
from phytotron.weather.site import Provenance, Site
from phytotron.weather.surface import deep_soil_temperature
from phytotron.weather.table import WeatherTable, weather_table

LICENCE = "Apache-2.0, as the package; made from climate statistics of the source"


@record
class ClimateShift:
    """Warmer, wetter, richer in CO2 than the climate that the generator was fitted to."""

    temperature_offset: Value = quantity("dT", "°C", "added to air temperatures", default=0.0, low=-20.0, high=20.0)
    rain_factor: Value = quantity("fRain", "-", "multiplies the rain of every day", default=1.0, low=0.0, high=10.0)
    co2: Value = quantity(
        "co2Out", "ppm", "CO2 mole fraction of the outdoor air", default=400.0, low=150.0, high=2000.0
    )

    def check(self) -> None:
        """Refuse values that make no sense."""
        for q in quantities(self):
            check_value(q, getattr(self, q.name), type(self).__name__)

    def apply(self, weather: DailyWeather) -> DailyWeather:
        """Return shifted weather; relative humidity at the mean temperature is kept."""
        temperature = weather.air_temperature + jnp.asarray(self.temperature_offset, weather.air_temperature.dtype)
        moister = saturation_vapour_pressure(temperature) / saturation_vapour_pressure(weather.air_temperature)
        shifted = dataclasses.replace(
            weather,
            minimum_temperature=weather.minimum_temperature + self.temperature_offset,
            maximum_temperature=weather.maximum_temperature + self.temperature_offset,
            air_temperature=temperature,
            vapour_pressure=weather.vapour_pressure * moister,
            rain=weather.rain * self.rain_factor,
        )
        return jax.tree.map(lambda column, like: column.astype(like.dtype), shifted, weather)


PRESENT = ClimateShift()


class WeatherGenerator:
    """Unlimited years of weather with the statistics of a site.

        generator = WeatherGenerator("schiphol")
        table = generator.daily_table(seed=1, first_year=2001, years=30)
        weather = generator.daily(jax.random.key(1), years=1000)  # pure JAX: jit, vmap over keys
        warmer = WeatherGenerator("schiphol", ClimateShift(temperature_offset=2.0, rain_factor=0.9))

    The same key and number of years give the same weather, on the same kind of device and in the same precision.
    `balanced` sets (by default those of 30 years or more) have the climate's mean in every month much more closely than
    chance would have it; their years depend on each other to the order of 1 / years. `balanced=False` makes them
    independent.

    `version` 1 has the variability of observed hours and years; version 0 is what earlier releases made, bit by bit.
    """

    def __init__(
        self,
        preset: str = "schiphol",
        shift: ClimateShift = PRESENT,
        *,
        version: int = VERSIONS[-1],
        parameters: SiteParameters | None = None,
    ) -> None:
        shift.check()
        self.preset = preset
        self.shift = shift
        self.parameters = load_parameters(preset, version) if parameters is None else parameters

    def __repr__(self) -> str:
        return f"WeatherGenerator({self.preset!r}, version {self.version}, {self.parameters.source})"

    @property
    def version(self) -> int:
        """The version of the generator: 0 as first released, 1 with hours and years that vary as observed ones."""
        return self.parameters.version

    @property
    def site(self) -> Site:
        """The site whose weather is generated."""
        return self.parameters.site

    @functools.cached_property
    def _tables(self) -> tuple[DailyTables, HourlyTables | VariableTables]:
        hours = hourly_tables if self.version == 0 else variable_tables
        return daily_tables(self.parameters), hours(self.parameters)

    def daily(
        self, key: Array, years: int, *, balanced: bool | None = None, precision: str | None = None
    ) -> DailyWeather:
        """Return the daily values (years, 366) of successive years; day 59 is 29 February."""
        _whole("years", years, 1, 1_000_000)
        tables = _in_precision(self._tables[0], precision)
        return self.shift.apply(generate_daily(tables, key, int(years), _is_balanced(balanced, int(years))))

    def hourly(self, key: Array, day: Any, daily: DailyWeather) -> HourlyWeather:
        """Return hours (days, 24) of successive days, whose places in the year of 366 days are `day`; UTC."""
        tables = _in_precision(self._tables[1], daily.irradiation.dtype)
        make = generate_hourly if self.version == 0 else generate_variable_hours
        return make(tables, key, jnp.asarray(day), daily)

    def daily_table(self, seed: int, first_year: int, years: int, *, balanced: bool | None = None) -> WeatherTable:
        """Return calendar years of daily weather."""
        daily, _, _ = self._calendar(seed, first_year, years, balanced)
        return self._table(_columns(daily), first_year, SECONDS_PER_DAY, seed, years)

    def hourly_table(self, seed: int, first_year: int, years: int, *, balanced: bool | None = None) -> WeatherTable:
        """Return calendar years of hourly weather, the hours of `daily_table` with the same arguments."""
        daily, day, key = self._calendar(seed, first_year, years, balanced)
        columns = _columns(self.hourly(jax.random.fold_in(key, 1), day, daily))
        time = (np.arange(columns["air_temperature"].size) + 0.5) / 24.0  # days since the first New Year
        dates, _ = calendar_days(first_year, years)
        new_year = (dates.astype("datetime64[Y]").astype("datetime64[D]") - dates[0]).astype(float)
        columns["soil_temperature"] = deep_soil_temperature(time - np.repeat(new_year, 24))
        columns["co2"] = np.full(time.size, float(self.shift.co2))
        return self._table(columns, first_year, SECONDS_PER_DAY // 24, seed, years)

    def _calendar(
        self, seed: int, first_year: int, years: int, balanced: bool | None
    ) -> tuple[DailyWeather, Any, Array]:
        """Return the generated days that are in the calendar, their places in the year, and the random key."""
        _whole("years", years, 1, 9998)
        _whole("first_year", first_year, 1, 9999 - years)
        key = random_key(seed)
        weather = self.daily(key, years, balanced=balanced)
        keep = calendar_days(first_year, years)[1]
        day = np.tile(np.arange(DAYS), years)[keep]
        return jax.tree.map(lambda column: column.reshape(-1)[keep], weather), day, key

    def _table(self, columns: dict[str, Any], first_year: int, interval: int, seed: int, years: int) -> WeatherTable:
        note = f"{years} years from seed {seed}"
        shift = self.shift
        if shift != PRESENT:
            note += f"; {shift.temperature_offset:+g} °C, rain times {shift.rain_factor:g}, {shift.co2:g} ppm CO2"
        source = f"Phytotron weather generator, {self.parameters.source}"
        start = datetime(first_year, 1, 1, tzinfo=UTC)
        return weather_table(columns, start, interval, self.site, Provenance(source, LICENCE, (note,)))


def _columns(weather: DailyWeather | HourlyWeather) -> dict[str, Any]:
    return {f.name: np.asarray(getattr(weather, f.name), float).ravel() for f in dataclasses.fields(weather)}


def _in_precision(tables: Any, precision: Any) -> Any:
    """The tables as JAX arrays; without a precision in JAX's default one."""
    kind = jnp.result_type(float) if precision is None else jnp.dtype(precision)
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, kind), tables)


def _is_balanced(balanced: bool | None, years: int) -> bool:
    if balanced and years < 2:
        raise ValueRangeError("years", years, "at least 2 in a balanced set")
    return years >= BALANCED_FROM if balanced is None else bool(balanced)


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueRangeError(name, value, f"a whole number, {low} to {high}")
