"""The weather that a greenhouse sees: ten inputs every few minutes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import read_only
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import ValueRangeError
from phytotron.weather import humid_air
from phytotron.weather.archive import files_behind, named_weather
from phytotron.weather.calendar import Times, days_after, days_since_new_year, years
from phytotron.weather.daily import whole_days
from phytotron.weather.radiation import daily_radiation_sum, day_ramps
from phytotron.weather.sky import sky_from_cloud
from phytotron.weather.surface import deep_soil_temperature
from phytotron.weather.table import WeatherError, WeatherTable

INTERVAL = 300  # s
CO2 = 400.0  # ppm, where the table has none

Days = NDArray[np.int32]  # numbers of days of the weather

# named as in models.greenlight.Weather
INPUTS = (
    "global_radiation",
    "outdoor_temperature",
    "outdoor_vapour_pressure",
    "outdoor_co2",
    "wind_speed",
    "sky_temperature",
    "deep_soil_temperature",
    "daily_radiation_sum",
    "is_day",
    "is_day_smooth",
)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class GreenhouseWeather:
    """Inputs every `interval` seconds of whole days (UTC); a pytree, so that it can live on a device.

    Days are counted from 0. They need not follow each other in the calendar: `concatenated` puts years side by side.
    """

    values: Any  # (rows, 10), in the order of INPUTS
    year: Any  # (days,)
    days_since_new_year: Any  # (days,), 0 on 1 January
    interval: int = field(metadata={"static": True})  # s

    @property
    def days(self) -> int:
        """The number of days."""
        return int(self.year.shape[0])

    @property
    def dates(self) -> Times:
        """The date of every day."""
        years = (np.asarray(self.year, int) - 1970).astype("datetime64[Y]")
        return days_after(years.astype("datetime64[D]"), np.asarray(self.days_since_new_year, int))

    def series(self, name: str) -> Any:
        """Return all values of an input."""
        return self.values[..., INPUTS.index(name)]

    def at(self, day: Any, second: Any) -> Array:
        """Return the ten inputs a number of seconds after a day's midnight, interpolated linearly; whole numbers, also
        traced.

        Day times seconds stays within 32 bits for 68 years. Beyond the end the last row holds.
        """
        table = jnp.asarray(self.values)
        last = table.shape[0] - 1
        row, rest = jnp.divmod(day * SECONDS_PER_DAY + second, self.interval)
        now, after = table[jnp.minimum(row, last)], table[jnp.minimum(row + 1, last)]
        return now + (after - now) * (rest.astype(table.dtype) / self.interval)[..., None]

    def some_days(self, first: int, days: int) -> GreenhouseWeather:
        """Return the weather from a day on, for some days or as many as there are."""
        rows = SECONDS_PER_DAY // self.interval
        values = self.values[first * rows : (first + days) * rows]
        year, since = (each[first : first + days] for each in (self.year, self.days_since_new_year))
        return GreenhouseWeather(values, year, since, self.interval)

    def on_device(self, precision: str) -> GreenhouseWeather:
        """Return the weather with values of a precision, on JAX's default device."""
        values = jnp.asarray(np.asarray(self.values), precision)
        year, since = (jnp.asarray(each, jnp.int32) for each in (self.year, self.days_since_new_year))
        return GreenhouseWeather(values, year, since, self.interval)


@dataclass(frozen=True, eq=False)
class DatedWeather:
    """Weather with the dates on which episodes start."""

    weather: GreenhouseWeather
    dates: tuple[date, ...]

    @property
    def days(self) -> Days:
        """Return the numbers of these dates among the days of the weather."""
        return np.flatnonzero(np.isin(self.weather.dates, np.asarray(self.dates, "datetime64[D]"))).astype(np.int32)


def concatenated(parts: Sequence[GreenhouseWeather]) -> GreenhouseWeather:
    """Return days of one after those of another, as one."""
    intervals = {part.interval for part in parts}
    if len(intervals) != 1:
        raise ValueRangeError("the intervals of greenhouse weather", sorted(intervals), "the same for all parts")
    return jax.tree.map(lambda *each: np.concatenate(list(map(np.asarray, each))), *parts)


