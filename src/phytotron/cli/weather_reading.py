"""Options of the commands that read a weather file, and the reading itself."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli.options import named_values
from phytotron.core.errors import ValueRangeError

if TYPE_CHECKING:
    from phytotron.weather.site import Site
    from phytotron.weather.table import WeatherTable

File = Annotated[Path, typer.Argument(help="A weather file; its format is recognised.")]
Format = Annotated[str | None, typer.Option(help="Format of the file, where it is not recognised.")]
First = Annotated[str | None, typer.Option(help="First day to read, such as 2011-03-01.")]
Last = Annotated[str | None, typer.Option(help="Last day to read, such as 2011-09-30.")]
Station = Annotated[str | None, typer.Option(help="Number or name of the station, where a file has several.")]
Place = Annotated[
    str | None,
    typer.Option(help="LATITUDE,LONGITUDE,ELEVATION of the place in degrees and m, where the file has none."),
]
Column = Annotated[
    list[str] | None,
    typer.Option(
        help="Column of a variable as VARIABLE=COLUMN, such as air_temperature=TEMP_C or time=Date+Time; repeatable."
    ),
]
Unit = Annotated[
    list[str] | None, typer.Option(help="Unit of a column, as air_temperature=F, where its heading names none.")
]
Mapping = Annotated[
    Path | None,
    typer.Option(help="TOML file with tables columns, units and place, and with time_format and utc_offset."),
]
TimeFormat = Annotated[
    str | None, typer.Option(help="Format of times that are not ISO 8601, as '%d.%m.%Y %H:%M' for 01.03.2010 13:00.")
]
Year = Annotated[
    int | None, typer.Option(help="Year of files that do not say it (GreenLight-Gym) or mix several (EPW).")
]
UtcOffset = Annotated[
    float | None, typer.Option(help="Hours by which time_local_start or time_local_end is ahead of UTC.")
]


def description(
    column: list[str] | None,
    unit: list[str] | None,
    mapping: Path | None,
    time_format: str | None,
    utc_offset: float | None,
) -> dict[str, Any]:
    """Return the arguments of `read_weather` that describe a table of another program.

    Options take precedence over a mapping file, headings and units each on their own.
    """
    from phytotron.weather.sources.mapping_file import read_mapping, with_units

    arguments = {} if mapping is None else read_mapping(mapping)
    held = arguments.get("columns", {})
    headings = {name: heading for name, (heading, _) in held.items()} | named_values(column or (), "--column")
    units = {name: each for name, (_, each) in held.items() if each is not None} | named_values(unit or (), "--unit")
    arguments["columns"] = with_units(headings, units)
    given = {"time_format": time_format, "utc_offset": utc_offset}
    return arguments | {name: value for name, value in given.items() if value is not None}


def read(
    file: Path, first: str | None, last: str | None, place: str | None, own: dict[str, Any], **options: Any
) -> WeatherTable:
    """Return a table from a file; `own` and `options` are more arguments of `read_weather`."""
    from phytotron.weather.sources import read_weather

    here = {} if place is None else {"site": site(file, place)}
    start, end = day("--first", first), day("--last", last, days=1)
    return read_weather(file, first=start, end=end, **own | here, **options)


def between(table: WeatherTable, first: str | None, last: str | None) -> WeatherTable:
    """Return the table from the first to the last day, where these are given."""
    return table.window(day("--first", first) or table.start, day("--last", last, days=1) or table.end)


def day(option: str, text: str | None, days: int = 0) -> date | None:
    """Return a date from text, or the date some days after it."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text) + timedelta(days)
    except ValueError:
        raise ValueRangeError(option, text, "a date such as 2011-03-01") from None


def site(file: Path, place: str) -> Site:
    """Return a site with the name of a file, at LATITUDE,LONGITUDE,ELEVATION."""
    from phytotron.weather.site import Site

    try:
        latitude, longitude, elevation = map(float, place.split(","))
    except ValueError:
        raise ValueRangeError("--place", place, "LATITUDE,LONGITUDE,ELEVATION such as 52.3,4.8,-3") from None
    return Site(file.name.partition(".")[0], latitude, longitude, elevation)
