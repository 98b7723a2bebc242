"""Weather files of CABO and WOFOST: one station and year per file, as PCSE reads them.

Comments begin with `*`; then longitude, latitude, elevation and Ångström's A and B; then one row per day. Negative A
and B say that the fourth column is radiation, positive ones that it is hours of sunshine. A row that begins with -999
names the status of each value from its day on: 1 is measured, all else is estimated.
"""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import DataFileError
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.numbers import (
    Floats,
    Lines,
    Rows,
    check_last_width,
    columns_of,
    days_of_years,
    header_numbers,
    numbers,
)
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, named_place, open_source

LICENCE = "see the comments of the file"
MISSING = -99.0
STATUS = "-999"
FIELDS = 9
# field, counted from 0 -> heading, variable, factor
COLUMNS = {
    3: ("irradiation", "irradiation", 1e3),  # from kJ m-2
    4: ("minimum temperature", "minimum_temperature", 1.0),
    5: ("maximum temperature", "maximum_temperature", 1.0),
    6: ("vapour pressure", "vapour_pressure", 1e3),  # from kPa
    7: ("wind speed", "wind_speed_2m", 1.0),
    8: ("precipitation", "rain", 1.0),
}


def is_cabo(source: Source) -> bool:
    """Return whether a file is of the CABO format."""
    plain = (line for line in source.lines if not line.startswith("*"))
    place = next(plain, "").split()
    return source.text.startswith("*") and len(place) == 5 and "," not in "".join(place)


def read_cabo(source: Source, request: Request) -> Series:
    """Read one file of a station."""
    lines = [(number, line) for number, line in enumerate(source.lines, 1) if line.strip() and not line.startswith("*")]
    if not lines or len(lines[0][1].split()) != 5:
        raise source.error("the line with longitude, latitude, elevation, A and B is missing", "expected five numbers")
    site = _site(source, request, lines[0][0], lines[0][1].split())
    status, measured = _parted(lines[1:])
    check_last_width(source, measured)
    rows, texts = columns_of(source, measured, FIELDS, None)
    columns = {}
    for field, (heading, name, factor) in COLUMNS.items():
        values = numbers(source, heading, texts[field], rows)
        columns[name] = Column(heading, np.where(values == MISSING, np.nan, values * factor), texts[field])
    notes = ["vapour pressure of the early morning, wind at 2 m"]
    if status:
        columns["filled"] = Column("status", _estimated(source, status, rows), [""] * rows.size)
        notes.append("filled: days whose status line says that not all values were measured")
    return Series(
        source=source,
        times=days_of_years(source, texts[1], texts[2], rows),
        rows=rows,
        interval=SECONDS_PER_DAY,
        columns=columns,
        site=site,
        provenance=Provenance(f"CABO weather file: {site.name}", LICENCE, tuple(notes)),
        derive=(derive.means_of_days,),
    )


def read_cabo_files(folder: Path, station: str, request: Request) -> Series:
    """Return all years of a station: the files `station.NNN` of a folder."""
    try:
        paths = sorted(path for path in folder.iterdir() if re.fullmatch(rf"{re.escape(station)}\.\d{{3}}", path.name))
    except OSError as reason:
        raise DataFileError(folder, f"the folder cannot be read: {reason.strerror}", "check the path") from None
    if not paths:
        raise DataFileError(folder, f"the folder has no files {station}.NNN", "check the folder and the station")
    parts = sorted((read_cabo(open_source(path), request) for path in paths), key=lambda part: part.times[0])

    def place(part: Series) -> tuple[float, float, float]:
        return part.site.latitude, part.site.longitude, part.site.elevation

    for part in parts:
        if place(part) != place(parts[0]):
            raise part.source.error(
                f"the place differs from that of {parts[0].source.path.name}", "name the place by --place (site=)"
            )
    columns = {}
    for name in dict.fromkeys(name for part in parts for name in part.columns):
        held = [part.columns.get(name) or _blank(name, part.times.size) for part in parts]
        texts = [text for column in held for text in column.texts]
        columns[name] = Column(held[0].heading, np.concatenate([column.values for column in held]), texts)
    rows = [f"{row} of {part.source.path.name}" for part in parts for row in part.rows.numbers]
    notes = tuple(dict.fromkeys(note for part in parts for note in part.provenance.notes))
    return dataclasses.replace(
        parts[0],
        source=Source(folder / f"{station}.*", station, b""),
        times=np.concatenate([part.times for part in parts]),
        rows=Rows(np.array(rows, dtype=object)),
        columns=columns,
        provenance=dataclasses.replace(parts[0].provenance, notes=notes),
    )


def _blank(heading: str, size: int) -> Column:
    return Column(heading, np.full(size, np.nan), [""] * size)


def _site(source: Source, request: Request, number: int, fields: Sequence[str]) -> Site:
    names = ("longitude", "latitude", "elevation", "A", "B")
    longitude, latitude, elevation, a, b = header_numbers(source, number, names, fields)
    if a > 0.0 or b > 0.0:
        raise source.error(
            f"line {number}: A = {a:g} and B = {b:g} are positive, so the fourth column is hours of sunshine",
            "only files with radiation [kJ m-2], which have negative A and B, can be read",
        )
    named = re.search(r"^\*\s*Station(?: name)?\s*:\s*(\S.*)$", source.text, re.MULTILINE)
    name = named.group(1).strip() if named else source.name.split(".")[0]
    angstrom = (-a, -b) if a and b else None
    if request.site is not None:
        return dataclasses.replace(request.site, angstrom=request.site.angstrom or angstrom)
    return named_place(source, f"line {number}", name, latitude, longitude, elevation, angstrom)


def _parted(lines: Lines) -> tuple[Lines, Lines]:
    """Return the status lines and the rows of data.

    Files are in use in which some status lines bear the number of the station, 1989 of Wageningen for one: such a line
    has nothing but codes, and the row of data for the same day comes next.
    """
    status: list[tuple[int, str]] = []
    measured: list[tuple[int, str]] = []
    for index, (number, line) in enumerate(lines):
        fields = line.split()
        after = lines[index + 1][1].split() if index + 1 < len(lines) else []
        disguised = fields[:3] == after[:3] and all(re.fullmatch(r"[1-9]\.0*", code) for code in fields[3:])
        (status if fields[0] == STATUS or disguised else measured).append((number, line))
    return status, measured


def _estimated(source: Source, status: Lines, rows: Rows) -> Floats:
    """Return 1 for rows under a status line with a code other than 1, and 0 for others."""
    lines, fields = columns_of(source, status, FIELDS, None)
    codes = np.array([any(code.rstrip(".0") != "1" for code in row) for row in zip(*fields[3:], strict=True)], float)
    under = np.searchsorted(lines.numbers, rows.numbers) - 1
    return np.where(under >= 0, codes[np.maximum(under, 0)], 0.0)
