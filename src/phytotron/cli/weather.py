"""`phytotron weather`: what weather there is, what is in a file, and more of it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import errors, line, output, print_json
from phytotron.cli.options import Json
from phytotron.cli.weather_fetch import FillGaps, fetch_app
from phytotron.core.errors import ValueRangeError

if TYPE_CHECKING:
    from phytotron.weather.site import Site
    from phytotron.weather.table import WeatherTable

weather_app = typer.Typer(
    name="weather", help="Weather: list, check, import, fetch, generate, plot.", no_args_is_help=True
)
weather_app.add_typer(fetch_app)

File = Annotated[Path, typer.Argument(help="A weather file; its format is recognised.")]
Format = Annotated[str | None, typer.Option(help="Format of the file, where it is not recognised.")]
First = Annotated[str | None, typer.Option(help="First day wanted, as 2011-03-01.")]
Last = Annotated[str | None, typer.Option(help="Last day wanted, as 2011-09-30.")]
Station = Annotated[str | None, typer.Option(help="Station, where a file has several.")]
Place = Annotated[
    str | None, typer.Option(help="LATITUDE,LONGITUDE,ELEVATION of the place, where the file does not say it.")
]
Folder = Annotated[Path | None, typer.Option(help="Data folder [default: $PHYTOTRON_WEATHER].")]


def read(file: Path, first: str | None, last: str | None, place: str | None, **options: Any) -> WeatherTable:
    """A table from a file; `options` are more arguments of `read_weather`."""
    from phytotron.weather.sources import read_weather

    start, end = day("--first", first), day("--last", last, days=1)
    return read_weather(file, first=start, end=end, site=site(file.name, place), **options)


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


@weather_app.command("list")
def list_weather(folder: Folder = None, json: Json = False) -> None:
    """Show embedded series, files of the data folder, generator presets, and splits with what they lack."""
    from phytotron.weather.archive import missing_of, series_in
    from phytotron.weather.embedded import EMBEDDED, embedded_weather
    from phytotron.weather.fetching.cache import weather_folder
    from phytotron.weather.generator import PRESETS
    from phytotron.weather.splits import PARTS, SPLITS

    root = folder or weather_folder()
    held = series_in(root)
    lacking = {name: missing_of(split, PARTS, root) for name, split in SPLITS.items()}
    if json:
        splits = {}
        for name, split in SPLITS.items():
            missing = [{**vars(each), "command": each.command} for each in lacking[name]]
            splits[name] = {"description": split.description, "missing": missing}
        embedded = {name: repr(embedded_weather(name)) for name in EMBEDDED}
        series = {name: list(years) for name, years in held.items()}
        made = {"folder": str(root), "embedded": embedded, "series": series}
        print_json(made | {"generator": list(PRESETS), "splits": splits})
        return
    line("embedded")
    for name in EMBEDDED:
        table = embedded_weather(name)
        step = "hourly" if table.interval == 3600 else "daily"
        line(f"  {name:<16}{table.site.name}, {step}, {table.start.year} to {table.end.year - 1}")
    line(f"in {root}")
    for name, years in held.items():
        line(f"  {name:<34}{years_shown(years)}")
    if not held:
        line("  nothing; `phytotron weather fetch` and `phytotron weather import` bring files here")
    line("generator")
    line(f"  {', '.join(PRESETS)}")
    line("splits")
    for name, split in SPLITS.items():
        state = "lacks weather" if lacking[name] else "ready"
        line(f"  {name:<16}{state:<15}{split.description}")
        for each in lacking[name]:
            line(f"  {'':<31}{each.series} {years_shown(each.years)}: {each.command}")


@weather_app.command()
def check(
    file: File,
    format: Format = None,
    fill_gaps: FillGaps = 0.0,
    first: First = None,
    last: Last = None,
    station: Station = None,
    place: Place = None,
    json: Json = False,
) -> None:
    """Read a file and say what is in it; exit code 2 with the reason if it cannot be used."""
    table = read(file, first, last, place, format=format, fill_gaps=fill_gaps, station=station)
    report(table, json)


@weather_app.command("import")
def import_weather(
    file: File,
    format: Format = None,
    fill_gaps: FillGaps = 0.0,
    first: First = None,
    last: Last = None,
    station: Station = None,
    place: Place = None,
    target: Annotated[
        Path | None,
        typer.Option("--output", help="File to write (.csv, .csv.gz, .parquet) [default: in the data folder]."),
    ] = None,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Read a file of any format, check it, and keep it in Phytotron's own."""
    from phytotron.weather.archive import file_name
    from phytotron.weather.fetching.cache import weather_folder
    from phytotron.weather.sources import write_weather

    table = read(file, first, last, place, format=format, fill_gaps=fill_gaps, station=station)
    path = target or (folder or weather_folder()) / file_name(table)
    write_weather(table, path)
    report(table, json, path)


