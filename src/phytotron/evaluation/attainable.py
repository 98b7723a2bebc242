"""What is attainable, and which share of it a controller attains: (controller - baseline) / (oracle - baseline)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.controllers.registry import make_contender
from phytotron.core.environment import Environment, Starts
from phytotron.episodes.engine import some, windows
from phytotron.evaluation.scores import Scores, evaluate
from phytotron.planning.oracle import following
from phytotron.planning.plans import Plans

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Attainable:
    """Scores of a baseline and of the oracle on the same windows; both have one row."""

    baseline: str
    lower: Scores
    upper: Scores
    half_way: Numbers  # share of the gain that the search had found after half of its steps, per window
    headline: tuple[str, ...]  # measures that are said in words

    @property
    def labels(self) -> tuple[str, ...]:
        """The windows."""
        return self.upper.labels

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that are compared: the return, and the others in their order."""
        return tuple(name for name in self.upper.values if name != "length")

    def pair(self, name: str) -> tuple[Numbers, Numbers]:
        """A measure of the baseline and of the oracle, per window."""
        return self.lower.values[name][0], self.upper.values[name][0]

    def share(self, scores: Scores, name: str = "return") -> tuple[Numbers, Numbers]:
        """Of each row of some scores on these windows: the share per window (rows, windows), and that of the means."""
        lower, upper = self.pair(name)
        gained = scores.values[name] - lower
        with np.errstate(divide="ignore", invalid="ignore"):
            return gained / (upper - lower), gained.mean(axis=1) / (upper - lower).mean()

    def as_dict(self) -> dict[str, Any]:
        """What `phytotron oracle --json` prints."""
        return {
            "baseline": self.baseline,
            "windows": [
                {
                    "start": label,
                    "half_way": float(self.half_way[n]),
                    self.baseline: {name: float(self.pair(name)[0][n]) for name in self.names},
                    "oracle": {name: float(self.pair(name)[1][n]) for name in self.names},
                }
                for n, label in enumerate(self.labels)
            ],
            "mean": {
                self.baseline: {name: float(self.pair(name)[0].mean()) for name in self.names},
                "oracle": {name: float(self.pair(name)[1].mean()) for name in self.names},
            },
        }


def attainable(env: Environment[Any, Any], starts: Starts, plans: Plans, baseline: str | None = None) -> Attainable:
    """What plans come to on some windows beside a baseline; by default the first that the task is compared with."""
    name = env.presentation.compare[0] if baseline is None else baseline
    shown = tuple(dict.fromkeys(("return", *env.presentation.headline)))
    contender = make_contender(name, env)
    lower = evaluate(contender.environment, contender.controllers[0], starts=_same(contender.environment, env, starts))
    upper = evaluate(env, following(env, plans), starts=starts)
    return Attainable(name, lower, upper, np.array([half_way(plans[label].course) for label in starts.labels]), shown)


def half_way(course: tuple[float, ...]) -> float:
    """The share of what a search gained after its first report that it had gained after half of its reports."""
    gained = course[-1] - course[0]
    return (course[len(course) // 2] - course[0]) / gained if gained > 0.0 else 1.0


def _same(variant: Environment[Any, Any], env: Environment[Any, Any], starts: Starts) -> Starts:
    """The starts of these labels in the variant of the environment that a baseline acts in."""
    if variant is env:
        return starts
    every = windows(variant)
    return some(every, np.array([every.labels.index(label) for label in starts.labels]))
