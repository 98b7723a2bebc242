"""The attainable return, and the share of it that a controller reaches: (controller - baseline) / (oracle -
baseline).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.controllers.registry import make_competitor
from phytotron.core.environment import Environment, Starts
from phytotron.core.presentation import Competitor
from phytotron.episodes.engine import Progress, some, windows
from phytotron.evaluation.scores import Scores, evaluate
from phytotron.evaluation.statistics.comparison import confidence_interval, ratio_interval
from phytotron.planning.oracle import following
from phytotron.planning.plans import Plans, plans_at_hand

NEXT_TO_NOTHING = 1e-6  # of a score; the oracle has to gain more than this share of it for a share to be given

Numbers = NDArray[np.float64]


class Share(NamedTuple):
    """The share of the possible gain, that of the oracle over a baseline, which controllers or seeds achieve; 1 is all
    of it.

    It is NaN where the oracle is not better than the baseline.
    """

    value: float  # of means over controllers and windows
    over_windows: float | None  # half of the 95 % interval of that; None: too few
    over_seeds: float | None
    per_row: Numbers  # of means over windows
    per_window: Numbers  # (rows, windows)

    def as_dict(self, labels: tuple[str, ...]) -> dict[str, Any]:
        """Return plain values for JSON, None where there is no share; the value of a window is the mean over rows."""
        windows = self.per_window.mean(axis=0)
        return {
            "share": _finite(self.value),
            "over_windows": self.over_windows,
            "over_seeds": self.over_seeds,
            "per_row": [_finite(each) for each in self.per_row],
            "per_window": {label: _finite(each) for label, each in zip(labels, windows, strict=True)},
        }


@dataclass(frozen=True)
class Attainable:
    """Scores of a baseline and of the oracle on the same windows; both have one row."""

    baseline: str
    lower: Scores
    upper: Scores
    half_way: Numbers  # share of the gain that the search had found after half of its steps, per window
    headline: tuple[str, ...]  # measures that sentences report
    decisive: tuple[str, ...]  # measures whose share is given: the return, and the one that decides

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the windows."""
        return self.upper.labels

    @property
    def names(self) -> tuple[str, ...]:
        """The measures that are compared: the return, and the others in their order."""
        return tuple(name for name in self.upper.values if name != "length")

    def pair(self, name: str) -> tuple[Numbers, Numbers]:
        """Return a measure of the baseline and of the oracle, per window."""
        return self.lower.values[name][0], self.upper.values[name][0]

    def share(self, scores: Scores, name: str = "return") -> Share:
        """Return the attained share of a measure, on those windows of the scores for which there are plans."""
        return share_of(of_windows(scores, self.labels).values[name], *self.pair(name))

    def only(self, labels: Sequence[str]) -> Attainable | None:
        """Return the same for some of the windows, by label; None where none of them is among the labels."""
        kept = tuple(label for label in self.labels if label in labels)
        if not kept:
            return None
        places = [self.labels.index(label) for label in kept]
        lower, upper = of_windows(self.lower, kept), of_windows(self.upper, kept)
        return replace(self, lower=lower, upper=upper, half_way=self.half_way[places])

    def shares(self, scores: Scores) -> dict[str, Share]:
        """Return the shares of the return and of the measure that decides which controller did better."""
        return {name: self.share(scores, name) for name in self.decisive}

    def as_dict(self) -> dict[str, Any]:
        """Return the values that `phytotron oracle --json` prints."""
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
            "mean": self.means(),
        }

    def shares_as_dict(self, scores: Scores) -> dict[str, Any]:
        """Return the shares that `phytotron evaluate --json` prints."""
        shares = {name: each.as_dict(self.labels) for name, each in self.shares(scores).items()}
        return {"baseline": self.baseline, "windows": len(self.labels), "mean": self.means(), "measures": shares}

    def means(self) -> dict[str, dict[str, float]]:
        """Return means over the windows of the baseline and of the oracle."""
        lower, upper = ({name: float(self.pair(name)[row].mean()) for name in self.names} for row in (0, 1))
        return {self.baseline: lower, "oracle": upper}


