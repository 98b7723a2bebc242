"""The way from the rows of a file to a weather table: the checks that all formats share, and the gaps in what was
measured.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import DataFileError, PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.weather.calendar import Moment, Times, to_datetime64, years
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources.gaps import WINDOW, Gap, begun, filled_in, filling, found_gaps, listed, until
from phytotron.weather.sources.mapping import Columns, check_columns, example, quoted, wanted_words
from phytotron.weather.sources.numbers import Floats, Rows, shown
from phytotron.weather.sources.text import Source
from phytotron.weather.sources.units import described
from phytotron.weather.table import WeatherTable, weather_table
from phytotron.weather.variables import VARIABLES

HOURLY = ("global_radiation", "air_temperature", "wind_speed", "relative_humidity|vapour_pressure")
DAILY = ("irradiation", "minimum_temperature", "maximum_temperature")
FIRST_YEAR, LAST_YEAR = 1700, 2999
MOST_ROWS = 6_000_000  # 57 years of five minutes

Derivation = Callable[[dict[str, Floats], Site], None]  # adds columns in place


@dataclasses.dataclass(frozen=True)
class Request:
    """The request of the caller of a reader."""

    fill_gaps: float = 0.0  # h, the longest gap that is filled
    first: Moment | None = None
    end: Moment | None = None
    site: Site | None = None
    station: str | None = None
    require: Sequence[str] | None = None  # columns; a|b: one of the two
    year: int | None = None  # of files that do not say
    utc_offset: float | None = None  # h, of files in a local time that they do not name
    columns: Columns = dataclasses.field(default_factory=dict)  # which variable is which column of a table
    time_format: str | None = None  # of the times of a table, as for `datetime.strptime`; None: ISO 8601

    def __post_init__(self) -> None:
        if not 0.0 <= self.fill_gaps < float("inf"):
            raise ValueRangeError("fill_gaps", self.fill_gaps, "hours, 0 or more")
        if self.year is not None and not FIRST_YEAR <= self.year <= LAST_YEAR:
            raise ValueRangeError("year", self.year, f"{FIRST_YEAR} to {LAST_YEAR}")
        if self.utc_offset is not None and not -14.0 <= self.utc_offset <= 14.0:
            raise ValueRangeError("utc_offset", self.utc_offset, "-14 to 14 h")
        check_columns(self.columns)
        for name in ("first", "end"):
            if not isinstance(getattr(self, name), date | None):
                raise ValueRangeError(name, getattr(self, name), "a date or datetime")
        for name in {part for entry in self.require or () for part in entry.split("|")} - set(VARIABLES):
            raise ValueRangeError("require", name, "names of weather variables, for example air_temperature")


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of a file, in the unit of its variable; NaN where a value is missing."""

    heading: str  # as the file calls it
    values: Floats
    texts: Sequence[Any]  # as the file has them


@dataclasses.dataclass(frozen=True)
class Series:
    """The rows of a file in its own order, each named by the beginning of its interval in UTC."""

    source: Source
    times: Times
    rows: Rows
    interval: int  # s
    columns: Mapping[str, Column]  # by the name of the variable, or one of units.RAW
    site: Site
    provenance: Provenance
    derive: Sequence[Derivation] = ()
    required: tuple[str, ...] | None = None  # columns, where the caller names none; None: DAILY or HOURLY
    headings: tuple[str, ...] = ()  # of a table of others, all of them
    whole_days: bool = False  # a last day that is not finished is a file that was cut off

    def part(self, rows: slice) -> Series:
        """Return some of the rows as a series."""
        columns = {
            name: Column(column.heading, column.values[rows], column.texts[rows])
            for name, column in self.columns.items()
        }
        held = Rows(self.rows.numbers[rows], self.rows.word)
        return dataclasses.replace(self, times=self.times[rows], rows=held, columns=columns)


