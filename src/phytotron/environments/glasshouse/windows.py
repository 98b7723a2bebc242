"""The weather of a greenhouse, and the days on which an episode may start."""

import math
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import ValueRangeError
from phytotron.environments.on_weather import in_years
from phytotron.weather.greenhouse_weather import (
    DatedWeather,
    Days,
    GreenhouseWeather,
    greenhouse_weather,
    named_greenhouse_weather,
)
from phytotron.weather.splits import warn_of_shared_days
from phytotron.weather.table import WeatherTable

WeatherChoice = str | Path | WeatherTable | GreenhouseWeather | DatedWeather
FirstDay = int | tuple[int, int] | None  # one day of the year, or the first and the last; None: any
JANUARY = {"first_day": 1, "start_day": 0}  # number of 1 January in each option


def choose_weather(
    weather: WeatherChoice,
    first_day: FirstDay,
    years: int | Sequence[int] | None,
    length: float,
    folder: Path | None,
    temperature_offset: float = 0.0,
    option: str = "first_day",
) -> tuple[GreenhouseWeather, Days]:
    """Return the weather, and the days (counted from its first) from which episodes of `length` days may run.

    `weather` is a name ("SPLIT:PART", a series, "generated:PRESET"), the path of a file (CSV, EPW and others), a table,
    or what was made of one. `first_day` (one day of the year, or the first and the last) and `years` narrow down the
    days. `temperature_offset` [°C] is added to the temperature outdoors, unless the weather is made already. `option`:
    which option of a task gave `first_day`, one of JANUARY, which says how it counts.
    """
    if isinstance(weather, str | Path):
        chosen, days = named_greenhouse_weather(str(weather), folder, temperature_offset)
    elif isinstance(weather, DatedWeather):
        chosen, days = weather.weather, weather.days
    else:
        chosen = weather if isinstance(weather, GreenhouseWeather) else greenhouse_weather(weather, temperature_offset)
        days = np.arange(chosen.days, dtype=np.int32)
    days = days[_unbroken(chosen, days, length)]
    if not days.size:
        raise ValueRangeError("episode_days", length, f"above 0 and no longer than the weather ({chosen.days} days)")
    if isinstance(weather, str | Path) and first_day is None and years is None:
        warn_of_shared_days(str(weather), length)
    days = days[in_years(np.asarray(chosen.year)[days], years)]
    return chosen, _on_days(chosen, days, first_day, option)


def _unbroken(weather: GreenhouseWeather, days: Days, length: float) -> NDArray[np.bool_]:
    """Return, for each day, whether all days of an episode from it are there and follow each other."""
    needed = math.ceil(length)
    last = days + needed - 1
    inside = last < weather.days
    dates = weather.dates
    span = dates[np.minimum(last, weather.days - 1)] - dates[days]
    return np.asarray(inside & (span == np.timedelta64(max(needed - 1, 0), "D")))


def _on_days(weather: GreenhouseWeather, days: Days, first_day: FirstDay, option: str) -> Days:
    if first_day is None:
        return days
    wanted: Any = first_day if isinstance(first_day, tuple | list) else (first_day, first_day)  # a list, from JSON
    of_year = np.asarray(weather.days_since_new_year)[days] + JANUARY[option]
    numbers = len(wanted) == 2 and all(isinstance(day, Integral) for day in wanted)
    chosen = days[(of_year >= wanted[0]) & (of_year <= wanted[1])] if numbers else days[:0]
    if not chosen.size or not (of_year.min() <= wanted[0] and wanted[1] <= of_year.max()):
        counted = "days of the year" if JANUARY[option] else "numbers of days since 1 January"
        raise ValueRangeError(option, first_day, f"one or two {counted} from {of_year.min()} to {of_year.max()}")
    return chosen
