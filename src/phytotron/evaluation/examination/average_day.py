"""The average day under a controller, as figures 6 and 7 of van Laatum et al., GreenLight-Gym, have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.episodes.engine import Progress
from phytotron.episodes.recording import Part, record

SUM = "sum of "

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class AverageDay:
    """Sums over all days of all windows, by time of day; arrays are (controllers, times)."""

    hours: Numbers  # (times,), since midnight
    count: Numbers
    sums: Mapping[str, Numbers]
    squares: Mapping[str, Numbers]

    def mean(self, name: str) -> Numbers:
        return self.sums[name] / np.maximum(self.count, 1.0)

    def error(self, name: str) -> Numbers:
        """Standard error of the mean, every day of every window counting as one observation; 0 for a single day."""
        spread = np.maximum(self.squares[name] - self.sums[name] * self.mean(name), 0.0)
        return np.sqrt(spread / np.maximum(self.count - 1.0, 1.0) / np.maximum(self.count, 1.0))

    def pooled(self) -> AverageDay:
        """All controllers, as the seeds of one agent, counted together."""

        def total(array: Numbers) -> Numbers:
            return array.sum(axis=0, keepdims=True)

        sums, squares = ({k: total(v) for k, v in each.items()} for each in (self.sums, self.squares))
        return AverageDay(self.hours, total(self.count), sums, squares)


def no_days(rows: int, steps_per_day: int, names: Sequence[str]) -> AverageDay:
    """The average of no days, to which `with_part` adds."""
    empty = np.zeros((rows, steps_per_day))
    hours = np.arange(steps_per_day, dtype=np.float64) * (24.0 / steps_per_day)
    return AverageDay(hours, empty, dict.fromkeys(names, empty), dict.fromkeys(names, empty))


def with_part(day: AverageDay, part: Part) -> AverageDay:
    """With the steps of a part of a recording; episodes start at midnight.

    Names are those of channels, or "sum of MEASURE": its sum since midnight, for which a part has to be a whole day.
    """
    steps = day.hours.size
    times = (part.first + np.arange(part.active.shape[-1])) % steps
    sums = {f"{SUM}{name}": np.cumsum(values, axis=-1, dtype=np.float64) for name, values in part.measures.items()}
    series = {name: np.asarray(sums[name] if name in sums else part.channels[name], np.float64) for name in day.sums}

    def added(before: Numbers, values: Any) -> Numbers:
        sums = before.T.copy()
        np.add.at(sums, times, np.where(part.active, values, 0.0).sum(axis=1).T)
        return sums.T

    return AverageDay(
        day.hours,
        added(day.count, 1.0),
        {name: added(sums, series[name]) for name, sums in day.sums.items()},
        {name: added(squares, series[name] ** 2) for name, squares in day.squares.items()},
    )


def average_day(
    env: Environment[Any, Any],
    controllers: Controller | Sequence[Controller],
    names: Sequence[str] | None = None,
    starts: Starts | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> AverageDay:
    """The average over all days of all windows, one row per controller; several have to be policies of one structure.

    `names`: those of channels of the environment, by default all, or "sum of MEASURE" for its sum since midnight.
    `starts`: by default all windows.
    """
    rows = list(controllers) if isinstance(controllers, Sequence) else [controllers]
    timeline = env.presentation.timeline
    steps = None if timeline is None else timeline.steps_per_day
    if steps is None:
        raise PhytotronError(f"{env.id} has no average day: its decisions are a day or more apart, or have no time")
    channels = {channel.name: channel for channel in env.channels}
    known = [*channels, *(f"{SUM}{measure.quantity.name}" for measure in env.measures)]
    for name in names or ():
        if name not in known:
            raise UnknownNameError("recorded quantity", name, known)
    chosen = [channels[name] for name in names or channels if name in channels]
    day = no_days(len(rows), steps, list(names or channels))
    for part in record(env, rows, chosen, starts, seed, steps, progress):
        day = with_part(day, part)
    return day