def weather_from(series: Series, request: Request) -> WeatherTable:
    """Return the table of a series; the error names the file, the row, the column and what would be right."""
    _check_times(series)
    series = _window(series, request)
    _check_values(series)
    _check_rows(series, request)
    grid = ((series.times - series.times[0]) // np.timedelta64(series.interval, "s")).astype(np.int64)
    size = int(grid[-1]) + 1
    table: dict[str, Floats] = {}
    faulty: dict[str, list[Gap]] = {}
    notes: list[str] = []
    filled = np.zeros(size, bool)
    for name, column in series.columns.items():
        values = np.full(size, np.nan)
        values[grid] = column.values
        if name == "filled":
            values = np.nan_to_num(values)
        missing = np.isnan(values)
        gaps = found_gaps(missing)
        if any(gap.open or gap.hours(series.interval) > request.fill_gaps for gap in gaps):
            faulty[name] = gaps
            notes.append(f"column {column.heading} left out: missing in {int(missing.sum())} of {size} rows")
            continue
        table[name] = filled_in(name, values, missing) if gaps else values
        filled |= missing
    for derive in series.derive:
        derive(table, series.site)
    _check_required(series, request, table, faulty, size)
    if filled.any():
        table["filled"] = np.maximum(table.get("filled", 0.0), filled)
        notes.append(f"values missing in {int(filled.sum())} of {size} rows were filled by interpolation, rain by 0")
    provenance = dataclasses.replace(series.provenance, notes=(*series.provenance.notes, *notes))
    start = series.times[0].astype(datetime)
    try:
        return weather_table(table, start, series.interval, series.site, provenance)
    except DataFileError:
        raise
    except PhytotronError as reason:
        raise series.source.error(str(reason), f"correct the file, or choose another window by {WINDOW}") from None


def _check_times(series: Series) -> None:
    times, source = series.times, series.source
    if not times.size:
        raise source.error("the file has no rows of data", "fetch it again")
    found = years(times)
    source.refuse(
        (found < FIRST_YEAR) | (found > LAST_YEAR),
        lambda bad: f"{series.rows[bad]}: the year is {found[bad]}",
        f"expected a year from {FIRST_YEAR} to {LAST_YEAR}",
    )
    steps = np.diff(times) // np.timedelta64(1, "s")
    if (steps <= 0).any():
        bad = int(np.argmax(steps <= 0)) + 1
        what = "repeats the time" if steps[bad - 1] == 0 else f"goes back in time to {times[bad]} from"
        raise source.error(
            f"{series.rows[bad]} {what} {times[bad - 1]} of {series.rows[bad - 1]}",
            "expected rows in order of time, one for each; sort them and remove those that occur twice",
        )
    source.refuse(
        steps % series.interval != 0,
        lambda bad: f"{series.rows[bad + 1]}: {times[bad + 1]} comes {steps[bad]} s after the row before it",
        f"expected steps of {series.interval} s",
    )


def _window(series: Series, request: Request) -> Series:
    """The rows whose whole interval lies between `first` and `end`; the file must cover them."""
    step = np.timedelta64(series.interval, "s")
    ends = series.times + step
    begin, stop = 0, series.times.size
    if request.first is not None:
        first = to_datetime64(request.first)
        begin = int(np.searchsorted(series.times, first))
        if series.times[0] >= first + step:
            raise _outside(series, f"first={first}")
    if request.end is not None:
        end = to_datetime64(request.end)
        stop = int(np.searchsorted(ends, end, side="right"))
        if ends[-1] <= end - step:
            raise _outside(series, f"end={end}")
    elif series.whole_days and ends[-1] != ends[-1].astype("datetime64[D]"):
        raise series.source.error(
            f"the last row, {series.rows[-1]}, ends at {ends[-1]}: the day is not finished, the file was cut off",
            f"fetch it again, or read what is there with {until(series.times[-1])}",
        )
    if begin >= stop:
        raise _outside(series, f"first={request.first} and end={request.end}")
    return series.part(slice(begin, stop))


def _outside(series: Series, asked: str) -> DataFileError:
    last = series.times[-1] + np.timedelta64(series.interval, "s")
    return series.source.error(
        f"the file covers {series.times[0]} to {last} UTC, not what {asked} asks for", "choose a window within it"
    )


def _check_values(series: Series) -> None:
    for name, column in series.columns.items():
        _check_range(series, column, described(name))
    if {"minimum_temperature", "maximum_temperature"} <= set(series.columns):
        lowest, highest = series.columns["minimum_temperature"], series.columns["maximum_temperature"]
        series.source.refuse(
            lowest.values > highest.values,
            lambda bad: (
                f"{series.rows[bad]}: the minimum {lowest.values[bad]:g} °C (column {lowest.heading}) is above the "
                f"maximum {highest.values[bad]:g} °C (column {highest.heading})"
            ),
            "correct the values, or blank them if they are missing",
        )


def _check_range(series: Series, column: Column, known: Quantity) -> None:
    series.source.refuse(
        (column.values < known.low) | (column.values > known.high),
        lambda bad: (
            f"{series.rows[bad]}, column {column.heading}: {shown(column.texts[bad])} means "
            f"{column.values[bad]:g} {known.unit} of {known.description}"
        ),
        f"expected {known.range}; correct the value, or blank it if it is missing",
    )


def _check_rows(series: Series, request: Request) -> None:
    """Refuse a series in which rows are missing for longer than gaps may be filled."""
    steps = (np.diff(series.times) // np.timedelta64(series.interval, "s")).astype(np.int64)
    gaps = [Gap(int(index) + 1, int(steps[index]) - 1, False) for index in np.flatnonzero(steps > 1)]
    longest = max((gap.hours(series.interval) for gap in gaps), default=0.0)
    if longest > request.fill_gaps:
        starts = [series.times[gap.start - 1] + np.timedelta64(series.interval, "s") for gap in gaps]
        places = listed(starts, gaps, series.interval)
        middles = [
            start + np.timedelta64(gap.length * series.interval // 2, "s")
            for start, gap in zip(starts, gaps, strict=True)
        ]
        leap = any(str(middle.astype("datetime64[D]")).endswith("02-29") for middle in middles)
        raise series.source.error(
            f"rows are missing in {len(gaps)} {'place' if len(gaps) == 1 else 'places'}: {places}"
            + (" (29 February of a leap year)" if leap else ""),
            f"{filling(longest)}, {WINDOW} choose another window",
        )
    if (series.times[-1] - series.times[0]) // np.timedelta64(series.interval, "s") >= MOST_ROWS:
        raise series.source.error(f"the times span more than {MOST_ROWS} rows", "split the file by years")


def _check_required(
    series: Series, request: Request, table: Mapping[str, Floats], faulty: Mapping[str, list[Gap]], size: int
) -> None:
    daily = series.interval == SECONDS_PER_DAY
    usual = series.required if series.required is not None else DAILY if daily else HOURLY
    wanted = request.require if request.require is not None else usual
    for entry in wanted:
        names = entry.split("|")
        if any(name in table for name in names):
            continue
        incomplete = next((name for name in names if name in faulty), None)
        if incomplete is not None:
            raise _incomplete(series, incomplete, faulty[incomplete], size)
        if series.headings:
            raise _other_names(series, wanted, table)
        held = ", ".join(table) or "none"
        left_out = ", ".join(series.columns[name].heading for name in faulty)
        raise series.source.error(
            f"the file gives no {' or '.join(names)}; it gives {held}"
            + (f" (left out, because incomplete: {left_out})" if left_out else ""),
            "fetch it with all variables, or name the columns that you need by require=(...)",
        )
    if not table:
        raise series.source.error("no column of the file is complete", f"choose a window by {WINDOW}")


def _other_names(series: Series, wanted: Sequence[str], table: Mapping[str, Floats]) -> DataFileError:
    """A table of others that lacks variables, or has them under names that are not known."""
    lacking = [entry for entry in wanted if not any(name in table for name in entry.split("|"))]
    known = {column.heading for column in series.columns.values()}
    free = [each for each in series.headings if each not in known]
    found = f", of which {', '.join(sorted(known))} {'is' if len(known) == 1 else 'are'} known" if known else ""
    return series.source.error(
        f"the table gives no {wanted_words(lacking)}; its columns are {quoted(series.headings)}{found}",
        f"say which column is which: {example(free, lacking)}; other units are converted, see docs/weather_formats.md",
    )


def _incomplete(series: Series, name: str, gaps: list[Gap], size: int) -> DataFileError:
    step = np.timedelta64(series.interval, "s")
    begin = series.times[0]
    heading, last = series.columns[name].heading, gaps[-1]
    if last.length == size:
        return series.source.error(f"column {heading} ({name}) has no values", "choose another window or another file")
    starts = [begin + gap.start * step for gap in gaps]
    problem = f"column {heading} ({name}) has missing values: {listed(starts, gaps, series.interval)}"
    if last.open and last.start > 0:
        return series.source.error(
            f"{problem}, at the end", f"read what is there with {until(starts[-1], exactly=True)}"
        )
    if gaps[0].open:
        return series.source.error(f"{problem}, at the start", f"begin with {begun(begin + gaps[0].length * step)}")
    longest = max(gap.hours(series.interval) for gap in gaps)
    return series.source.error(problem, f"{filling(longest)}, {WINDOW} choose another window")
