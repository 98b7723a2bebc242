"""The one form that all greenhouse logs take: named quantities at increasing times in UTC, gaps marked as NaN."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.logs.variables import log_variable
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site

Column = NDArray[np.float64]
WRONG_SHARE = 0.01  # more impossible values than this are a wrong unit or a wrong column, not faults of a sensor


def _is_date(text: str) -> bool:
    """Return whether a text is a date without a time of day."""
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


class LogError(PhytotronError):
    """A log that cannot be used: missing columns, times out of order, impossible values."""


@dataclasses.dataclass(frozen=True, eq=False)
class GreenhouseLog:
    """The recorded sensors of a greenhouse; build it with `greenhouse_log`, which checks its arguments.

    Columns are named as in `variables.VARIABLES`; NaN marks what was not measured. Times are UTC and increase; they
    need not be equally spaced. `utc_offset` [h] is that of the clock in the files: days of the log are days of it.
    """

    name: str
    times: Times
    columns: Mapping[str, Column]
    site: Site
    provenance: Provenance
    utc_offset: float = 0.0
    floor_area: float | None = None  # m2
    crop_area: float | None = None  # m2 of the floor that the crop stands on

    def __getitem__(self, name: str) -> Column:
        if name not in self.columns:
            unit = log_variable(name).unit
            raise LogError(
                f"the log {self.name} has no {name} [{unit}]; it has {', '.join(self.columns)}: add the column to the "
                "log, or to the mapping of its columns"
            )
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    @property
    def size(self) -> int:
        """Number of rows."""
        return int(self.times.size)

    @property
    def interval(self) -> int:
        """The usual time between rows, in whole minutes [s]."""
        return max(60, round(float(np.median(np.diff(self.times).astype(float))) / 60.0) * 60)

    def moment(self, text: str, option: str, end: bool = False) -> np.datetime64:
        """Return a date or a time of the log's own clock in UTC; with `end`, a date means the end of that day."""
        try:
            found = datetime.fromisoformat(text)
        except ValueError:
            raise ValueRangeError(option, text, "a date such as 2022-02-21, or 2022-02-21T12:00") from None
        if end and _is_date(text):
            found += timedelta(days=1)
        clock = timezone(timedelta(hours=self.utc_offset))
        known = found.replace(tzinfo=clock) if found.tzinfo is None else found
        return np.datetime64(known.astimezone(timezone.utc).replace(tzinfo=None), "s")  # noqa: UP017

    def rows(self, chosen: NDArray[np.bool_]) -> GreenhouseLog:
        """Return some of the rows."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        return dataclasses.replace(self, times=self.times[chosen], columns=columns)

    def before(self, end: np.datetime64) -> GreenhouseLog:
        """Return the rows before a moment in UTC."""
        rows = int(np.searchsorted(self.times, end))
        if rows < 2:
            raise LogError(f"the log {self.name} has {rows} rows before {end} UTC: it begins at {self.times[0]} UTC")
        return self.rows(np.arange(self.size) < rows)

    def on_grid(self, start: np.datetime64, rows: int, interval: int, longest: float) -> dict[str, Column]:
        """Return every column at equal steps, linear between its measurements.

        Values are NaN where the nearest measurement is further away than `longest` [s].
        """
        wanted = np.arange(rows, dtype=float) * interval
        elapsed = (self.times - start).astype("timedelta64[s]").astype(float)
        return {name: _interpolated(wanted, elapsed, column, longest) for name, column in self.columns.items()}


def _interpolated(wanted: Column, times: Column, column: Column, longest: float) -> Column:
    known = np.isfinite(column)
    if not known.any():
        return np.full(wanted.shape, np.nan)
    there = times[known]
    after = np.clip(np.searchsorted(there, wanted), 0, there.size - 1)
    before = np.clip(after - 1, 0, there.size - 1)
    near = np.minimum(np.abs(there[after] - wanted), np.abs(wanted - there[before])) <= longest
    return np.where(near, np.interp(wanted, there, column[known]), np.nan)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let errors within name the file that the fault is in."""
    try:
        yield
    except PhytotronError as error:
        if str(path) in str(error):
            raise
        raise LogError(f"{path}: {error}") from None


def greenhouse_log(
    name: str,
    times: Any,
    columns: Mapping[str, Any],
    site: Site,
    provenance: Provenance,
    utc_offset: float = 0.0,
    floor_area: float | None = None,
    crop_area: float | None = None,
) -> GreenhouseLog:
    """Return a log from times of its own clock; single impossible values become gaps, many of them are refused."""
    clock = np.asarray(times, "datetime64[s]")
    if clock.ndim != 1 or clock.size < 2:
        raise LogError(f"the log {name} has {clock.size} rows; it needs two or more")
    steps = np.diff(clock).astype(float)
    if (steps <= 0.0).any():
        row = int(np.argmax(steps <= 0.0)) + 1
        what = "repeats" if steps[row - 1] == 0.0 else "goes back from"
        raise LogError(
            f"the log {name}: row {row + 1} ({clock[row]}) {what} {clock[row - 1]}; sort the rows by time, remove "
            "those that are there twice, and have the clock keep one UTC offset"
        )
    if not (np.isfinite(utc_offset) and -12.0 <= utc_offset <= 14.0):
        raise ValueRangeError(f"the UTC offset of the log {name}", utc_offset, "-12 to 14 hours")
    checked, notes = {}, list(provenance.notes)
    for key, given in columns.items():
        quantity, column = log_variable(key), np.array(given, float)
        if column.shape != clock.shape:
            raise LogError(f"the log {name}: {key} has {column.size} values for {clock.size} times")
        wrong = np.isfinite(column) & ~((column >= quantity.low) & (column <= quantity.high))
        if wrong.sum() > WRONG_SHARE * column.size:
            row = int(np.argmax(wrong))
            raise LogError(
                f"the log {name}: {int(wrong.sum())} values of {key} cannot be, such as {column[row]:g} at "
                f"{clock[row]}; expected {quantity.range}: check its unit and its column"
            )
        if wrong.any():
            notes.append(f"{int(wrong.sum())} impossible values of {key} were marked as missing")
        checked[key] = np.where(wrong, np.nan, column)
    times_utc: Times = np.asarray(clock - np.timedelta64(round(utc_offset * SECONDS_PER_HOUR), "s"), "datetime64[s]")
    if crop_area is not None and not (floor_area is not None and 0.0 <= crop_area <= floor_area):
        raise ValueRangeError(f"the crop area of the log {name}", crop_area, "at most the floor area, which is needed")
    origin = dataclasses.replace(provenance, notes=tuple(notes))
    return GreenhouseLog(name, times_utc, checked, site, origin, float(utc_offset), floor_area, crop_area)
