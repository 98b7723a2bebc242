"""Gaps in a column of measurements: found, filled, put into words, and the arguments that avoid them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_HOUR

LISTED = 4  # gaps in an error
WINDOW = "first= and end= (--first, --last)"


@dataclass(frozen=True)
class Gap:
    """Rows that are missing one after the other; an open gap lies at the start or the end and cannot be filled."""

    start: int
    length: int
    open: bool

    def hours(self, interval: int) -> float:
        """Return the length of the gap [h], with rows that are `interval` seconds apart."""
        return self.length * interval / SECONDS_PER_HOUR


def found_gaps(missing: NDArray[np.bool_]) -> list[Gap]:
    """Return the gaps of a column in order."""
    if not missing.any():
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], missing, [False])).astype(np.int8)))
    return [
        Gap(int(start), int(stop - start), bool(start == 0 or stop == missing.size))
        for start, stop in edges.reshape(-1, 2)
    ]


def listed(starts: Sequence[Any], gaps: Sequence[Gap], interval: int) -> str:
    """Return the first gaps in words."""
    parts = [f"{start} UTC ({gap.hours(interval):g} h)" for start, gap in zip(starts, gaps, strict=True)]
    more = len(parts) - LISTED
    return ", ".join(parts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def filled_in(name: str, values: NDArray[np.float64], missing: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the column without gaps: along a straight line from the value before to the value after, rain by 0."""
    whole = values.copy()
    if name == "rain":
        whole[missing] = 0.0
    else:
        rows = np.arange(values.size)
        whole[missing] = np.interp(rows[missing], rows[~missing], values[~missing])
    return whole


def until(end: np.datetime64, exactly: bool = False) -> str:
    """Return the arguments with which a file is read up to a moment, or to the end of the last whole day before it."""
    midnight = end.astype("datetime64[D]")
    return f"end={end if exactly else midnight} (--last {midnight - np.timedelta64(1, 'D')})"


def begun(first: np.datetime64) -> str:
    """Return the arguments with which a file is read from a moment on, or from the next midnight."""
    midnight = first.astype("datetime64[D]")
    later = midnight if midnight == first else midnight + np.timedelta64(1, "D")
    return f"first={first} (--first {later})"


def filling(hours: float) -> str:
    """Return the argument with which gaps of so many hours are filled."""
    return f"fill_gaps={hours:g} (--fill-gaps {hours:g}) interpolates over them"
