"""Calibration of a twin to a log: several starts, the best fit, and what the log can tell about each parameter."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phytotron.calibration.adjustable import Adjustable, chosen, value_of
from phytotron.calibration.fit import House, Vector, coordinates_of, fit
from phytotron.calibration.inputs import windows
from phytotron.calibration.replay import Twin
from phytotron.calibration.twin_file import DEFAULT_BASE, published_twin
from phytotron.core.errors import ValueRangeError
from phytotron.logs import GreenhouseLog

START_SPREAD = 0.7  # standard deviation of further starts, in those of the priors
NINETY_PERCENT = 1.6449  # standard deviations of a normal distribution either side
INSEPARABLE = 0.95  # correlation above which two parameters cannot be told apart
UNTOLD = 0.8  # share of the prior's standard deviation above which the log says nothing about a parameter


@dataclasses.dataclass(frozen=True, eq=False)
class Calibration:
    """What the best of several fits says of one greenhouse, with Laplace's approximation of its uncertainty."""

    log: GreenhouseLog
    begun: Twin
    twin: Twin
    base: str
    choice: tuple[Adjustable, ...]
    coordinates: Vector
    covariance: Vector  # of the coordinates: a block of the inverse of the curvature
    losses: tuple[float, ...]  # of every start
    iterations: int
    skipped: tuple[str, ...]  # windows that were left out

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """90 % intervals by name of parameter, within the physical range."""
        spread = NINETY_PERCENT * np.sqrt(np.diag(self.covariance))
        found = {}
        for each, centre, half in zip(self.choice, self.coordinates, spread, strict=True):
            ends = (float(each.value(centre - half)), float(each.value(centre + half)))
            found[each.name] = (max(ends[0], each.low), min(ends[1], each.high))
        return found

    @property
    def untold(self) -> tuple[str, ...]:
        """Parameters about which the log says next to nothing: they keep the value of the prior."""
        spread = np.sqrt(np.diag(self.covariance))
        return tuple(each.name for each, own in zip(self.choice, spread, strict=True) if own > UNTOLD)

    @property
    def inseparable(self) -> tuple[tuple[str, str, float], ...]:
        """Pairs of parameters that cannot be told apart, with their correlation."""
        spread = np.sqrt(np.diag(self.covariance))
        correlation = self.covariance / np.outer(spread, spread)
        pairs = itertools.combinations(range(len(self.choice)), 2)
        return tuple(
            (self.choice[i].name, self.choice[j].name, float(correlation[i, j]))
            for i, j in pairs
            if abs(correlation[i, j]) > INSEPARABLE
        )

    @property
    def at_bounds(self) -> tuple[str, ...]:
        """Parameters that a physical range stopped."""
        values = {each: float(value_of(self.twin, each.name)) for each in self.choice}
        return tuple(
            each.name
            for each, value in values.items()
            if np.isclose(value, each.low, rtol=1e-3) or np.isclose(value, each.high, rtol=1e-3)
        )


def calibrate(
    logs: Sequence[GreenhouseLog],
    ends: Sequence[np.datetime64],
    base: str = DEFAULT_BASE,
    names: Sequence[str] | None = None,
    starts: int = 1,
    seed: int = 0,
    told: Callable[[int, int], None] = lambda done, total: None,
    **options: Any,
) -> tuple[Calibration, ...]:
    """Fit a published greenhouse to the rows of logs before their `ends`, in windows of a day.

    Several logs are fitted together, with shared parameters but for those that differ between compartments. `options`
    go to `fit`.
    """
    logs = [log.before(end) for log, end in zip(logs, ends, strict=True)]
    begun = [published_twin(log, base) for log in logs]
    areas = {float(twin.parameters.floor_area) for twin in begun}
    if len(areas) > 1:
        raise ValueRangeError("the floor areas of logs that are fitted together", sorted(areas), "one floor area")
    choice = chosen(names, areas.pop())
    spans = [windows(log, log.times[0], end, 24.0) for log, end in zip(logs, ends, strict=True)]
    houses = list(map(House, begun, spans))
    random, size = np.random.default_rng(seed), coordinates_of(houses, choice)
    offsets = [np.zeros(size), *(START_SPREAD * random.normal(size=size) for _ in range(starts - 1))]
    fits = [fit(houses, choice, offset=offset, told=told, **options) for offset in offsets]
    best, losses = min(fits, key=lambda each: each.loss), tuple(each.loss for each in fits)
    covariance = np.asarray(np.linalg.inv(best.curvature), float)
    return tuple(
        Calibration(
            log, house.start, twin, base, choice, best.coordinates[own], covariance[np.ix_(own, own)], losses,
            best.iterations, house.given.skipped,
        )
        for log, house, twin, own in zip(logs, houses, best.twins, best.positions, strict=True)
    )  # fmt: skip
