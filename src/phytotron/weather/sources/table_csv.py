"""Phytotron's own tables as CSV: a header of `# key: value` lines, then columns whose names carry their unit.

Numbers are written so that reading them gives the same ones. Tables without the header are read as well, given a site.
"""

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError
from phytotron.weather.sources.numbers import iso_times, named_columns, numbers
from phytotron.weather.sources.own_table import (
    TIME_HEADINGS,
    VERSION,
    about_table,
    has_dates,
    own_series,
    read_about,
    time_heading,
)
from phytotron.weather.sources.series import Request, Series
from phytotron.weather.sources.text import Source
from phytotron.weather.sources.vocabulary import HEADINGS, heading
from phytotron.weather.table import WeatherTable

MARK = "# phytotron weather table: "
CHUNK = 4096  # rows written at a time


def is_own_csv(source: Source) -> bool:
    plain = next((line for line in source.lines if not line.startswith("#")), "")
    return bool(set(TIME_HEADINGS) & {name.strip() for name in plain.split(",")})


def read_own_csv(source: Source, request: Request) -> Series:
    """The table of a file."""
    start = next((index for index, line in enumerate(source.lines) if not line.startswith("#")), None)
    if start is None:
        raise source.error("the file has a header and no table", "it is cut off; fetch it again")
    said = _header(source, source.lines[:start])
    lines = list(enumerate(source.lines[start:], start + 1))
    rows, texts = named_columns(source, lines[1:], lines[0])
    named = time_heading(source, list(texts))
    times = iso_times(source, named, texts[named], rows)
    values = {name: numbers(source, name, texts[name], rows) for name in texts if name in HEADINGS}
    return own_series(source, texts, values, (named, times), rows, read_about(source, said), request)


def own_csv(table: WeatherTable, path: Path) -> bytes:
    """What a .csv or .csv.gz file of a table holds."""
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
    said: dict[str, Any] = {}
    notes = []
    for number, line in enumerate(lines, 1):
        key, colon, value = line.removeprefix("#").strip(" ").partition(": ")
        if key == "note":
            notes.append(_plain(value))
        elif key == "angstrom":
            said[key] = value.split()
        elif colon:
            if key in said:
                raise source.error(f"line {number} names {key!r} a second time", "keep one of the lines")
            said[key] = _plain(value)
    if lines and lines[0].startswith(MARK):
        if lines[0] != f"{MARK}{VERSION}":
            raise source.error(f"line 1 says {lines[0][2:]!r}", f"this version reads tables of version {VERSION}")
        for key in ("site", "interval", "rows", "source"):
            if key not in said:
                raise source.error(f"the header has no line '# {key}: ...'", "it is damaged; fetch the file again")
        if not source.ends_with_newline:
            raise source.error("the last line is cut off", "fetch the file again")
    return said | {"notes": notes}


def _escaped(text: str) -> str:
    """A text on one line: \\ and line ends are written as \\\\, \\n and \\r."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _plain(text: str) -> str:
    """The inverse of `_escaped`."""
    parts = text.split("\\\\")
    return "\\".join(part.replace("\\n", "\n").replace("\\r", "\r") for part in parts)
