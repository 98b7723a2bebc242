"""Damped Gauss-Newton steps from several starts: the search of every calibration, whatever it fits.

References: Levenberg 1944, Q. Appl. Math. 2; Marquardt 1963, SIAM J. 11.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-2, 1e-6, 1e6
START_SPREAD = 0.7  # standard deviation of further starts, in those of the priors
LONGEST_STEP = 2.0  # standard deviations of the prior, of each parameter
LITTLE_GAIN = 0.02  # of the loss, a negative logarithm of probability: a step that promises less ends a search

Vector = NDArray[np.float64]
Evaluated = tuple[float, Vector, Vector]  # loss, gradient, Gauss-Newton curvature; the priors are part of each


class Objective(Protocol):
    """The function that a calibration minimises, over coordinates in standard deviations of the priors."""

    prior: Vector  # centres
    low: Vector
    high: Vector

    def evaluate(self, coordinates: Vector) -> Evaluated:
        """Return the loss, gradient and Gauss-Newton curvature, the priors included."""


@dataclasses.dataclass(frozen=True, eq=False)
class Found:
    """The progress of a search from one start."""

    coordinates: Vector
    loss: float
    gradient: Vector
    curvature: Vector
    damping: float = FIRST_DAMPING
    steps: int = 0
    ended: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the state of the search, from which another process can go on exactly."""
        kept = {"damping": self.damping, "steps": self.steps, "ended": self.ended}
        return {"coordinates": self.coordinates.tolist(), **kept}


def starting_points(objective: Objective, starts: int, seed: int) -> list[Vector]:
    """Return the centre of the priors, and points drawn from narrower ones."""
    random, size = np.random.default_rng(seed), objective.prior.size
    offsets = [np.zeros(size), *(START_SPREAD * random.normal(size=size) for _ in range(starts - 1))]
    return [np.clip(objective.prior + offset, objective.low, objective.high) for offset in offsets]


def begun(objective: Objective, coordinates: Vector) -> Found:
    """Return a search that stands at its start."""
    return Found(coordinates, *objective.evaluate(coordinates))


def restored(objective: Objective, kept: dict[str, Any]) -> Found:
    """Return a search from what `Found.as_json` kept of it."""
    coordinates = np.array(kept["coordinates"], float)
    if coordinates.shape != objective.prior.shape:
        has = f"has {coordinates.size} parameters, not {objective.prior.size}"
        raise PhytotronError(f"a search to go on with {has}; leave out --resume to begin anew")
    found = begun(objective, coordinates)
    return dataclasses.replace(found, damping=kept["damping"], steps=kept["steps"], ended=kept["ended"])


def search(
    objective: Objective,
    starts: Sequence[Vector],
    iterations: int = 25,
    scouting: int = 4,
    callback: Callable[[int, int], None] = lambda done, total: None,
    keep: Callable[[list[dict[str, Any]]], None] = lambda progress: None,
    kept: Sequence[dict[str, Any]] = (),
) -> list[Found]:
    """Return searches from all starts, the best first.

    Each start is followed for `scouting` steps, then the best of them until it ends, at most for `iterations` steps.
    `keep` is given the progress after every step; with it as `kept`, a search goes on from there.
    """
    total = (len(starts) - 1) * scouting + iterations if len(starts) > 1 else iterations
    found = [restored(objective, each) for each in kept[: len(starts)]]
    for index, start in enumerate(starts):
        if index == len(found):
            found.append(begun(objective, start))
        most = scouting if len(starts) > 1 else iterations
        _follow(objective, found, index, most, total, callback, keep)
    best = min(range(len(found)), key=lambda index: _rank(found[index]))
    _follow(objective, found, best, iterations, total, callback, keep)
    return sorted(found, key=_rank)


def _rank(found: Found) -> float:
    """Return the loss of a search for sorting; one that is not finite becomes infinite."""
    return found.loss if np.isfinite(found.loss) else np.inf


def _follow(
    objective: Objective,
    found: list[Found],
    index: int,
    most: int,
    total: int,
    callback: Callable[[int, int], None],
    keep: Callable[[list[dict[str, Any]]], None],
) -> None:
    while not found[index].ended and found[index].steps < most:
        found[index] = step(objective, found[index])
        keep([each.as_json() for each in found])
        callback(min(sum(each.steps for each in found), total), total)


def step(objective: Objective, at: Found) -> Found:
    """Take one step down, or raise the damping where there is none."""
    trial, promised = proposed(objective, at)
    if promised < LITTLE_GAIN:
        return dataclasses.replace(at, steps=at.steps + 1, ended=True)
    return judged(at, trial, objective.evaluate(trial))


def proposed(objective: Objective, at: Found) -> tuple[Vector, float]:
    """Return the coordinates of the next step, within physical ranges, and its gain at constant curvature."""
    low, high = objective.low, objective.high
    free = ~(((at.coordinates <= low) & (at.gradient > 0.0)) | ((at.coordinates >= high) & (at.gradient < 0.0)))
    move = np.zeros_like(at.coordinates)
    damped = at.curvature + at.damping * np.diag(np.diag(at.curvature))
    move[free] = -np.linalg.solve(damped[np.ix_(free, free)], at.gradient[free])
    trial = np.clip(at.coordinates + np.clip(move, -LONGEST_STEP, LONGEST_STEP), low, high)
    taken = trial - at.coordinates
    return trial, -float(at.gradient @ taken + 0.5 * taken @ at.curvature @ taken)


def judged(at: Found, trial: Vector, evaluated: Evaluated) -> Found:
    """Return the search after a proposed step: taken where the loss is less, else with more damping."""
    if np.isfinite(evaluated[0]) and evaluated[0] < at.loss:
        return Found(trial, *evaluated, max(0.3 * at.damping, LEAST_DAMPING), at.steps + 1)
    damping = 10.0 * at.damping
    return dataclasses.replace(at, damping=damping, steps=at.steps + 1, ended=damping > MOST_DAMPING)
