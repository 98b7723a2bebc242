"""The summary of a weather table, in words or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import line, output, print_json

if TYPE_CHECKING:
    from phytotron.weather.table import WeatherTable


def as_json(table: WeatherTable) -> dict[str, Any]:
    """Return the summary of a table as a dictionary."""
    place, origin = table.site, table.provenance
    site = {"name": place.name, "latitude": place.latitude, "longitude": place.longitude, "elevation": place.elevation}
    span = {"start": table.start.isoformat(), "end": table.end.isoformat(), "interval": table.interval}
    source = {"source": origin.source, "licence": origin.licence, "notes": list(origin.notes)}
    headings = ("unit", "minimum", "mean", "maximum")
    columns = {name: dict(zip(headings, shown, strict=True)) for name, shown in _columns(table)}
    return {"site": site, **span, "rows": table.size, **source, "columns": columns, "lacks": _lacking(table)}


def report(table: WeatherTable, json: bool, written: Path | None = None, **more: Any) -> None:
    """Print what is in a table and where it was written, in words or, with more values, as one JSON object."""
    if json:
        print_json(({} if written is None else {"path": str(written)}) | more | as_json(table))
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
    for user, lacking in _lacking(table).items():
        needs = f"; it lacks {', '.join(each.replace('|', ' or ') for each in lacking)}" if lacking else ""
        line(f"for a {user}: {'no' if lacking else 'yes'}{needs or _seasons(user, table)}")
    if written is not None:
        line(f"wrote {written}")


def _lacking(table: WeatherTable) -> dict[str, list[str]]:
    """Return the variables that a table lacks, by its possible use: greenhouse and field."""
    from phytotron.weather.needs import lacking_for_field, lacking_for_greenhouse

    return {"greenhouse": lacking_for_greenhouse(table), "field": lacking_for_field(table)}


def _columns(table: WeatherTable) -> list[tuple[str, tuple[Any, ...]]]:
    from phytotron.weather.variables import variable

    rows = []
    for name in table.names:
        values = np.asarray(table[name], float)
        rows.append((name, (variable(name).unit, float(values.min()), float(values.mean()), float(values.max()))))
    return rows


def _seasons(user: str, table: WeatherTable) -> str:
    """Return in words the whole seasons of a table, for a field; empty for other uses."""
    from phytotron.weather.field_weather import whole_seasons

    if user != "field":
        return ""
    years = whole_seasons(table)
    whole = f"of {years[0]}" + (f" to {years[-1]}" if len(years) > 1 else "") if years else "none"
    return f", with whole seasons (1 January to 1 September): {whole}"


def report_variables(json: bool) -> None:
    """Print the variables of weather, their units, and the other units from which values are converted."""
    from phytotron.weather.sources.units import RAW, units_of
    from phytotron.weather.variables import VARIABLES

    known = {**VARIABLES, **RAW}
    if json:
        fields = ("unit", "converted", "description")
        rows = {name: (q.unit, units_of(name), q.description) for name, q in known.items()}
        print_json({name: dict(zip(fields, row, strict=True)) for name, row in rows.items()})
        return
    shown = Table("variable", "unit", "is converted from", "meaning", box=SIMPLE_HEAD)
    for name, q in known.items():
        shown.add_row(name, escape(q.unit), escape(", ".join(units_of(name))), escape(q.description))
    output.print(shown)
