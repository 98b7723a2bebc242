"""The uncertainty of a fit: intervals, parameters that the data do not determine or do not separate, and an ensemble.

Around the best coordinates the parameters count as normal, with a covariance that follows from the curvature of loss
and priors: Laplace's approximation, MacKay 2003, Information Theory, Inference, and Learning Algorithms, ch. 27.
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from phytotron.calibration.adjustable import Adjustable
from phytotron.calibration.search import Vector

NINETY_PERCENT = 1.6449  # standard deviations of a normal distribution either side
INSEPARABLE = 0.95  # correlation above which two parameters cannot be told apart
UNDETERMINED = 0.8  # share of the prior's standard deviation above which the data say nothing about a parameter
AT_BOUND = 1e-6  # standard deviations of the prior from the end of a range


@dataclasses.dataclass(frozen=True, eq=False)
class Laplace:
    """Parameters around the best fit, on the scale of their priors."""

    choice: tuple[Adjustable, ...]
    coordinates: Vector
    covariance: Vector

    @property
    def spread(self) -> Vector:
        """Standard deviations, in those of the priors."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """90 % intervals by name of parameter, within the physical range."""
        found = {}
        for each, centre, half in zip(self.choice, self.coordinates, NINETY_PERCENT * self.spread, strict=True):
            ends = (float(each.value(centre - half)), float(each.value(centre + half)))
            found[each.name] = (max(ends[0], each.low), min(ends[1], each.high))
        return found

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Parameters about which the data say next to nothing: they keep the value of the prior."""
        return tuple(each.name for each, own in zip(self.choice, self.spread, strict=True) if own > UNDETERMINED)

    @property
    def inseparable(self) -> tuple[tuple[str, str, float], ...]:
        """Pairs of parameters that cannot be told apart, with their correlation."""
        correlation = self.covariance / np.outer(self.spread, self.spread)
        pairs = itertools.combinations(range(len(self.choice)), 2)
        return tuple(
            (self.choice[i].name, self.choice[j].name, float(correlation[i, j]))
            for i, j in pairs
            if abs(correlation[i, j]) > INSEPARABLE
        )

    @property
    def at_bounds(self) -> tuple[str, ...]:
        """Parameters that a physical range stopped."""
        low, high = self._ends
        near = (self.coordinates - low < AT_BOUND) | (high - self.coordinates < AT_BOUND)
        return tuple(each.name for each, stopped in zip(self.choice, near, strict=True) if stopped)

    def sample(self, count: int, seed: int) -> Vector:
        """Return coordinates of an ensemble, (count, parameters), within the physical ranges."""
        factor = np.linalg.cholesky(self.covariance)
        drawn = np.random.default_rng(seed).normal(size=(count, self.coordinates.size))
        return np.asarray(np.clip(self.coordinates + drawn @ factor.T, *self._ends))

    @property
    def _ends(self) -> tuple[Vector, Vector]:
        low, high = ([each.coordinate(end) for each, end in zip(self.choice, ends, strict=True)]
                     for ends in ([each.low for each in self.choice], [each.high for each in self.choice]))  # fmt: skip
        return np.array(low), np.array(high)
