"""Which weather a greenhouse gets, and on which of its days an episode may start."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.weather.archive import load_part
from phytotron.weather.embedded import EMBEDDED, embedded_weather
from phytotron.weather.generator import PRESETS, WeatherGenerator
from phytotron.weather.greenhouse_weather import GreenhouseWeather, concatenated, greenhouse_weather
from phytotron.weather.splits import PARTS, SPLITS
from phytotron.weather.table import WeatherTable

# Of "generated:PRESET"; for other years or climates give the table of a `WeatherGenerator`.
GENERATED_SEED, GENERATED_FROM, GENERATED_YEARS = 0, 2001, 10

WeatherChoice = str | WeatherTable | GreenhouseWeather
StartDay = int | tuple[int, int] | None
Days = NDArray[np.int32]


def choose_weather(
    weather: WeatherChoice, start_day: StartDay, years: int | Sequence[int] | None, length: float, folder: Path | None
) -> tuple[GreenhouseWeather, Days]:
    """The weather, and the days (counted from its first) from which episodes of `length` days may run.

    `weather` is the name of an embedded series, "SPLIT:PART", "generated:PRESET", a table, or what was made of one.
    `start_day` (0 on 1 January; one day, or the first and the last) and `years` narrow down the days.
    """
    if isinstance(weather, str):
        chosen, days = _by_name(weather, folder)
    else:
        chosen = weather if isinstance(weather, GreenhouseWeather) else greenhouse_weather(weather)
        days = np.arange(chosen.days, dtype=np.int32)
    days = days[_unbroken(chosen, days, length)]
    if not days.size:
        raise ValueRangeError("episode_days", length, f"above 0 and no longer than the weather ({chosen.days} days)")
    days = _in_years(chosen, days, years)
    return chosen, _on_days(chosen, days, start_day)


@functools.lru_cache(maxsize=8)
def _by_name(name: str, folder: Path | None) -> tuple[GreenhouseWeather, Days]:
    if name in EMBEDDED:
        chosen = greenhouse_weather(embedded_weather(name))
        return chosen, np.arange(chosen.days, dtype=np.int32)
    split, _, part = name.partition(":")
    if split == "generated" and part in PRESETS:
        chosen = greenhouse_weather(
            WeatherGenerator(part).hourly_table(GENERATED_SEED, GENERATED_FROM, GENERATED_YEARS)
        )
        return chosen, np.arange(chosen.days, dtype=np.int32)
    if split not in SPLITS or part not in PARTS:
        known = [f"{each}:{part}" for each in SPLITS for part in PARTS if not SPLITS[each].daily]
        raise UnknownNameError("weather", name, [*EMBEDDED, *known, *(f"generated:{preset}" for preset in PRESETS)])
    loaded = load_part(split, part, folder)
    chosen = concatenated([greenhouse_weather(table) for _, tables in loaded for table in tables])
    starts = [np.datetime64(start) for windows, _ in loaded for start in windows.starts]
    missing = sorted(set(starts) - set(chosen.dates))
    if missing:
        raise ValueRangeError(f"the start of a window of {name}", str(missing[0]), "a day that the weather holds")
    return chosen, np.flatnonzero(np.isin(chosen.dates, starts)).astype(np.int32)


def _unbroken(weather: GreenhouseWeather, days: Days, length: float) -> NDArray[np.bool_]:
    """Whether the dates run on without a break, and to the end, for an episode from each day."""
    needed = math.ceil(length)
    last = days + needed - 1
    inside = last < weather.days
    dates = weather.dates
    span = dates[np.minimum(last, weather.days - 1)] - dates[days]
    return np.asarray(inside & (span == np.timedelta64(max(needed - 1, 0), "D")))


def _in_years(weather: GreenhouseWeather, days: Days, years: int | Sequence[int] | None) -> Days:
    if years is None:
        return days
    wanted: Any = [years] if isinstance(years, Integral) else years
    held = np.unique(np.asarray(weather.year)[days])
    if isinstance(wanted, str) or not len(wanted) or not set(wanted) <= set(held.tolist()):
        raise ValueRangeError("years", years, f"one or more of {', '.join(map(str, held))}")
    return days[np.isin(np.asarray(weather.year)[days], wanted)]


def _on_days(weather: GreenhouseWeather, days: Days, start_day: StartDay) -> Days:
    if start_day is None:
        return days
    wanted: Any = start_day if isinstance(start_day, tuple | list) else (start_day, start_day)  # a list, from JSON
    of_year = np.asarray(weather.day_of_year)[days]
    numbers = len(wanted) == 2 and all(isinstance(day, Integral) for day in wanted)
    chosen = days[(of_year >= wanted[0]) & (of_year <= wanted[1])] if numbers else days[:0]
    if not chosen.size or not (of_year.min() <= wanted[0] and wanted[1] <= of_year.max()):
        expected = f"one or two days of the year from {of_year.min()} to {of_year.max()}"
        raise ValueRangeError("start_day", start_day, expected)
    return chosen
