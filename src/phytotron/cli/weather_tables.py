"""Reading a weather table as the command line asks for it, and showing one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import line, output, print_json
from phytotron.core.errors import ValueRangeError

if TYPE_CHECKING:
    from phytotron.weather.site import Site
    from phytotron.weather.table import WeatherTable


def read(
    file: Path,
    format: str | None,
    fill_gaps: float,
    first: str | None,
    last: str | None,
    station: str | None,
    place: str | None,
) -> WeatherTable:
    """A table from a file."""
    from phytotron.weather.sources import read_weather

    return read_weather(
        file,
        format=format,
        fill_gaps=fill_gaps,
        first=day("--first", first),
        end=day("--last", last, days=1),
        station=station,
        site=site(file.name, place),
    )


def between(table: WeatherTable, first: str | None, last: str | None) -> WeatherTable:
    """The days from the first to the last, where they are given."""
    return table.window(day("--first", first) or table.start, day("--last", last, days=1) or table.end)


def day(option: str, text: str | None, days: int = 0) -> date | None:
    """A date as typed, or the one some days after it."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text) + timedelta(days)
    except ValueError:
        raise ValueRangeError(option, text, "a date such as 2011-03-01") from None


def site(name: str, place: str | None) -> Site | None:
    """A site from LATITUDE,LONGITUDE,ELEVATION."""
    from phytotron.weather.site import Site

    if place is None:
        return None
    try:
        latitude, longitude, elevation = map(float, place.split(","))
    except ValueError:
        raise ValueRangeError("--place", place, "LATITUDE,LONGITUDE,ELEVATION such as 52.3,4.8,-3") from None
    return Site(name, latitude, longitude, elevation)


def as_json(table: WeatherTable) -> dict[str, Any]:
    """What is in a table."""
    place, origin = table.site, table.provenance
    site = {"name": place.name, "latitude": place.latitude, "longitude": place.longitude, "elevation": place.elevation}
    span = {"start": table.start.isoformat(), "end": table.end.isoformat(), "interval": table.interval}
    source = {"source": origin.source, "licence": origin.licence, "notes": list(origin.notes)}
    headings = ("unit", "minimum", "mean", "maximum")
    columns = {name: dict(zip(headings, shown, strict=True)) for name, shown in _columns(table)}
    return {"site": site, **span, "rows": table.size, **source, "columns": columns}


def report(table: WeatherTable, json: bool, written: Path | None = None, **said: Any) -> None:
    """Say what is in a table and where it was written, in words or as one JSON object with more values."""
    if json:
        print_json(({} if written is None else {"path": str(written)}) | said | as_json(table))
        return
    place = table.site
    line(f"{place.name} ({place.latitude:g} N, {place.longitude:g} E, {place.elevation:g} m)")
    span = f"{table.start:%Y-%m-%d %H:%M} to {table.end:%Y-%m-%d %H:%M} UTC"
    line(f"{span}, {table.size} rows of {table.interval} s")
    line(f"source: {table.provenance.source}; licence: {table.provenance.licence}")
    for note in table.provenance.notes:
        line(f"note: {note}")
    shown = Table("column", "unit", box=SIMPLE_HEAD)
    for heading in ("minimum", "mean", "maximum"):
        shown.add_column(heading, justify="right")
    for name, (unit, *numbers) in _columns(table):
        shown.add_row(name, escape(unit), *(f"{number:.5g}" for number in numbers))
    output.print(shown)
    if written is not None:
        line(f"wrote {written}")


def years_shown(years: Sequence[int]) -> str:
    """Years as a person writes them: 2001-2010, 2015; every second year from 1991 to 2021."""
    if len(years) > 2 and all(after - before == 2 for before, after in itertools.pairwise(sorted(years))):
        return f"every second year from {min(years)} to {max(years)}"
    runs: list[list[int]] = []
    for year in sorted(years):
        if runs and year == runs[-1][-1] + 1:
            runs[-1].append(year)
        else:
            runs.append([year])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _columns(table: WeatherTable) -> list[tuple[str, tuple[Any, ...]]]:
    from phytotron.weather.variables import variable

    rows = []
    for name in table.names:
        values = np.asarray(table[name], float)
        rows.append((name, (variable(name).unit, float(values.min()), float(values.mean()), float(values.max()))))
    return rows
