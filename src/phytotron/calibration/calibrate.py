"""Calibration of twins to logs: several starts, the best fit, and what the logs can tell about each parameter."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.calibration.adjustable import chosen, value_of
from phytotron.calibration.fit import House, fit
from phytotron.calibration.inputs import windows
from phytotron.calibration.laplace import Laplace
from phytotron.calibration.replay import Twin
from phytotron.calibration.twin_file import starting_twin
from phytotron.core.errors import ValueRangeError
from phytotron.logs import GreenhouseLog
from phytotron.models.greenlight import PARAMETER_SETS

STARTS = 3
LONGEST = np.timedelta64(30, "D")  # before the end of a fit; rows before that would weigh an eighth or less
DEFAULT_START = "agc2022"  # compartments of one house, fitted together


@dataclasses.dataclass(frozen=True, eq=False)
class Calibration:
    """The best of several fits of one greenhouse, with its uncertainty."""

    log: GreenhouseLog
    begun: Twin
    twin: Twin
    base: str
    found: Laplace
    losses: tuple[float, ...]  # of every start, the best first; before residuals were weighed
    steps: int  # of all starts together

    @property
    def values(self) -> dict[str, float]:
        """The fitted values by name."""
        return {each.name: float(value_of(self.twin, each.name)) for each in self.found.choice}


def first_fitted(log: GreenhouseLog, end: np.datetime64) -> np.datetime64:
    """Return the time of the first row that counts in a fit to the rows before `end`."""
    return max(log.times[0], end - LONGEST)


def calibrate(
    logs: Sequence[GreenhouseLog],
    ends: Sequence[np.datetime64],
    base: str = DEFAULT_START,
    names: Sequence[str] | None = None,
    starts: int = STARTS,
    **options: Any,
) -> tuple[Calibration, ...]:
    """Fit a greenhouse, a set or an earlier calibration, to the rows of logs before their `ends`, in windows of a day.

    Of a longer log the last 30 days count. Several logs are fitted together, with shared parameters but for those that
    differ between compartments. `options` go to `fit`.
    """
    logs = [log.before(end) for log, end in zip(logs, ends, strict=True)]
    begun, bases = zip(*(starting_twin(base, log) for log in logs), strict=True)
    areas = {float(twin.parameters.floor_area) for twin in begun}
    if len(areas) > 1:
        raise ValueRangeError("the floor areas of logs that are fitted together", sorted(areas), "one floor area")
    choice = chosen(names, areas.pop(), known=base not in PARAMETER_SETS)
    begins = [first_fitted(log, end) for log, end in zip(logs, ends, strict=True)]
    spans = [windows(log, begin, end, 24.0) for log, begin, end in zip(logs, begins, ends, strict=True)]
    houses = list(map(House, begun, spans))
    made = fit(houses, choice, starts, **options)
    losses = tuple(each.loss for each in made.starts)
    return tuple(
        Calibration(
            log, house.start, twin, bases[0],
            Laplace(choice, made.best.coordinates[own], made.covariance[np.ix_(own, own)]), losses, made.steps,
        )
        for log, house, twin, own in zip(logs, houses, made.twins, made.positions, strict=True)
    )  # fmt: skip
