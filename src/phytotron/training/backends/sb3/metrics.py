"""Metrics of a run whose seeds are trained one after the other.

While a seed is trained its lines name it, with null for all other seeds; afterwards they are merged with the lines of
the seeds before, step by step, so that the file of a finished run looks like that of seeds trained together.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from phytotron.core.environment import Environment
from phytotron.episodes.engine import measured, summed_up
from phytotron.training.folder import Line

# What Stable-Baselines3 calls its losses, and what they are called here.
LOSSES = {
    "train/policy_gradient_loss": "policy_loss",
    "train/value_loss": "value_loss",
    "train/entropy_loss": "entropy",  # with the other sign
    "train/approx_kl": "divergence",
    "train/clip_fraction": "clipped",
    "train/explained_variance": "explained_variance",
    "train/loss": "loss",
    "train/actor_loss": "actor_loss",
    "train/critic_loss": "critic_loss",
    "train/ent_coef": "entropy_coefficient",
    "rollout/exploration_rate": "epsilon",
}


class Losses(Logger):  # type: ignore[misc]
    """Means of the losses that the algorithm records, since they were last taken."""

    def __init__(self) -> None:
        super().__init__(None, [])
        self._sums: dict[str, tuple[float, int]] = {}

    def record(self, key: str, value: Any, exclude: Any = None) -> None:
        """Add a value, where it is a loss."""
        if key in LOSSES and np.isfinite(value):
            total, count = self._sums.get(key, (0.0, 0))
            self._sums[key] = total + float(value), count + 1

    def take(self) -> dict[str, float]:
        """Return the means under our names, and start new ones."""
        found = {LOSSES[key]: total / count for key, (total, count) in self._sums.items()}
        if "entropy" in found:
            found["entropy"] *= -1.0
        self._sums = {}
        return found


class Recorder(BaseCallback):  # type: ignore[misc]
    """A callback that reports the sums of finished episodes about every `interval` steps and at the end, between
    updates.

    Training ends at the next step when `stop` says so, or when `report` returns False.
    """

    def __init__(
        self,
        environment: Environment[Any, Any],
        interval: int,
        stop: Callable[[], bool],
        report: Callable[[int, dict[str, float]], bool],
    ) -> None:
        super().__init__()
        self.environment, self.interval, self.stop, self.report = environment, interval, stop, report
        self.stopped = False
        names = (measure.quantity.name for measure in environment.measures)
        self._nothing = dict.fromkeys(("return", *names), 0.0)
        self.episode_sums = {"episodes": 0.0, "length": 0.0} | self._nothing
        self._reported = 0
        self._going_on = True

    def _on_training_start(self) -> None:
        self._running = [dict(self._nothing) for _ in range(self.training_env.num_envs)]

    def _on_step(self) -> bool:
        for row, info in enumerate(self.locals["infos"]):
            for name, value in measured(self.environment, 0.0, info).items():
                self._running[row][name] += float(value)
            if "episode" in info:
                self._end(row, info["episode"])
        self.stopped = self.stopped or self.stop()
        return self._going_on and not self.stopped

    def _end(self, row: int, episode: dict[str, float]) -> None:
        """Add an episode to the episode_sums; its return and length, which `VecMonitor` counts, are not normalised."""
        length = float(episode["l"])
        came_to = summed_up(self.environment, self._running[row] | {"return": float(episode["r"])}, length)
        for name, value in (came_to | {"episodes": 1.0, "length": length}).items():
            self.episode_sums[name] += value
        self._running[row] = dict(self._nothing)

    def _on_rollout_start(self) -> None:
        if self.num_timesteps - self._reported >= self.interval:
            self._report()

    def _on_training_end(self) -> None:
        if not self.stopped and self._going_on and self.num_timesteps > self._reported:
            self._report()

    def _report(self) -> None:
        self._reported = self.num_timesteps
        self._going_on = self.report(self.num_timesteps, self.episode_sums)
        self.episode_sums = dict.fromkeys(self.episode_sums, 0.0)


def in_row(line: Line, row: int, seeds: int) -> Line:
    """Return a line of one seed as a line of all seeds, with null for the others."""
    changed: Line = _with_lists(line, lambda values: [values[0] if each == row else None for each in range(seeds)])
    return changed


def _with_lists(line: Any, change: Callable[[list[Any]], list[Any]]) -> Any:
    """A line with all its lists, which have a value per seed, changed."""
    if isinstance(line, dict):
        return {name: _with_lists(value, change) for name, value in line.items()}
    return change(line) if isinstance(line, list) else line


def merged(lines: Sequence[Line], rows: Collection[int]) -> list[Line]:
    """Return lines of single seeds merged, kind by kind and step by step; the lines of a run before it ended.

    `rows`: positions of the seeds that are kept.
    """
    found: dict[tuple[int, bool], Line] = {}
    for line in lines:
        kept = _with_lists(line, lambda values: [each if n in rows else None for n, each in enumerate(values)])
        kept.pop("seed", None)
        if line["kind"] == "end" or all(each is None for each in kept["episodes" if "episodes" in kept else "return"]):
            continue
        place = (line["step"], line["kind"] == "evaluation")
        found[place] = _together(found[place], kept) if place in found else kept
    return [found[place] for place in sorted(found)]


def _together(one: Line, other: Line) -> Line:
    """Two lines of one step; seeds that are trained one after the other take the sum of their times."""
    both: Line = _filled(one, other)
    if both["kind"] == "training":
        counts = [sum(each is not None for each in line["episodes"]) for line in (one, other)]
        times = [n / line["steps_per_second"] for n, line in zip(counts, (one, other), strict=True)]
        both["seconds"] = round(one["seconds"] + other["seconds"], 3)
        both["steps_per_second"] = round(sum(counts) / sum(times), 1)
    return both


def _filled(one: Any, other: Any) -> Any:
    """One line, with the other's values where it has none."""
    if isinstance(one, dict):
        filled = {name: _filled(one[name], other[name]) for name in one if name in other}
        return one | other | filled
    if isinstance(one, list):
        return [b if a is None else a for a, b in zip(one, other, strict=True)]
    return one
