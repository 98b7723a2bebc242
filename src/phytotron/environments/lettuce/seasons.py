"""The half-hourly weather of lettuce, of the benchmark or your own, and the days on which seasons start."""

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import quantities
from phytotron.environments.lettuce.model import (
    INTERVAL,
    Weather,
    bleiswijk,
    percent_per_concentration,
    ppm_per_concentration,
)
from phytotron.weather import humid_air
from phytotron.weather.archive import known_names, named_weather
from phytotron.weather.calendar import days_after
from phytotron.weather.daily import whole_days
from phytotron.weather.greenhouse_weather import CO2
from phytotron.weather.table import WeatherError, WeatherTable

WeatherChoice = str | Path | WeatherTable | int | Sequence[int]

STEPS_PER_DAY = 48
FIRST_DAY = 10  # of the weather, of the benchmark or of one's own; there, 1 January is day 1
NEW_YEAR = np.datetime64("2013-12-31")  # day 0 of the benchmark
START_DAYS: Mapping[str, Sequence[int]] = {"benchmark": (40,), "train": range(80, 293)}


class Seasons(NamedTuple):
    """Rows (rows, 4) of quantities of `model.Weather`, from FIRST_DAY on; day 0; the days on which seasons start."""

    rows: NDArray[Any]
    day_zero: np.datetime64
    days: NDArray[np.int_]


def choose_seasons(weather: WeatherChoice, folder: Path | None, steps: int, id: str) -> Seasons:
    """Return the seasons that an option stands for; their weather has to last for `steps` steps.

    `weather` is a name of START_DAYS or days of the year of the benchmark; or the path of a file, another name of
    weather, or a table.
    """
    named = isinstance(weather, str) and weather in START_DAYS
    if isinstance(weather, str | Path | WeatherTable) and not named:
        try:
            return _own(weather, folder, steps)
        except UnknownNameError:
            known = (*START_DAYS, *known_names("hourly", folder))
            raise UnknownNameError(f"weather of {id}", str(weather), known) from None
    chosen: Any = weather
    rows, days = bleiswijk(), np.atleast_1d(START_DAYS[chosen] if named else chosen)
    last = _last(rows, steps)
    if days.size == 0 or days.dtype.kind != "i" or days.min() < FIRST_DAY or days.max() > last:
        raise ValueRangeError("weather", weather, f"days of the year, {FIRST_DAY} to {last}")
    return Seasons(rows, NEW_YEAR, days)


def _own(weather: str | Path | WeatherTable, folder: Path | None, steps: int) -> Seasons:
    """Seasons in the windows of a split, or from any day of other weather, as long as it lasts."""
    found: Any = [(None, [weather])]
    if not isinstance(weather, WeatherTable):
        found = named_weather(str(weather), "hourly", folder)
    tables = [table for _, held in found for table in held]
    if len(tables) != 1:
        raise WeatherError(f"{weather} holds {len(tables)} stretches of weather; lettuce needs one without a gap")
    rows, first = _half_hours(tables[0])
    _check(rows, first)
    starts = [np.datetime64(start) for windows, _ in found if windows is not None for start in windows.starts]
    days = FIRST_DAY + np.arange(len(rows) // STEPS_PER_DAY)
    if starts:
        days = FIRST_DAY + np.array([(start - first) // np.timedelta64(1, "D") for start in starts], int)
    lasting = days[(days >= FIRST_DAY) & (days <= _last(rows, steps))]
    if not lasting.size:
        held = f"less than the weather holds ({len(rows) // STEPS_PER_DAY} days)"
        raise ValueRangeError("episode_days, with the forecast,", steps / STEPS_PER_DAY, held)
    return Seasons(rows, days_after(first, -FIRST_DAY), lasting)


def _check(rows: NDArray[Any], first: np.datetime64) -> None:
    """Refuse weather beyond the ranges of `model.Weather`, in which the model is meant to hold."""
    for column, q in zip(rows.T, quantities(Weather), strict=True):
        wrong = ~((column >= q.low) & (column <= q.high))
        if wrong.any():
            row = int(np.argmax(wrong))
            day = days_after(first, row // STEPS_PER_DAY)
            raise ValueRangeError(f"weather: {q.name} [{q.unit}] on {day}", float(column[row]), q.range)


def _last(rows: NDArray[Any], steps: int) -> int:
    """The last day from which the weather lasts."""
    return FIRST_DAY + (len(rows) - 1 - steps) // STEPS_PER_DAY


def _half_hours(table: WeatherTable) -> tuple[NDArray[Any], np.datetime64]:
    """Means of half hours from the first midnight on, and its date."""
    if table.interval > 3600:
        raise WeatherError(f"{table!r} is too coarse for a greenhouse; it needs an hour or less")
    first, days = whole_days(table)
    half_hour = int(INTERVAL)
    fine = table.window(first, first + timedelta(days=days)).resampled(math.gcd(table.interval, half_hour))

    def mean(values: Any) -> NDArray[Any]:
        held: NDArray[Any] = np.asarray(values, float).reshape(-1, half_hour // fine.interval).mean(axis=1)
        return held

    temperature = mean(fine["air_temperature"])
    if "relative_humidity" in fine:
        humidity = mean(fine["relative_humidity"])
    else:
        humidity = humid_air.relative_humidity(temperature, mean(fine["vapour_pressure"]))
    co2 = mean(fine["co2"]) if "co2" in fine else np.full(temperature.size, CO2)
    columns = (
        mean(fine["global_radiation"]),
        co2 / ppm_per_concentration(temperature),
        temperature,
        humidity / percent_per_concentration(temperature),
    )
    return np.stack(columns, axis=-1), np.datetime64(first.date())
