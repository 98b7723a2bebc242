"""The generator's year of 366 days: seasonal cycles through monthly values, and where the sun stands."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]

MONTH_LENGTHS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
DAYS = int(MONTH_LENGTHS.sum())
LEAP_DAY = 59  # index of 29 February
MONTH = np.repeat(np.arange(12), MONTH_LENGTHS)  # month of each day, 0 to 11
DAY_OF_MONTH = np.concatenate([np.arange(length) for length in MONTH_LENGTHS])  # 0 to 30
MONTH_MEANS = (np.arange(12)[:, None] == MONTH[None, :]) / MONTH_LENGTHS[:, None]  # (12, 366), averages over months

PARTS = 60  # sub-intervals of an hour in the integral of the sun's elevation


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
    """Return the daily values on straight lines between the middles of the months; axis 0 holds months, then days.

    A mixture of neighbouring months, which keeps positive values positive and correlation matrices what they are.
    """
    return np.asarray(np.tensordot(LINE, np.asarray(monthly, float), axes=1))


def seasonal_cycle(monthly: ArrayLike) -> Numbers:
    """Return daily values on straight lines whose averages over the months are exactly the given ones.

    Axis 0 is that of the months, and of the days in the result.
    """
    return np.asarray(np.tensordot(LINE @ _KEEP_MEANS, np.asarray(monthly, float), axes=1))


def calendar_days(first_year: int, years: int) -> tuple[NDArray[np.datetime64], NDArray[np.bool_]]:
    """Return the dates of some years, and which days of as many years of 366 days they are: (years * 366,)."""
    first, end = np.datetime64(f"{first_year:04d}-01-01"), np.datetime64(f"{first_year + years:04d}-01-01")
    dates = np.arange(first, end)
    keep = np.ones((years, DAYS), bool)
    year = first_year + np.arange(years)
    keep[:, LEAP_DAY] = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    return dates, keep.ravel()


def year_angle() -> Numbers:
    """Return the angle [rad] of the earth on its orbit on each of the 366 days."""
    return np.asarray(2.0 * np.pi * np.arange(DAYS) / DAYS)


def declination() -> Numbers:
    """Return the declination of the sun [rad]; Spencer 1971, Search 2, 172."""
    g = year_angle()
    return np.asarray(
        0.006918 - 0.399912 * np.cos(g) + 0.070257 * np.sin(g) - 0.006758 * np.cos(2 * g) + 0.000907 * np.sin(2 * g)
        - 0.002697 * np.cos(3 * g) + 0.00148 * np.sin(3 * g)
    )  # fmt: skip


def equation_of_time() -> Numbers:
    """Return the solar minus clock time [h]; Spencer 1971."""
    g = year_angle()
    radians = (
        0.000075 + 0.001868 * np.cos(g) - 0.032077 * np.sin(g) - 0.014615 * np.cos(2 * g) - 0.040849 * np.sin(2 * g)
    )
    return np.asarray(radians * 12.0 / np.pi)


def solar_noon(longitude: float) -> Numbers:
    """Return UTC hour of solar noon on each of the 366 days at a longitude [degrees, positive to the east]."""
    return np.asarray(12.0 - longitude / 15.0 - equation_of_time())


def hourly_elevation(latitude: float, longitude: float) -> Numbers:
    """Return the mean over each UTC hour of the sine of the sun's elevation, zero while it is down: (366, 24)."""
    phi, delta = np.radians(latitude), declination()[:, None]
    clock = (np.arange(24 * PARTS) + 0.5) / PARTS
    angle = np.pi / 12.0 * (clock[None, :] - solar_noon(longitude)[:, None])
    sine = np.sin(phi) * np.sin(delta) + np.cos(phi) * np.cos(delta) * np.cos(angle)
    return np.asarray(np.maximum(sine, 0.0).reshape(DAYS, 24, PARTS).mean(axis=2))
