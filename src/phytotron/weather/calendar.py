"""Moments in UTC: the one time that weather tables know."""

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

Moment = date | datetime
Times = NDArray[np.datetime64]


def utc(moment: Moment) -> datetime:
    """Return a moment in UTC. A date means its midnight; a datetime without time zone counts as UTC."""
    if not isinstance(moment, datetime):
        return datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def to_datetime64(moment: Moment) -> np.datetime64:
    """Return the moment as NumPy counts time: whole seconds in UTC."""
    return np.datetime64(utc(moment).replace(tzinfo=None), "s")


def days_after(first: Any, days: Any) -> Any:
    """Return the dates some whole days after others.

    NumPy 2.5 no longer adds a bare number to a date without a warning.
    """
    return first + np.asarray(days).astype("timedelta64[D]")


def days_since_new_year(times: Times) -> NDArray[np.float64]:
    """Return the days since the start of the year of every time: 0.0 at midnight of 1 January."""
    return np.asarray((times - times.astype("datetime64[Y]")) / np.timedelta64(1, "D"), float)


def years(times: Times) -> NDArray[np.int64]:
    """Return the calendar year of every time."""
    return np.asarray(times.astype("datetime64[Y]").astype(np.int64) + 1970)