def named_greenhouse_weather(
    name: str, folder: Path | None = None, temperature_offset: float = 0.0
) -> tuple[GreenhouseWeather, Days]:
    """Return the weather of a name (see `named_weather`), and the days on which its windows start; else all days."""
    return _made(name, folder, temperature_offset, files_behind(name, "hourly", folder))


@functools.lru_cache(maxsize=8)
def _made(name: str, folder: Path | None, temperature_offset: float, files: object) -> tuple[GreenhouseWeather, Days]:
    del files  # changed ones are read anew
    found = named_weather(name, "hourly", folder)
    weather = concatenated([greenhouse_weather(table, temperature_offset) for _, tables in found for table in tables])
    starts = [np.datetime64(start) for windows, _ in found if windows is not None for start in windows.starts]
    missing = sorted(set(starts) - set(weather.dates))
    if missing:
        raise ValueRangeError(f"the start of a window of {name}", str(missing[0]), "a day that the weather holds")
    chosen = np.isin(weather.dates, starts) if starts else np.ones(weather.days, bool)
    return read_only((weather, np.flatnonzero(chosen).astype(np.int32)))


def greenhouse_weather(
    table: WeatherTable, temperature_offset: float = 0.0, interval: int = INTERVAL
) -> GreenhouseWeather:
    """Return the ten inputs from a table of an hour or less, as GreenLight-Gym derives them.

    What was measured is interpolated first, then the rest follows: vapour pressure from relative humidity if the table
    has it, sky temperature from cloud cover if not. `temperature_offset` [°C] is added to the air temperature, relative
    humidity being kept; the published code of GreenLight-Gym adds 1.5 °C, which its paper does not mention. The inputs
    start at the table's first midnight.
    """
    if table.interval > 3600:
        raise WeatherError(f"{table!r} is too coarse for a greenhouse; it needs an hour or less")
    if interval <= 0 or table.interval % interval:
        raise ValueRangeError("the interval of greenhouse weather", interval, f"a divisor of {table.interval} s")
    first, days = whole_days(table)
    fine = _measured(table).resampled(interval).window(first, first + timedelta(days=days))

    temperature = fine["air_temperature"] + temperature_offset
    if "relative_humidity" in fine:
        vapour = humid_air.vapour_pressure(temperature, fine["relative_humidity"])
    else:
        ratio = humid_air.saturation_vapour_pressure(temperature)
        vapour = fine["vapour_pressure"] * ratio / humid_air.saturation_vapour_pressure(fine["air_temperature"])
    time = days_since_new_year(fine.times)
    elapsed = np.arange(fine.size) * interval / SECONDS_PER_DAY  # days
    is_day, is_day_smooth = day_ramps(fine["global_radiation"], interval)
    soil = fine["soil_temperature"] if "soil_temperature" in fine else deep_soil_temperature(time)
    columns = (
        fine["global_radiation"],
        temperature,
        vapour,
        humid_air.co2_concentration(temperature, fine["co2"] if "co2" in fine else np.full(fine.size, CO2)),
        fine["wind_speed"],
        fine["sky_temperature"],
        soil,
        daily_radiation_sum(fine["global_radiation"], elapsed, interval),
        is_day,
        is_day_smooth,
    )
    midnights = slice(None, None, SECONDS_PER_DAY // interval)
    since = np.rint(time[midnights]).astype(int)
    return GreenhouseWeather(np.stack(columns, axis=-1), years(fine.times[midnights]), since, interval)


def _measured(table: WeatherTable) -> WeatherTable:
    """The columns in use; those that are not there, derived or refused."""
    names = ["global_radiation", "air_temperature", "wind_speed"]
    names.append("relative_humidity" if "relative_humidity" in table else "vapour_pressure")
    names += [name for name in ("soil_temperature", "co2") if name in table]
    if "sky_temperature" in table:
        return table.select([*names, "sky_temperature"])
    if "cloud_cover" not in table:
        raise WeatherError(
            f"{table!r} has neither sky_temperature nor cloud_cover; a greenhouse needs one of them. Estimate it: "
            'phytotron weather import FILE --sky humidity, or phytotron.weather.sky.with_sky(table, "humidity")'
        )
    sky = sky_from_cloud(table["air_temperature"], table["cloud_cover"])
    return table.select(names).with_columns({"sky_temperature": sky})
