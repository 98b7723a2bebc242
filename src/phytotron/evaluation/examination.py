"""Detailed evaluation of controllers: violations, the average day, mean curves, and whole series of some windows.

All of it comes from one pass over the episodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.presentation import Channel
from phytotron.episodes.engine import Progress, windows
from phytotron.episodes.recording import CHUNK, Part, record
from phytotron.episodes.trajectories import Collector
from phytotron.evaluation.scores import Scores, check_returns

SUM = "sum of "
KEPT = 30_000  # numbers of whole series of a controller; where all windows have more, the middle one is kept

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class AverageDay:
    """Sums over all days of all windows, by time of day; arrays are (controllers, times).

    Figures 6 and 7 of van Laatum et al., GreenLight-Gym, show such averages.
    """

    hours: Numbers  # (times,), since midnight
    count: Numbers
    sums: Mapping[str, Numbers]
    squares: Mapping[str, Numbers]

    def mean(self, name: str) -> Numbers:
        """Return the mean of a channel for each controller and time of day."""
        return self.sums[name] / np.maximum(self.count, 1.0)

    def error(self, name: str) -> Numbers:
        """Return the standard error of the mean, with every day of every window as one observation; 0 for a
        single day.
        """
        spread = np.maximum(self.squares[name] - self.sums[name] * self.mean(name), 0.0)
        return np.sqrt(spread / np.maximum(self.count - 1.0, 1.0) / np.maximum(self.count, 1.0))

    def pooled(self) -> AverageDay:
        """Return the average day of all controllers together, such as the seeds of one agent."""

        def total(array: Numbers) -> Numbers:
            return array.sum(axis=0, keepdims=True)

        sums, squares = ({k: total(v) for k, v in each.items()} for each in (self.sums, self.squares))
        return AverageDay(self.hours, total(self.count), sums, squares)


def no_days(rows: int, steps_per_day: int, names: Sequence[str]) -> AverageDay:
    """Return an empty `AverageDay`, to which `with_part` adds."""
    empty = np.zeros((rows, steps_per_day))
    hours = np.arange(steps_per_day, dtype=np.float64) * (24.0 / steps_per_day)
    return AverageDay(hours, empty, dict.fromkeys(names, empty), dict.fromkeys(names, empty))


def with_part(day: AverageDay, part: Part, before: int = 0) -> AverageDay:
    """Return the averages with the steps of one more part of a recording; episodes start `before` steps after midnight.

    Names are those of channels, or "sum of MEASURE", its sum since midnight; for the latter, a part has to be a whole
    day from midnight.
    """
    steps = day.hours.size
    times = (before + part.first + np.arange(part.active.shape[-1])) % steps
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
    """Return the average over all days of all windows, one row per controller.

    Several controllers have to be policies of the same structure. `names`: names of channels, by default all, or "sum
    of MEASURE" for its sum since midnight. `starts`: by default all windows.
    """
    rows = list(controllers) if isinstance(controllers, Sequence) else [controllers]
    timeline = env.presentation.timeline
    steps = None if timeline is None else timeline.steps_per_day
    if timeline is None or steps is None:
        raise PhytotronError(f"{env.id} has no average day: its decisions are a day or more apart, or have no time")
    channels = {channel.name: channel for channel in env.channels}
    known = [*channels, *(f"{SUM}{measure.quantity.name}" for measure in env.measures)]
    for name in names or ():
        if name not in known:
            raise UnknownNameError("recorded quantity", name, known)
    before = timeline.steps_before
    if before % steps and any(name.startswith(SUM) for name in names or ()):
        raise PhytotronError(f"{env.id} has no sums since midnight, as its episodes start {before} steps after it")
    chosen = [channels[name] for name in names or channels if name in channels]
    day = no_days(len(rows), steps, list(names or channels))
    for part in record(env, rows, chosen, starts, seed, steps, progress):
        day = with_part(day, part, before)
    return day


@dataclass(frozen=True)
class Violation:
    """The violations of one constraint; arrays are (controllers, windows)."""

    share: Numbers  # of the time
    size: Numbers  # mean over the time of violation, 0 where there is none
    largest: Numbers


@dataclass(frozen=True)
class Examination:
    """The detailed evaluation of some controllers on all windows."""

    channels: tuple[Channel, ...]
    scores: Scores
    violations: Mapping[str, Violation]
    mean_curves: Mapping[str, Numbers]  # (controllers, steps), over windows; measures are added up: "sum of return"
    shown: tuple[int, ...]  # windows whose series are kept
    series: Mapping[str, Numbers]  # (controllers, shown, steps); NaN after the end
    day: AverageDay | None = None  # where time of day matters
    endings: tuple[str, ...] = ()  # of episodes that ended early, in words


def examine(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    starts: Starts | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    collector: Collector | None = None,
) -> Examination:
    """Examine controllers in detail, one row for each.

    Several controllers have to be policies of the same structure. `starts`: by default all windows. `collector`:
    receives all that happens, for trajectories.
    """
    recorded = env.channels
    wanted = (*recorded, *(() if collector is None else collector.channels))
    starts = windows(env) if starts is None else starts
    labels = starts.labels
    numbers = len(labels) * env.episode_steps * len(recorded)
    shown = tuple(range(len(labels))) if numbers <= KEPT else (len(labels) // 2,)
    accumulator = _Accumulator(shown)
    day = None
    chunk, before = CHUNK, 0
    timeline = env.presentation.timeline
    if timeline is not None and timeline.steps_per_day is not None:
        chunk, before = timeline.steps_per_day, timeline.steps_before
        day = no_days(len(controllers), chunk, [each.name for each in recorded])
    for part in record(env, controllers, wanted, starts, seed, min(chunk, env.episode_steps), progress):
        if collector is not None:
            collector.add(part)
            part = part._replace(channels={each.name: part.channels[each.name] for each in recorded})
        accumulator.add(part)
        day = None if day is None else with_part(day, part, before)
    scores = Scores.of(env, labels, accumulator.sums | {"length": accumulator.length})
    check_returns(env, scores)
    curves, series = (
        {name: np.concatenate(parts, axis=-1) for name, parts in each.items()}
        for each in (accumulator.curves, accumulator.kept)
    )
    return Examination(
        recorded, scores, accumulator.violations(), curves, shown, series, day, tuple(accumulator.endings)
    )


@dataclass
class _Accumulator:
    """The sums, curves and series of an examination, to which one part of the recording after the other is added."""

    shown: tuple[int, ...]
    length: Any = 0.0
    sums: dict[str, Any] = field(default_factory=dict)
    violated: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict)  # steps, sum, largest
    last: dict[str, Any] = field(default_factory=dict)
    curves: dict[str, list[Any]] = field(default_factory=dict)
    kept: dict[str, list[Any]] = field(default_factory=dict)
    endings: list[str] = field(default_factory=list)

    def add(self, part: Part) -> None:
        active = part.active
        self.endings += part.endings
        self.length = self.length + active.sum(axis=-1, dtype=np.float64)
        for name, values in part.measures.items():
            so_far = self.sums.get(name, 0.0 * self.length)[..., None]
            cumulative = so_far + np.cumsum(np.where(active, values, 0.0), axis=-1, dtype=np.float64)
            self.sums[name] = cumulative[..., -1]
            self.curves.setdefault(f"{SUM}{name}", []).append(cumulative.mean(axis=1))
            self.kept.setdefault(f"{SUM}{name}", []).append(self._shown(cumulative, active))
        for name, values in part.costs.items():
            cost = np.where(active, values, 0.0).astype(np.float64)
            steps, total, largest = self.violated.get(name, (0.0, 0.0, 0.0))
            new = ((cost > 0.0).sum(axis=-1), cost.sum(axis=-1), np.maximum(largest, cost.max(axis=-1)))
            self.violated[name] = (steps + new[0], total + new[1], new[2])
        for name, values in part.channels.items():
            held = self._held(name, np.asarray(values, np.float64), active)
            self.curves.setdefault(name, []).append(held.mean(axis=1))
            self.kept.setdefault(name, []).append(self._shown(held, active))

    def _held(self, name: str, values: Numbers, active: Any) -> Numbers:
        """Return values with the last of an episode repeated after its end, so that means over windows do not jump."""
        count = active.sum(axis=-1)
        end = np.take_along_axis(values, np.maximum(count - 1, 0)[..., None], axis=-1)[..., 0]
        self.last[name] = np.where(count > 0, end, self.last.get(name, end))
        return np.where(active, values, self.last[name][..., None])

    def _shown(self, values: Numbers, active: Any) -> Numbers:
        rows = list(self.shown)
        return np.where(active[:, rows], values[:, rows], np.nan)

    def violations(self) -> dict[str, Violation]:
        return {
            name: Violation(steps / self.length, total / np.maximum(steps, 1.0), largest)
            for name, (steps, total, largest) in self.violated.items()
        }
