"""Phytotron's own tables as CSV: a header of `# key: value` lines, then columns whose names carry their unit.

Numbers are written so that reading them gives the same ones. Tables of others, without the header, are read as well,
given a site, and where their columns have other names, which column is which.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError
from phytotron.weather.sources.mapping import TIME_HEADINGS, known_columns, time_columns
from phytotron.weather.sources.numbers import have_zones, named_columns, numbers, read_times
from phytotron.weather.sources.own_table import (
    VERSION,
    about_table,
    has_dates,
    is_local,
    own_series,
    read_about,
)
from phytotron.weather.sources.series import Request, Series
from phytotron.weather.sources.text import Source
from phytotron.weather.sources.vocabulary import heading
from phytotron.weather.table import WeatherTable

MARK = "# phytotron weather table: "
CHUNK = 4096  # rows written at a time
SEPARATORS = (",", ";", "\t")
UNIT_SEPARATOR = "\x1f"  # which no text holds, see `Source.text`
DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")


def is_own_csv(source: Source) -> bool:
    """Return whether a file is a weather table as this package writes it."""
    plain = next((line for line in source.lines if not line.startswith("#")), "")
    return bool(set(TIME_HEADINGS) & set(_cells(plain, _separator(plain))))


def looks_like_csv(source: Source) -> list[str]:
    """Return the headings of a text that may be a table of others; none where it is no table."""
    plain = next((line for line in source.lines if not line.startswith("#")), "")
    headings = _cells(plain, _separator(plain))
    rows = [line for line in source.lines if not line.startswith("#")][1:3]
    alike = all(len(_cells(line, _separator(plain))) == len(headings) for line in rows)
    return headings if rows and alike and len(headings) > 1 else []


def read_own_csv(source: Source, request: Request) -> Series:
    """Return the table of a file: ours, or one of others with commas, semicolons or tabs between the columns."""
    start = next((index for index, line in enumerate(source.lines) if not line.startswith("#")), None)
    if start is None:
        raise source.error("the file has a header and no table", "it is cut off; fetch it again")
    header = _header(source, source.lines[:start])
    separator, lines = _plain_lines(source.lines[start:], start + 1)
    rows, texts = named_columns(source, lines[1:], lines[0], separator)
    stamps = time_columns(source, list(texts), request.columns)
    moments = list(map(" ".join, zip(*(texts[each] for each in stamps.headings), strict=True)))
    times = read_times(source, "+".join(stamps.headings), moments, rows, request.time_format)
    zoned = have_zones(moments, request.time_format) if is_local(stamps.kind) else False
    known = known_columns(source, list(texts), request.columns)
    values = {name: numbers(source, name, texts[name], rows) for name in known}
    left = {name: each for name, each in texts.items() if name not in stamps.headings}
    stamped = (stamps.kind, times, zoned)
    return own_series(source, left, values, known, stamped, rows, read_about(source, header), request)


def own_csv(table: WeatherTable, path: Path) -> bytes:
    """Return the bytes of a .csv or .csv.gz file of a table."""
    try:
        content = "".join(_lines(table)).encode()
    except UnicodeEncodeError:
        raise DataFileError(path, "site, source or notes hold broken characters", "correct the texts") from None
    if not path.name.lower().endswith(".gz"):
        return content
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as stream:
        stream.write(content)
    return packed.getvalue()


def _separator(line: str) -> str:
    """Return the separator of the columns of a table, judged by the line of its headings."""
    return max(SEPARATORS, key=line.count)


def _cells(line: str, separator: str) -> list[str]:
    if '"' not in line:
        return [cell.strip() for cell in line.split(separator)]
    try:
        return [cell.strip() for cell in next(csv.reader([line.replace("\r", " ")], delimiter=separator), [])]
    except csv.Error:  # a field longer than it takes
        return line.split(separator)


def _plain_lines(lines: list[str], first: int) -> tuple[str, list[tuple[int, str]]]:
    """A separator, and numbered lines with it between the columns, without quotes and decimal commas."""
    separator = _separator(lines[0])
    numbered = list(enumerate(lines, first))
    quotes = any('"' in line for line in lines)
    if separator == "," and not quotes:
        return separator, numbered
    if quotes:
        numbered = [(number, UNIT_SEPARATOR.join(_cells(line, separator))) for number, line in numbered]
        separator, commas = UNIT_SEPARATOR, separator != ","
    else:
        commas = True
    head, *rows = numbered
    if commas:
        rows = [(number, DECIMAL_COMMA.sub(".", line)) for number, line in rows]
    return separator, [head, *rows]


def _lines(table: WeatherTable) -> Iterator[str]:
    yield f"{MARK}{VERSION}\n"
    for key, value in about_table(table).items():
        if key == "notes":
            yield from (f"# note: {_escaped(note)}\n" for note in value)
        elif key == "angstrom":
            yield f"# angstrom: {value[0]!r} {value[1]!r}\n"
        else:
            yield f"# {key}: {_escaped(value) if isinstance(value, str) else repr(value)}\n"
    whole_days = has_dates(table)
    yield ",".join(["date" if whole_days else "time", *map(heading, table.names)]) + "\n"
    stamps = np.datetime_as_string(table.times, unit="D" if whole_days else "s")
    zone = "" if whole_days else "Z"
    columns = [np.asarray(column, float) for column in table.columns.values()]
    for begin in range(0, table.size, CHUNK):
        rows = slice(begin, begin + CHUNK)
        texts = zip(stamps[rows], *(map(repr, column[rows].tolist()) for column in columns), strict=True)
        yield "".join(f"{stamp}{zone},{','.join(values)}\n" for stamp, *values in texts)


def _header(source: Source, lines: list[str]) -> dict[str, Any]:
    """The keys and values of a header; lines of another form are comments."""
    header: dict[str, Any] = {}
    notes = []
    for number, line in enumerate(lines, 1):
        key, colon, value = line.removeprefix("#").strip(" ").partition(": ")
        if key == "note":
            notes.append(_plain(value))
        elif key == "angstrom":
            header[key] = value.split()
        elif colon:
            if key in header:
                raise source.error(f"line {number} names {key!r} a second time", "keep one of the lines")
            header[key] = _plain(value)
    if lines and lines[0].startswith(MARK):
        if lines[0] != f"{MARK}{VERSION}":
            raise source.error(f"line 1 says {lines[0][2:]!r}", f"this version reads tables of version {VERSION}")
        for key in ("site", "interval", "rows", "source"):
            if key not in header:
                raise source.error(f"the header has no line '# {key}: ...'", "it is damaged; fetch the file again")
        if not source.ends_with_newline:
            raise source.error("the last line is cut off", "fetch the file again")
    return header | {"notes": notes}


def _escaped(text: str) -> str:
    """A text on one line: \\ and line ends are written as \\\\, \\n and \\r."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _plain(text: str) -> str:
    """The inverse of `_escaped`."""
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\r", "\r") for part in parts)
