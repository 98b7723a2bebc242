"""Tasks that read one row of weather a step: the rows, and the days at whose midnight episodes start."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Starts
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import quantities
from phytotron.environments.on_weather import OnWeather
from phytotron.weather.archive import named_weather
from phytotron.weather.calendar import days_after
from phytotron.weather.daily import whole_days
from phytotron.weather.table import WeatherError, WeatherTable

State = TypeVar("State")
Params = TypeVar("Params")


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


def dated_rows(
    weather: str | Path | WeatherTable,
    folder: Path | None,
    steps: int,
    record: type[Any],
    interval: int,
    row_values: Callable[[WeatherTable], NDArray[Any]],
) -> DatedRows:
    """Return the rows of weather by name, of a file or of a table, for episodes of `steps` steps.

    Episodes start in the windows of a split, or else on every day from which the weather lasts. `row_values` makes rows
    of a table with steps of `interval`; they are checked against the ranges of `record`.
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
    rows = row_values(tables[0].window(midnight, midnight + timedelta(days=count)).averaged(interval))
    first = np.datetime64(midnight.date())
    starts = [np.datetime64(start) for windows, _ in found if windows is not None for start in windows.starts]
    days = (
        np.arange(count) if not starts else np.array([(day - first) // np.timedelta64(1, "D") for day in starts], int)
    )
    made = DatedRows(rows, interval, 0, first, days)
    _check(made, record)
    lasting = days[(days >= 0) & (days <= made.last_day(steps))]
    if not lasting.size:
        held = f"less than the weather holds ({count} days)"
        raise ValueRangeError("episode_days, with the forecast,", steps / made.rows_per_day, held)
    return replace(made, days=lasting)


def _check(made: DatedRows, record: type[Any]) -> None:
    """Refuse weather beyond the ranges of its record, in which the model is meant to hold."""
    for column, q in zip(made.rows.T, quantities(record), strict=True):
        wrong = ~((column >= q.low) & (column <= q.high))
        if wrong.any():
            row = int(np.argmax(wrong))
            day = made.date(row).astype("datetime64[D]")
            raise ValueRangeError(f"weather: {q.name} [{q.unit}] on {day}", float(column[row]), q.range)


class OnDatedRows(OnWeather[State, Params]):
    """A task on rows of weather: params have the fields `weather` (the rows) and `start_days`, states `first_row` and
    `step`.
    """

    @property
    @abstractmethod
    def dated(self) -> DatedRows:
        """The rows of the option `weather`, and the days on which episodes start."""

    def first_row(self, key: Array, params: Any) -> Array:
        """Return the first row of an episode that starts on a day drawn from `params.start_days`."""
        day = jax.random.choice(key, jnp.asarray(params.start_days, jnp.int32))
        return (day - self.dated.first_day) * self.dated.rows_per_day

    def starts(self, params: Params | None = None) -> Starts:
        chosen: Any = self.default_params if params is None else params
        return Starts.along(chosen, "start_days", days_after(self.dated.day_zero, chosen.start_days))

    def start_of(self, state: Any) -> str:
        return str(self.dated.date(int(state.first_row)).astype("datetime64[D]"))

    def date(self, state: Any) -> np.datetime64:
        return self.dated.date(int(state.first_row) + int(state.step))
