"""Weather in rows of constant length, with the days at whose midnight episodes start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.core.fields import names, quantities
from phytotron.weather.archive import UnknownWeatherError, known_names, named_weather
from phytotron.weather.calendar import days_after
from phytotron.weather.daily import whole_days
from phytotron.weather.splits import Windows, warn_of_shared_days
from phytotron.weather.table import WeatherError, WeatherTable

WeatherChoice = str | Path | WeatherTable | int | Sequence[int]


@dataclass(frozen=True, eq=False)
class DatedRows:
    """Weather in rows of constant length, and the days on which episodes start.

    `rows` (rows, columns) begin at midnight of day number `first_day`, and days are counted from the date `day_zero`.
    """

    rows: NDArray[Any]
    interval: int  # s, a divisor of a day
    first_day: int
    day_zero: np.datetime64
    days: NDArray[np.int_] = field(default_factory=lambda: np.arange(0))  # none, until they are chosen

    def __post_init__(self) -> None:
        """Refuse an interval with which no row would begin at midnight."""
        if self.interval < 1 or SECONDS_PER_DAY % self.interval:
            raise ValueRangeError("the interval of rows of weather", self.interval, "a divisor of 86400 s")

    @property
    def rows_per_day(self) -> int:
        """The number of rows in a day."""
        return SECONDS_PER_DAY // self.interval

    def last_day(self, steps: int) -> int:
        """Return the last day from which the rows last for a number of steps and the row after them."""
        return self.first_day + (len(self.rows) - 1 - steps) // self.rows_per_day

    def date(self, row: int) -> np.datetime64:
        """Return the time at which a row begins, to the minute, or to the second where rows need that."""
        midnight = days_after(self.day_zero, self.first_day)
        begin = np.datetime64(midnight + np.timedelta64(row * self.interval, "s"), "s")
        return begin if self.interval % 60 else begin.astype("datetime64[m]")

    def starting(self, days: NDArray[np.int_], steps: int) -> DatedRows:
        """Return the same rows with other days, from all of which they have to last for episodes of `steps` steps."""
        longest = len(self.rows) - 1 - (days.max() - self.first_day) * self.rows_per_day
        if steps > longest:
            held = f"{longest / self.rows_per_day:g} at most, after which the weather ends for the last start"
            raise ValueRangeError("episode_days, with the forecast,", steps / self.rows_per_day, held)
        return replace(self, days=days)


@dataclass(frozen=True, eq=False)
class RowWeather:
    """The weather of a task that reads one row a step: the way from a table to rows, and rows of its own.

    A row has the quantities of `record` and lasts for `interval`. `of_table` makes rows of a table with steps of
    `interval`. `own` returns the rows that come with the task, if it has any, whose days are numbers of days of the
    year; `seasons` are names for days of them on which episodes start.
    """

    record: type[Any]
    interval: int  # s
    of_table: Callable[[WeatherTable], NDArray[Any]]
    own: Callable[[], DatedRows] | None = None
    seasons: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def choose(self, weather: WeatherChoice, folder: Path | None, steps: int, id: str) -> DatedRows:
        """Return the rows that the option `weather` of a task stands for, for episodes of `steps` steps.

        It is a name of `seasons` or days of the year of the task's own rows; or the path of a file, another name of
        weather, or a table.
        """
        if self.own is not None and isinstance(weather, str) and weather in self.seasons:
            return self.own().starting(np.array(self.seasons[weather]), steps)
        if not isinstance(weather, str | Path | WeatherTable):
            if self.own is None:
                raise ValueRangeError("weather", weather, "a name of weather, the path of a file, or a table")
            return self._own_days(self.own(), weather, steps)
        try:
            windows, table = self._one_table(weather, folder)
        except UnknownWeatherError:
            known = (*self.seasons, *known_names(self._step, folder))
            raise UnknownWeatherError(f"weather of {id}", str(weather), known) from None
        warn_of_shared_days(str(weather), steps * self.interval / SECONDS_PER_DAY)
        return self._of_table(table, windows, steps)

    @property
    def _step(self) -> Literal["hourly", "daily"]:
        """The step of weather by name: daily where a row lasts for a day."""
        return "daily" if self.interval == SECONDS_PER_DAY else "hourly"

    def _one_table(
        self, weather: str | Path | WeatherTable, folder: Path | None
    ) -> tuple[Windows | None, WeatherTable]:
        """The table of weather by name, of a file or given, and the windows of a split; a gap would make two of it."""
        if isinstance(weather, WeatherTable):
            return None, weather
        named = named_weather(str(weather), self._step, folder)
        found = [(windows, table) for windows, tables in named for table in tables]
        if len(found) != 1:
            raise WeatherError(
                f"{weather} holds {len(found)} stretches of weather; this task needs one without a gap, such as a "
                "series, or a part of a split whose years follow each other; `phytotron weather list` shows them"
            )
        return found[0]

    def _own_days(self, own: DatedRows, weather: int | Sequence[int], steps: int) -> DatedRows:
        """The rows of the task, with days of the year on which episodes start."""
        first, last = own.first_day, own.last_day(steps)
        own.starting(np.array([first]), steps)  # refuses episodes that no day is early enough for
        try:
            days = np.asarray(weather)
        except ValueError:  # a list of lists of different length
            days = np.array([])
        if days.ndim > 1 or not days.size or days.dtype.kind not in "iu" or days.min() < first or days.max() > last:
            raise ValueRangeError("weather", weather, f"days of the year, {first} to {last}")
        return replace(own, days=np.unique(days).astype(int))

    def _of_table(self, table: WeatherTable, windows: Windows | None, steps: int) -> DatedRows:
        """The rows of a table. Episodes start in the windows of a split, or else on every day from which it lasts."""
        if table.interval > (SECONDS_PER_DAY if self._step == "daily" else SECONDS_PER_HOUR):
            longest = "a day" if self._step == "daily" else "an hour"
            raise WeatherError(f"{table!r} is too coarse; this task needs steps of {longest} or less")
        midnight, count = whole_days(table)
        fine = table.window(midnight, midnight + timedelta(days=count)).averaged(self.interval)
        first, days = np.datetime64(midnight.date()), np.arange(count)
        if windows is not None:
            days = (np.array(windows.starts, "datetime64[D]") - first).astype(int)
            missing = days[(days < 0) | (days >= count)]
            if missing.size:
                what, start = f"the start of a window in {windows.series}", str(days_after(first, missing[0]))
                raise ValueRangeError(what, start, "a day that the weather holds")
        made = DatedRows(self.of_table(fine), self.interval, 0, first, days)
        self._check(made)
        lasting = days[days <= made.last_day(steps)]
        return made.starting(lasting if lasting.size else days[:1], steps)

    def _check(self, made: DatedRows) -> None:
        """Refuse weather beyond the ranges of the record, in which the model is meant to hold."""
        columns = names(self.record)
        if made.rows.ndim != 2 or made.rows.shape[1] != len(columns):
            expected = f"(rows, {len(columns)})"
            raise ShapeError("the array that `of_table` returns", expected, made.rows.shape, ", ".join(columns))
        for column, q in zip(made.rows.T, quantities(self.record), strict=True):
            wrong = ~((column >= q.low) & (column <= q.high))
            if wrong.any():
                row = int(np.argmax(wrong))
                day = made.date(row).astype("datetime64[D]")
                raise ValueRangeError(f"weather: {q.name} [{q.unit}] on {day}", float(column[row]), q.range)
