"""`phytotron weather import`: imports a weather file of any format into the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from phytotron.cli import weather_reading as asked
from phytotron.cli.console import line
from phytotron.cli.options import Json
from phytotron.cli.weather_fetch import FillGaps
from phytotron.cli.weather_report import report
from phytotron.core.errors import PhytotronError

if TYPE_CHECKING:
    from phytotron.weather.table import WeatherTable

Folder = Annotated[
    Path | None, typer.Option(help="Data folder; by default $PHYTOTRON_WEATHER, or weather in the cache folder.")
]


def import_weather(
    file: asked.File,
    column: asked.Column = None,
    unit: asked.Unit = None,
    mapping: asked.Mapping = None,
    place: asked.Place = None,
    sky: Annotated[
        str | None,
        typer.Option(help="Estimate the sky temperature: cloud, humidity or pyrgeometer; none: do without it."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name by which environments find it; by default that of the file or station.")
    ] = None,
    time_format: asked.TimeFormat = None,
    utc_offset: asked.UtcOffset = None,
    year: asked.Year = None,
    fill_gaps: FillGaps = 0.0,
    first: asked.First = None,
    last: asked.Last = None,
    station: asked.Station = None,
    format: asked.Format = None,
    target: Annotated[
        Path | None,
        typer.Option("--output", help="File to write (.csv, .csv.gz, .parquet); by default in the data folder."),
    ] = None,
    folder: Folder = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace what is there under this name.")] = False,
    json: Json = False,
) -> None:
    """Read a file of any format, check it, and keep it in Phytotron's own format, under a name."""
    from phytotron.weather.archive import file_name, series_of
    from phytotron.weather.fetching.cache import weather_folder
    from phytotron.weather.needs import check_needs
    from phytotron.weather.sky import with_sky
    from phytotron.weather.sources import write_weather

    own = asked.description(column, unit, mapping, time_format, utc_offset)
    table = asked.read(file, first, last, place, own, format=format, fill_gaps=fill_gaps, station=station, year=year)
    if sky is not None and sky != "none":
        table = with_sky(table, sky)
    check_needs(table, sky=sky != "none")
    path = target or (folder or weather_folder()) / file_name(table, name)
    if target is None and path.exists() and not replace and not _same(path, table):
        raise PhytotronError(f"{path} holds other weather; give this one another name (--name), or --replace it")
    write_weather(table, path)
    series = series_of(path) if target is None else str(path)
    report(table, json, path, name=series)
    if not json:
        line(f"Use it by its name: --weather {series}" + ("" if folder is None else f" --weather-folder {folder}"))


def _same(path: Path, table: WeatherTable) -> bool:
    """Return whether a file already holds a table."""
    from phytotron.weather.sources import read_weather

    try:
        held = read_weather(path)
    except PhytotronError:
        return False
    alike = held.names == table.names and held.start == table.start and held.size == table.size
    return alike and all(np.array_equal(held[name], table[name]) for name in held.names)
