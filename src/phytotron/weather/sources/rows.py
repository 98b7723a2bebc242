"""Lines of text cut into columns; a line that was damaged or cut off is found and named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phytotron.weather.sources.numbers import Rows
from phytotron.weather.sources.text import Source, first_double

Lines = Sequence[tuple[int, str]]  # number and text


def columns_of(
    source: Source, lines: Lines, width: int, separator: str | None = ","
) -> tuple[Rows, list[Sequence[str]]]:
    """The numbers of lines, and their columns; without a separator, blanks separate."""
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
    return np.array([number for number, _ in lines]), [fields[column::width] for column in range(width)]


def named_columns(source: Source, lines: Lines, header: tuple[int, str]) -> tuple[Rows, dict[str, Sequence[str]]]:
    """The numbers of lines, and their columns by the names in a header line."""
    number, line = header
    headings = [name.strip() for name in line.split(",")]
    double = first_double(headings)
    if double is not None:
        raise source.error(f"line {number} names the column {double!r} twice", "keep one of them")
    rows, columns = columns_of(source, lines, len(headings))
    return rows, dict(zip(headings, columns, strict=True))


def check_last_width(source: Source, lines: Lines) -> None:
    """Where rows have one width, a last one that is narrower has lost the end of its last number."""
    if len(lines) > 1 and not source.ends_with_newline and len(lines[-1][1].rstrip()) < len(lines[-2][1].rstrip()):
        raise source.error(f"line {lines[-1][0]}, the last, is cut off", "fetch the file again")