@weather_app.command()
def generate(
    preset: Annotated[str, typer.Argument(help="Climate: schiphol, wageningen or france48n.")],
    years: Annotated[int, typer.Option(help="Number of years.", min=1, max=10000)] = 1,
    first_year: Annotated[int, typer.Option(help="Calendar year of the first one.", min=1, max=9000)] = 2001,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weather.", min=0)] = 0,
    hourly: Annotated[bool, typer.Option("--hourly", help="Hours, for a greenhouse, instead of days.")] = False,
    temperature_offset: Annotated[float, typer.Option(help="Warming in °C; relative humidity is kept.")] = 0.0,
    rain_factor: Annotated[float, typer.Option(help="Factor on all rain.")] = 1.0,
    co2: Annotated[float, typer.Option(help="CO2 in the air, in ppm.")] = 400.0,
    target: Annotated[Path | None, typer.Option("--output", help="File to write (.csv, .csv.gz, .parquet).")] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Picture (.png, .svg, .pdf) of days generated against days observed.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw years of weather from the climate of a place."""
    from phytotron.report.climate_figure import climate_figure
    from phytotron.report.plotting import save
    from phytotron.weather.climate.statistics import generated_and_observed
    from phytotron.weather.generator import ClimateShift, WeatherGenerator
    from phytotron.weather.sources import write_weather

    shift = ClimateShift(temperature_offset=temperature_offset, rain_factor=rain_factor, co2=co2)
    generator = WeatherGenerator(preset, shift)
    step = "hourly" if hourly else "daily"
    path = target or Path(f"generated_{preset}_{step}_seed{seed}.csv.gz")
    with errors.status(f"generating {years} years"):
        make = generator.hourly_table if hourly else generator.daily_table
        table = make(seed, first_year, years)
        write_weather(table, path)
        if figure is not None:
            save(climate_figure(*generated_and_observed(generator, seed, years), f"{preset}, {years} years"), figure)
    report(table, json, path, seed=seed)


@weather_app.command()
def plot(
    source: Annotated[str, typer.Argument(help="A weather file, or the name of an embedded series.")],
    target: Annotated[Path, typer.Option("--output", help="Picture (.png, .svg, .pdf).")] = Path("weather.png"),
    format: Format = None,
    fill_gaps: FillGaps = 0.0,
    first: First = None,
    last: Last = None,
    station: Station = None,
    place: Place = None,
) -> None:
    """Draw a file or an embedded series."""
    from phytotron.report.plotting import save
    from phytotron.report.weather_figure import weather_figure
    from phytotron.weather.embedded import EMBEDDED, embedded_weather

    if source in EMBEDDED:
        table = between(embedded_weather(source), first, last)
    else:
        table = read(Path(source), first, last, place, format=format, fill_gaps=fill_gaps, station=station)
    save(weather_figure(table), target)
    line(f"Open {target.resolve()}")
