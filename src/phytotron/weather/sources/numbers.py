"""Columns out of text: lines cut into fields, these read as numbers and times; what is damaged is found and named."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.weather.calendar import Times, days_after
from phytotron.weather.sources.text import Source, first_double

Lines = Sequence[tuple[int, str]]  # number and text
Floats = NDArray[np.float64]

_PLAIN = re.compile(r"[0-9.eE+\-,]*", re.ASCII)
_ISO = re.compile(r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?,)*", re.ASCII)
SHOWN = 40  # characters of a bad text
HUGE = 1e30  # no quantity of the weather comes near, and products of it stay finite


@dataclass(frozen=True, eq=False)
class Rows:
    """The names of the rows of a file in errors: a word, and the number or name of each."""

    numbers: NDArray[Any]
    word: str = "line"

    def __getitem__(self, index: int) -> str:
        return f"{self.word} {self.numbers[index]}"

    @property
    def size(self) -> int:
        """The number of rows."""
        return int(self.numbers.size)


def columns_of(
    source: Source, lines: Lines, width: int, separator: str | None = ","
) -> tuple[Rows, list[Sequence[str]]]:
    """Return the rows of lines, and their columns; without a separator, blanks separate."""
    if separator is None:
        lines, separator = [(number, ",".join(line.split())) for number, line in lines], ","
    for number, line in lines:
        if line.count(separator) != width - 1:
            raise source.error(
                f"line {number} has {line.count(separator) + 1} fields, expected {width}",
                "the row is damaged or the file cut off; fetch it again",
            )
    if not lines:
        raise source.error("the file has no rows of data", "it is cut off, or nothing was measured; fetch it again")
    # One long list, of which a column is every width-th entry: a list for each line takes four times as long.
    fields = separator.join(line for _, line in lines).split(separator)
    return Rows(np.array([number for number, _ in lines])), [fields[column::width] for column in range(width)]


def named_columns(
    source: Source, lines: Lines, header: tuple[int, str], separator: str = ","
) -> tuple[Rows, dict[str, Sequence[str]]]:
    """Return the rows of lines, and their columns by the names in a header line."""
    number, line = header
    headings = [name.strip() for name in line.split(separator)]
    double = first_double(headings)
    if double is not None:
        raise source.error(f"line {number} names the column {double!r} twice", "keep one of them")
    rows, columns = columns_of(source, lines, len(headings), separator)
    return rows, dict(zip(headings, columns, strict=True))


def check_last_width(source: Source, lines: Lines) -> None:
    """Refuse a file that was cut off: where rows have one width, a last one that is narrower has lost the end of its
    last number.
    """
    if len(lines) > 1 and not source.ends_with_newline and len(lines[-1][1].rstrip()) < len(lines[-2][1].rstrip()):
        raise source.error(f"line {lines[-1][0]}, the last, is cut off", "fetch the file again")


def shown(text: Any) -> str:
    """Return a text as errors quote it."""
    quoted = repr(text)
    return quoted if len(quoted) <= SHOWN else quoted[: SHOWN - 3] + "..."


def numbers(source: Source, heading: str, texts: Sequence[str], rows: Rows) -> Floats:
    """Return a column of text as numbers; blanks are missing values, NaN."""
    plain = _PLAIN.fullmatch(",".join(texts))
    stripped = texts if plain else [text.strip() for text in texts]
    try:
        if plain or _PLAIN.fullmatch(",".join(stripped)):
            values = np.array([float(text) if text else math.nan for text in stripped])
            if not (np.abs(values) > HUGE).any():
                return values
    except ValueError:
        pass
    bad = next(index for index, text in enumerate(stripped) if text and not _is_number(text))
    raise source.error(
        f"{rows[bad]}, column {heading}: {shown(stripped[bad])} is not a number",
        "expected a finite number, or nothing where a value is missing",
    )


def header_numbers(source: Source, line: int, names: Sequence[str], texts: Sequence[str]) -> list[float]:
    """Return numbers in one line of a header, by the names that errors give them."""
    rows = Rows(np.array([line]))
    return [float(numbers(source, name, [text], rows)[0]) for name, text in zip(names, texts, strict=True)]


def _is_number(text: str) -> bool:
    try:
        return bool(_PLAIN.fullmatch(text)) and abs(float(text)) <= HUGE
    except ValueError:
        return False


def json_numbers(source: Source, heading: str, values: Sequence[Any], rows: Rows) -> Floats:
    """Return a list of JSON values as numbers; null is a missing value, NaN."""
    found = np.full(len(values), math.nan)
    for index, value in enumerate(values):
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= HUGE:
            raise source.error(
                f"{rows[index]} of {heading}: {shown(value)} is not a number",
                "expected a finite number, or null where a value is missing",
            )
        found[index] = value
    return found


def whole_numbers(source: Source, heading: str, texts: Sequence[str], rows: Rows) -> NDArray[np.int64]:
    """Return a column of whole numbers without gaps."""
    values = numbers(source, heading, texts, rows)
    source.refuse(
        ~((np.abs(values) < 2**31) & (values == np.floor(values))),
        lambda bad: f"{rows[bad]}, column {heading}: {shown(texts[bad].strip())} is not a whole number",
        "the row is damaged or cut off; fetch the file again",
    )
    return values.astype(np.int64)


def check_hours(source: Source, hours: Any, rows: Rows) -> None:
    """Refuse hours that do not count from 1 to 24."""
    remedy = "expected 1 to 24, the hour in which an interval ends"
    source.refuse((hours < 1) | (hours > 24), lambda bad: f"{rows[bad]}: the hour is {hours[bad]}", remedy)


def calendar_days(
    source: Source, parts: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], rows: Rows
) -> Times:
    """Return midnights of years, months and days; a day that is not in the calendar is refused."""
    year, month, day = parts
    sane = (year >= 1) & (year <= 9999) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    months = np.where(sane, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    days = days_after(months.astype("datetime64[D]"), np.where(sane, day - 1, 0))
    source.refuse(
        ~sane | (days.astype("datetime64[M]") != months),
        lambda bad: f"{rows[bad]}: {year[bad]}-{month[bad]:02d}-{day[bad]:02d} is not a day of the calendar",
        "the date is wrong; remove the row (29 February exists in leap years only)",
    )
    return days.astype("datetime64[s]")


def days_of_years(source: Source, year_texts: Sequence[str], day_texts: Sequence[str], rows: Rows) -> Times:
    """Return midnights of years and days of the year, from 1; day 366 exists in leap years only."""
    year = whole_numbers(source, "year", year_texts, rows)
    day = whole_numbers(source, "day of the year", day_texts, rows)
    one = np.ones_like(year)
    new_year = calendar_days(source, (year, one, one), rows)
    times = new_year + (day - 1) * np.timedelta64(SECONDS_PER_DAY, "s")
    wrong = (day < 1) | (times.astype("datetime64[Y]") != new_year.astype("datetime64[Y]"))
    remedy = "expected 1 to 365, 366 in leap years"
    source.refuse(wrong, lambda bad: f"{rows[bad]}: {year[bad]} has no day {day[bad]}", remedy)
    return times


def read_times(source: Source, heading: str, texts: Sequence[Any], rows: Rows, pattern: str | None) -> Times:
    """Return times in a format as of `datetime.strptime`, or ISO 8601 where there is none; see `iso_times`."""
    if pattern is None:
        return iso_times(source, heading, texts, rows)
    times = np.empty(len(texts), "datetime64[s]")
    for index, text in enumerate(texts):
        try:
            moment = datetime.strptime(text.strip(), pattern)
            moment = moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
            times[index] = np.datetime64(moment, "s")
        except (ValueError, OverflowError, AttributeError, re.error):
            raise source.error(
                f"{rows[index]}, column {heading}: {shown(text)} is not a time in the format {pattern!r}",
                "correct the format: --time-format '%d.%m.%Y %H:%M' reads 01.03.2010 13:00",
            ) from None
    return times


def have_zones(texts: Sequence[str], pattern: str | None) -> NDArray[np.bool_]:
    """Return an array that is true where a text names a time zone, and so is UTC once `read_times` has read it.

    A Z does not count: loggers write it behind local times, too.
    """
    if pattern is not None:
        return np.full(len(texts), "%z" in pattern)
    plain = (text.strip().removesuffix("Z") for text in texts)
    return np.array([datetime.fromisoformat(text).tzinfo is not None for text in plain])


def iso_times(source: Source, heading: str, texts: Sequence[Any], rows: Rows) -> Times:
    """Return ISO 8601 dates and times.

    Those with a time zone are turned into UTC, those without are taken as they stand.
    """
    stripped = [text.strip().removesuffix("Z") if isinstance(text, str) else "" for text in texts]
    if _ISO.fullmatch(",".join(stripped) + ","):
        try:
            return np.array([text.replace(" ", "T") for text in stripped], dtype="datetime64[s]")
        except ValueError:
            pass
    times = np.empty(len(texts), "datetime64[s]")
    for index, text in enumerate(texts):
        try:
            moment = datetime.fromisoformat(text.strip())
            moment = moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
        except (ValueError, OverflowError, AttributeError):
            raise source.error(
                f"{rows[index]}, column {heading}: {shown(text)} is not a date or time",
                "expected ISO 8601, for example 2010-03-01T12:00:00Z (29 February exists in leap years only), or "
                "name the format: --time-format '%d.%m.%Y %H:%M' (time_format=)",
            ) from None
        times[index] = np.datetime64(moment.replace(microsecond=0), "s")
        if moment.microsecond:
            raise source.error(
                f"{rows[index]}, column {heading}: {shown(text)} has parts of a second",
                "expected times in whole seconds",
            )
    return times
