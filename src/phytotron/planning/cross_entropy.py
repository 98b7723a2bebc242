"""Search of a box by the cross-entropy method: a first round at random, then candidates from a normal distribution that
is fitted to the best candidates so far.

References
----------
Rubinstein, R. Y. and Kroese, D. P. (2004) The Cross-Entropy Method. Springer, New York.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

ELITE = 0.3  # share of the candidates of a round; the distribution is fitted to as many
FEWEST = 4  # that a distribution is fitted to
WIDENED = 1.25  # factor of the standard deviation of the best, without which the search would converge too early
NARROWEST = 0.01  # standard deviation, as a share of the range, below which no distribution gets
AROUND_KNOWN = 0.2  # standard deviation of the half of the first round that lies around the last of the known points


class Found(NamedTuple):
    """The best candidate in the unit cube, its value, and the best value after every round."""

    best: Numbers
    value: float
    history: tuple[float, ...]


def search(values: Callable[[Numbers, int], Any], known: Numbers, candidates: int, rounds: int, seed: int = 0) -> Found:
    """Search the unit cube for the point with the highest value, and return the best that was found.

    `values(points, round)` returns the values of all points (candidates, dimensions) of a round; equal points have to
    get equal values, and values that are not finite count as the lowest. `known`: points (any number, dimensions) of
    the first round, in addition to random ones, half of which lie around the last of them and half anywhere.
    """
    random = np.random.default_rng(seed)
    dimensions = known.shape[1]
    elite = max(FEWEST, round(ELITE * candidates))
    drawn = random.uniform(size=(max(0, candidates - len(known)), dimensions))
    near = drawn[: len(drawn) // 2]
    near[:] = random.normal(known[-1], AROUND_KNOWN, near.shape)
    points = np.clip(np.concatenate([known, drawn]), 0.0, 1.0)
    best, worth = np.zeros((0, dimensions)), np.zeros(0)
    history = []
    for number in range(rounds):
        found = np.asarray(values(points, number), np.float64)
        found = np.where(np.isfinite(found), found, -np.inf)
        best, worth = np.concatenate([best, points]), np.concatenate([worth, found])
        order = np.argsort(-worth, kind="stable")[:elite]
        best, worth = best[order], worth[order]
        history.append(float(worth[0]))
        mean, spread = best.mean(axis=0), np.maximum(WIDENED * best.std(axis=0), NARROWEST)
        drawn = random.normal(mean, spread, (candidates - 1, dimensions))
        points = np.clip(np.concatenate([mean[None], drawn]), 0.0, 1.0)
    return Found(best[0], history[-1], tuple(history))
