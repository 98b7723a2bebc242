"""A closer look at controllers than their scores: violations, average day, mean course, whole series of some windows.

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
from phytotron.core.presentation import Channel
from phytotron.episodes.engine import Progress, windows
from phytotron.episodes.recording import CHUNK, Part, record
from phytotron.evaluation.examination.average_day import AverageDay, no_days, with_part
from phytotron.evaluation.scores.scores import Scores

KEPT = 30_000  # numbers of whole series of a controller; where all windows have more, the middle one is kept

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Violation:
    """Of one constraint; arrays are (controllers, windows)."""

    share: Numbers  # of the time
    size: Numbers  # mean over the time of violation, 0 where there is none
    largest: Numbers


@dataclass(frozen=True)
class Examination:
    """What is known about some controllers on all windows."""

    channels: tuple[Channel, ...]
    scores: Scores
    violations: Mapping[str, Violation]
    mean_course: Mapping[str, Numbers]  # (controllers, steps), over windows; measures are added up: "sum of return"
    shown: tuple[int, ...]  # windows whose series are kept
    series: Mapping[str, Numbers]  # (controllers, shown, steps); NaN after the end
    day: AverageDay | None = None  # where time of day matters


def examine(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    starts: Starts | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Examination:
    """One row per controller; several have to be policies of one structure. `starts`: by default all windows."""
    recorded = env.channels
    starts = windows(env) if starts is None else starts
    labels = starts.labels
    numbers = len(labels) * env.episode_steps * len(recorded)
    shown = tuple(range(len(labels))) if numbers <= KEPT else (len(labels) // 2,)
    tally = _Tally(shown)
    day, chunk = None, CHUNK
    timeline = env.presentation.timeline
    if timeline is not None and timeline.steps_per_day is not None:
        chunk = timeline.steps_per_day
        day = no_days(len(controllers), chunk, [each.name for each in recorded])
    for part in record(env, controllers, recorded, starts, seed, min(chunk, env.episode_steps), progress):
        tally.add(part)
        day = None if day is None else with_part(day, part)
    return Examination(
        recorded, tally.scores(env, labels), tally.violations(), tally.mean_course(), shown, tally.series(), day
    )


@dataclass
class _Tally:
    """What parts add up to."""

    shown: tuple[int, ...]
    length: Any = 0.0
    sums: dict[str, Any] = field(default_factory=dict)
    violated: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict)  # steps, sum, largest
    last: dict[str, Any] = field(default_factory=dict)
    course: dict[str, list[Any]] = field(default_factory=dict)
    kept: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, part: Part) -> None:
        active = part.active
        self.length = self.length + active.sum(axis=-1, dtype=np.float64)
        for name, values in part.measures.items():
            so_far = self.sums.get(name, 0.0 * self.length)[..., None]
            course = so_far + np.cumsum(np.where(active, values, 0.0), axis=-1, dtype=np.float64)
            self.sums[name] = course[..., -1]
            self.course.setdefault(f"sum of {name}", []).append(course.mean(axis=1))
            self.kept.setdefault(f"sum of {name}", []).append(self._shown(course, active))
        for name, values in part.costs.items():
            cost = np.where(active, values, 0.0).astype(np.float64)
            steps, total, largest = self.violated.get(name, (0.0, 0.0, 0.0))
            new = ((cost > 0.0).sum(axis=-1), cost.sum(axis=-1), np.maximum(largest, cost.max(axis=-1)))
            self.violated[name] = (steps + new[0], total + new[1], new[2])
        for name, values in part.channels.items():
            held = self._held(name, np.asarray(values, np.float64), active)
            self.course.setdefault(name, []).append(held.mean(axis=1))
            self.kept.setdefault(name, []).append(self._shown(held, active))

    def _held(self, name: str, values: Numbers, active: Any) -> Numbers:
        """With the last value of an episode after its end, so that means over windows do not jump."""
        count = active.sum(axis=-1)
        end = np.take_along_axis(values, np.maximum(count - 1, 0)[..., None], axis=-1)[..., 0]
        self.last[name] = np.where(count > 0, end, self.last.get(name, end))
        return np.where(active, values, self.last[name][..., None])

    def _shown(self, values: Numbers, active: Any) -> Numbers:
        rows = list(self.shown)
        return np.where(active[:, rows], values[:, rows], np.nan)

    def scores(self, env: Environment[Any, Any], labels: tuple[str, ...]) -> Scores:
        return Scores.of(env, labels, self.sums | {"length": self.length})

    def violations(self) -> dict[str, Violation]:
        return {
            name: Violation(steps / self.length, total / np.maximum(steps, 1.0), largest)
            for name, (steps, total, largest) in self.violated.items()
        }

    def mean_course(self) -> dict[str, Numbers]:
        return {name: np.concatenate(parts, axis=-1) for name, parts in self.course.items()}

    def series(self) -> dict[str, Numbers]:
        return {name: np.concatenate(parts, axis=-1) for name, parts in self.kept.items()}