def share_of(values: Numbers, lower: Numbers, upper: Numbers) -> Share:
    """Return the share of scores (rows, windows) between those of a baseline and of the oracle, both (windows,)."""
    gained, room = values - lower, upper - lower
    least = NEXT_TO_NOTHING * np.maximum(np.abs(lower), np.abs(upper))
    with np.errstate(divide="ignore", invalid="ignore"):
        per_window = np.where(room > least, gained / room, np.nan)
    if not np.isfinite(gained).all() or not room.mean() > least.mean():
        return Share(np.nan, None, None, np.full(len(gained), np.nan), per_window)
    per_row = gained.mean(axis=1) / room.mean()
    found = ratio_interval(gained.mean(axis=0), room)
    half = found.high - found.value if len(room) > 1 else None
    return Share(found.value, half, confidence_interval(per_row) if len(per_row) > 1 else None, per_row, per_window)


def attainable(
    env: Environment[Any, Any],
    starts: Starts,
    plans: Plans,
    baseline: str | None = None,
    training: Environment[Any, Any] | None = None,
    progress: Progress | None = None,
) -> Attainable:
    """Return the scores of plans on some windows beside those of a baseline.

    `baseline`: by default, the first that the task is compared with. `training`: the environment on which a baseline is
    tuned, where it needs tuning.
    """
    name = env.presentation.compare[0] if baseline is None else baseline
    competitor = make_competitor(name, env, training)
    lower = evaluate_competitor(competitor, env, starts, progress)
    upper = evaluate(env, following(env, plans), progress=progress, starts=starts)
    return compared(env, name, lower, upper, plans)


def attainable_at_hand(
    env: Environment[Any, Any],
    starts: Starts | None = None,
    training: Environment[Any, Any] | None = None,
    progress: Progress | None = None,
) -> Attainable | None:
    """Return `attainable` on the windows with plans that are stored or come with the package; None without any."""
    starts = windows(env) if starts is None else starts
    plans = {} if starts.axes is None else plans_at_hand(env)
    known = [n for n, label in enumerate(starts.labels) if label in plans]
    return attainable(env, some(starts, np.array(known)), plans, None, training, progress) if known else None


def compared(env: Environment[Any, Any], baseline: str, lower: Scores, upper: Scores, plans: Plans) -> Attainable:
    """Return the scores of a baseline beside those of plans, on the windows that have plans."""
    presentation = env.presentation
    shown, decisive = (
        tuple(dict.fromkeys(("return", *names))) for names in (presentation.headline, (presentation.decisive,))
    )
    gains = np.array([half_way(plans[label].history) for label in upper.labels])
    return Attainable(baseline, of_windows(lower, upper.labels), upper, gains, shown, decisive)


def evaluate_competitor(
    competitor: Competitor, env: Environment[Any, Any], starts: Starts, progress: Progress | None = None
) -> Scores:
    """Return the scores of a controller on windows of an environment; it may act in a variant of that environment."""
    variant = competitor.environment
    if variant is not env:
        every = windows(variant)
        starts = some(every, np.array([every.labels.index(label) for label in starts.labels]))
    return evaluate(variant, competitor.controllers[0], progress=progress, starts=starts)


def of_windows(scores: Scores, labels: tuple[str, ...]) -> Scores:
    """Return scores on some of their windows."""
    if scores.labels == labels:
        return scores
    places = [scores.labels.index(label) for label in labels]
    return replace(scores, labels=labels, values={name: each[:, places] for name, each in scores.values.items()})


def half_way(history: tuple[float, ...]) -> float:
    """Return the share of its gain that a search had made after half of its reports; gains are counted from its first
    report.
    """
    gained = history[-1] - history[0]
    return (history[len(history) // 2] - history[0]) / gained if gained > 0.0 else 1.0


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
