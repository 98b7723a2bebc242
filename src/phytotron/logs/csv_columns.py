"""Columns of CSV files as text, and as times and numbers; errors name the file, the row and the column."""

import csv
import gzip
from datetime import datetime
from pathlib import Path

import numpy as np

from phytotron.core.errors import DataFileError
from phytotron.core.files import DAMAGED
from phytotron.logs.table import Column, LogError
from phytotron.weather.calendar import Times

LARGEST = 512 * 1024 * 1024  # bytes, unpacked
EMPTY = {"", "nan", "na", "null", "none"}


def read_columns(path: Path) -> dict[str, list[str]]:
    """Return the columns of a file with one line of headings; .gz is unpacked."""
    try:
        rows = [row for row in csv.reader(read_text(path).splitlines()) if row]
    except csv.Error as error:
        raise DataFileError(path, f"is no CSV file ({error})", "give a CSV file in UTF-8, as it is or as .gz") from None
    if len(rows) < 2:
        raise DataFileError(path, "holds no rows", "give a CSV file with headings and values")
    headings = [heading.strip() for heading in rows[0]]
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(headings):
            problem = f"row {number} has {len(row)} values for {len(headings)} headings"
            raise DataFileError(path, problem, "give every row one value per column")
    return {heading: [row[i].strip() for row in rows[1:]] for i, heading in enumerate(headings)}


def read_text(path: Path) -> str:
    """Return the text of a file, which may be packed as .gz; what unpacks to more than a log can hold is refused."""
    if not path.is_file():
        raise DataFileError(path, "is not there", "give the folder and the name of a log that exists")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            content: bytes = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"it holds more than {LARGEST // 1024**2} MB")
        return content.decode("utf-8-sig")
    except DAMAGED as error:
        raise DataFileError(path, f"cannot be read ({error})", "give a CSV file in UTF-8, as it is or as .gz") from None


def numbers(path: Path, columns: dict[str, list[str]], heading: str) -> Column:
    """Return a column as numbers, NaN where a cell is empty."""
    cells = cells_of(path, columns, heading)
    found = np.full(len(cells), np.nan)
    for index, cell in enumerate(cells):
        if cell.lower() not in EMPTY:
            try:
                found[index] = float(cell)
            except ValueError:
                problem = f"{heading} of row {index + 2} is {cell!r}"
                raise DataFileError(path, problem, "give numbers with a decimal point, or empty cells") from None
    return np.where(np.isfinite(found), found, np.nan)


def times(path: Path, columns: dict[str, list[str]], heading: str, form: str) -> Times:
    """Return a column as times in a format of `datetime.strptime`, or "iso"."""
    found = []
    for index, cell in enumerate(cells_of(path, columns, heading)):
        try:
            moment = datetime.fromisoformat(cell) if form == "iso" else datetime.strptime(cell, form)
        except ValueError:
            problem = f"{heading} of row {index + 2} is {cell!r}"
            raise DataFileError(path, problem, f"give times in the format {form}, or another format") from None
        if moment.tzinfo is not None:
            problem = f"{heading} of row {index + 2} is {cell!r}, which has an offset from UTC of its own"
            raise DataFileError(path, problem, "give times of one clock without offsets, and its utc_offset once")
        found.append(np.datetime64(moment, "s"))
    return np.array(found)


def cells_of(path: Path, columns: dict[str, list[str]], heading: str) -> list[str]:
    """Return the cells under a heading."""
    if heading not in columns:
        raise LogError(f"{path}: there is no column {heading!r}; there are {', '.join(columns)}")
    return columns[heading]
