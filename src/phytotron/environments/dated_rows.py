"""Weather in rows of constant length, with the days at whose midnight episodes start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import quantities
from phytotron.weather.archive import known_names, named_weather
from phytotron.weather.calendar import days_after
from phytotron.weather.daily import whole_days
from phytotron.weather.table import WeatherError, WeatherTable

WeatherChoice = str | Path | WeatherTable | int | Sequence[int]


@dataclass(frozen=True, eq=False)
class DatedRows:
    """Weather in rows of constant length, and the days on which episodes start.

    `rows` (rows, columns) begin at midnight of day number `first_day`, and days are counted from the date `day_zero`.
    """

    rows: NDArray[Any]
    interval: int  # s
    first_day: int
    day_zero: np.datetime64
    days: NDArray[np.int_]

    @property
    def rows_per_day(self) -> int:
        """The number of rows in a day."""
        return SECONDS_PER_DAY // self.interval

    def last_day(self, steps: int) -> int:
        """Return the last day from which the rows last for a number of steps and the row after them."""
        return self.first_day + (len(self.rows) - 1 - steps) // self.rows_per_day

    def date(self, row: int) -> np.datetime64:
        """Return the time at which a row begins."""
        midnight = days_after(self.day_zero, self.first_day)
        return np.datetime64(midnight + np.timedelta64(row * self.interval // 60, "m"), "m")


@dataclass(frozen=True, eq=False)
class RowWeather:
    """The weather of a task that reads one row a step: that of its own, and the way from a table to rows.

    A row has the quantities of `record` and lasts for `interval`. `own` returns the rows that come with the task, whose
    days are numbers of days of the year; `seasons` are names for days of them on which episodes start. `of_table`
    makes rows of a table with steps of `interval`.
    """

    record: type[Any]
    interval: int  # s
    own: Callable[[], DatedRows]
    seasons: Mapping[str, Sequence[int]]
    of_table: Callable[[WeatherTable], NDArray[Any]]

    def choose(self, weather: WeatherChoice, folder: Path | None, steps: int, id: str) -> DatedRows:
        """Return the rows that the option `weather` of a task stands for, for episodes of `steps` steps.

        It is a name of `seasons` or days of the year of the task's own rows; or the path of a file, another name of
        weather, or a table.
        """
        named = isinstance(weather, str) and weather in self.seasons
        if isinstance(weather, str | Path | WeatherTable) and not named:
            try:
                return self._elsewhere(weather, folder, steps)
            except UnknownNameError:
                known = (*self.seasons, *known_names("hourly", folder))
                raise UnknownNameError(f"weather of {id}", str(weather), known) from None
        chosen: Any = weather
        own, days = self.own(), np.atleast_1d(self.seasons[chosen] if named else chosen)
        first, last = own.first_day, own.last_day(steps)
        if days.size == 0 or days.dtype.kind != "i" or days.min() < first or days.max() > last:
            raise ValueRangeError("weather", weather, f"days of the year, {first} to {last}")
        return replace(own, days=days)

    def _elsewhere(self, weather: str | Path | WeatherTable, folder: Path | None, steps: int) -> DatedRows:
        """The rows of weather by name, of a file or of a table. Episodes start in the windows of a split, or else on
        every day from which the weather lasts.
        """
        found: Any = [(None, [weather])]
        if not isinstance(weather, WeatherTable):
            found = named_weather(str(weather), "hourly", folder)
        tables = [table for _, held in found for table in held]
        if len(tables) != 1:
            raise WeatherError(f"{weather} holds {len(tables)} stretches of weather; this task needs one without a gap")
        if tables[0].interval > 3600:
            raise WeatherError(f"{tables[0]!r} is too coarse; this task needs steps of an hour or less")
        midnight, count = whole_days(tables[0])
        fine = tables[0].window(midnight, midnight + timedelta(days=count)).averaged(self.interval)
        first = np.datetime64(midnight.date())
        starts = [np.datetime64(start) for windows, _ in found if windows is not None for start in windows.starts]
        days = (
            np.array([(day - first) // np.timedelta64(1, "D") for day in starts], int) if starts else np.arange(count)
        )
        made = DatedRows(self.of_table(fine), self.interval, 0, first, days)
        self._check(made)
        lasting = days[(days >= 0) & (days <= made.last_day(steps))]
        if not lasting.size:
            held = f"less than the weather holds ({count} days)"
            raise ValueRangeError("episode_days, with the forecast,", steps / made.rows_per_day, held)
        return replace(made, days=lasting)

    def _check(self, made: DatedRows) -> None:
        """Refuse weather beyond the ranges of the record, in which the model is meant to hold."""
        for column, q in zip(made.rows.T, quantities(self.record), strict=True):
            wrong = ~((column >= q.low) & (column <= q.high))
            if wrong.any():
                row = int(np.argmax(wrong))
                day = made.date(row).astype("datetime64[D]")
                raise ValueRangeError(f"weather: {q.name} [{q.unit}] on {day}", float(column[row]), q.range)
