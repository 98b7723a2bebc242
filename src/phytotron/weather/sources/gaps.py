"""Gaps in a column of measurements: found, put into words, filled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LISTED = 4  # gaps in an error


@dataclass(frozen=True)
class Gap:
    """Rows that are missing one after the other; an open gap lies at the start or the end and cannot be filled."""

    start: int
    length: int
    open: bool

    def hours(self, interval: int) -> float:
        return self.length * interval / 3600.0


def found_gaps(missing: NDArray[np.bool_]) -> list[Gap]:
    """The gaps of a column in order."""
    if not missing.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], missing, [False])).astype(np.int8)))
    return [
        Gap(int(start), int(stop - start), bool(start == 0 or stop == missing.size))
        for start, stop in edges.reshape(-1, 2)
    ]


def listed(starts: Sequence[Any], gaps: Sequence[Gap], interval: int) -> str:
    """The first gaps in words."""
    parts = [f"{start} UTC ({gap.hours(interval):g} h)" for start, gap in zip(starts, gaps, strict=True)]
    more = len(parts) - LISTED
    return ", ".join(parts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def filled_in(name: str, values: NDArray[np.float64], missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The column without gaps: along a straight line from the value before to the value after, rain by 0."""
    whole = values.copy()
    if name == "rain":
        whole[missing] = 0.0
    else:
        rows = np.arange(values.size)
        whole[missing] = np.interp(rows[missing], rows[~missing], values[~missing])
    return whole
