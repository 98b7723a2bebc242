"""The generator's year of 366 days, and seasonal courses through monthly values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

MONTH_LENGTHS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
DAYS = int(MONTH_LENGTHS.sum())
LEAP_DAY = 59  # index of 29 February
MONTH = np.repeat(np.arange(12), MONTH_LENGTHS)  # month of each day, 0 to 11
DAY_OF_MONTH = np.concatenate([np.arange(length) for length in MONTH_LENGTHS])  # 0 to 30
MONTH_MEANS = (np.arange(12)[:, None] == MONTH[None, :]) / MONTH_LENGTHS[:, None]  # (12, 366), averages over months


def _line_weights() -> Numbers:
    """(366, 12): weights of the monthly nodes in a straight line from mid-month to mid-month, round the year."""
    middle = np.cumsum(MONTH_LENGTHS) - 0.5 * MONTH_LENGTHS
    nodes = np.concatenate([[middle[-1] - DAYS], middle, [middle[0] + DAYS]])
    day = np.arange(DAYS) + 0.5
    weights = np.stack([np.interp(day, nodes, unit) for unit in np.eye(14)], axis=1)
    weights[:, 12] += weights[:, 0]
    weights[:, 1] += weights[:, 13]
    return weights[:, 1:13]


LINE = _line_weights()
_KEEP_MEANS = np.linalg.inv(MONTH_MEANS @ LINE)


def line_through(monthly: ArrayLike) -> Numbers:
    """Daily values on straight lines between the middles of the months; axis 0 holds months, then days.

    A mixture of neighbouring months, which keeps positive values positive and correlation matrices what they are.
    """
    return np.asarray(np.tensordot(LINE, np.asarray(monthly, float), axes=1))


def course_with_means(monthly: ArrayLike) -> Numbers:
    """Daily values on straight lines whose averages over the months are exactly the given ones; axis 0 as above."""
    return np.asarray(np.tensordot(LINE @ _KEEP_MEANS, np.asarray(monthly, float), axes=1))


def calendar_days(first_year: int, years: int) -> tuple[NDArray[np.datetime64], NDArray[np.bool_]]:
    """The dates of some years, and which days of as many years of 366 days they are: (years * 366,)."""
    first, end = np.datetime64(f"{first_year:04d}-01-01"), np.datetime64(f"{first_year + years:04d}-01-01")
    dates = np.arange(first, end)
    keep = np.ones((years, DAYS), bool)
    year = first_year + np.arange(years)
    keep[:, LEAP_DAY] = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    return dates, keep.ravel()
