"""`phytotron weather`: lists, checks, plots, imports, fetches and generates weather."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phytotron.cli import weather_reading as asked
from phytotron.cli.console import errors, line, print_json
from phytotron.cli.options import Json
from phytotron.cli.weather_fetch import FillGaps, fetch_app
from phytotron.cli.weather_import import Folder, import_weather
from phytotron.cli.weather_report import report, report_variables
from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.errors import PhytotronError
from phytotron.core.seeds import LARGEST_SEED

if TYPE_CHECKING:
    from phytotron.weather.archive import Missing
    from phytotron.weather.splits import Split

weather_app = typer.Typer(
    name="weather", help="Weather: list, check, import, fetch, generate, plot.", no_args_is_help=True
)
weather_app.add_typer(fetch_app)
weather_app.command("import")(import_weather)


def years_shown(years: Sequence[int]) -> str:
    """Return years in short form: "2001-2010, 2015" or "every second year from 1991 to 2021"."""
    if len(years) > 2 and all(after - before == 2 for before, after in itertools.pairwise(sorted(years))):
        return f"every second year from {min(years)} to {max(years)}"
    runs: list[list[int]] = []
    for year in sorted(years):
        if runs and year == runs[-1][-1] + 1:
            runs[-1].append(year)
        else:
            runs.append([year])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


@weather_app.command("list")
def list_weather(folder: Folder = None, json: Json = False) -> None:
    """Show embedded series, files of the data folder, generator presets, and splits with their missing files."""
    from phytotron.weather.archive import series_in
    from phytotron.weather.embedded import EMBEDDED, embedded_weather
    from phytotron.weather.fetching.cache import weather_folder
    from phytotron.weather.generator import PRESETS

    root = folder or weather_folder()
    held = series_in(root)
    found, broken = _splits(root)
    if json:
        splits = {}
        for name, (split, lacking) in found.items():
            missing = [{**vars(each), "command": each.command} for each in lacking]
            splits[name] = {"description": split.description, "missing": missing}
        embedded = {name: repr(embedded_weather(name)) for name in EMBEDDED}
        series = {name: list(years) for name, years in held.items()}
        made = {"folder": str(root), "embedded": embedded, "series": series}
        print_json(made | {"generator": list(PRESETS), "splits": splits, "broken_splits": broken})
        return
    line("embedded")
    for name in EMBEDDED:
        table = embedded_weather(name)
        step = "hourly" if table.interval == SECONDS_PER_HOUR else "daily"
        line(f"  {name:<16}{table.site.name}, {step}, {table.start.year} to {table.end.year - 1}")
    line(f"in {root}")
    for name, years in held.items():
        line(f"  {name:<34}{years_shown(years)}")
    if not held:
        line("  nothing; `phytotron weather fetch` and `phytotron weather import` bring files here")
    line("generator")
    line(f"  {', '.join(PRESETS)}")
    line("splits")
    for name, (split, lacking) in found.items():
        state = "lacks weather" if lacking else "ready"
        line(f"  {name:<16}{state:<15}{split.description}")
        for each in lacking:
            line(f"  {'':<31}{each.series} {years_shown(each.years)}: {each.command}")
    for name, problem in broken.items():
        line(f"  {name:<16}{'broken':<15}{problem}")


def _splits(folder: Path) -> tuple[dict[str, tuple[Split, list[Missing]]], dict[str, str]]:
    """Return all splits with what they lack, and the errors of those that installed packages define wrongly."""
    from phytotron.weather.archive import missing_of
    from phytotron.weather.splits import PARTS, SPLITS

    found, broken = {}, {}
    for name in SPLITS:
        try:
            split = SPLITS[name]
            found[name] = split, missing_of(split, PARTS, folder)
        except PhytotronError as error:
            broken[name] = " ".join(str(error).split())
    return found, broken


@weather_app.command()
def variables(json: Json = False) -> None:
    """Show the variables of weather: what --column takes, their units, and those that are converted."""
    report_variables(json)


@weather_app.command()
def check(
    file: asked.File,
    format: asked.Format = None,
    fill_gaps: FillGaps = 0.0,
    first: asked.First = None,
    last: asked.Last = None,
    station: asked.Station = None,
    place: asked.Place = None,
    column: asked.Column = None,
    unit: asked.Unit = None,
    mapping: asked.Mapping = None,
    time_format: asked.TimeFormat = None,
    utc_offset: asked.UtcOffset = None,
    year: asked.Year = None,
    json: Json = False,
) -> None:
    """Read a file and print a summary of it; exit code 2 with the reason if it cannot be read."""
    own = asked.description(column, unit, mapping, time_format, utc_offset)
    table = asked.read(file, first, last, place, own, format=format, fill_gaps=fill_gaps, station=station, year=year)
    report(table, json)


@weather_app.command()
def generate(
    preset: Annotated[str, typer.Argument(help="Climate: schiphol, wageningen or france48n.")],
    years: Annotated[int, typer.Option(help="Number of years.", min=1, max=10000)] = 1,
    first_year: Annotated[int, typer.Option(help="Calendar year of the first one.", min=1, max=9000)] = 2001,
    seed: Annotated[
        int, typer.Option(help="Seed of the generator, which decides the weather.", min=0, max=LARGEST_SEED)
    ] = 0,
    hourly: Annotated[
        bool, typer.Option("--hourly", help="Generate hours, for a greenhouse, instead of days.")
    ] = False,
    temperature_offset: Annotated[float, typer.Option(help="Warming in °C; relative humidity is kept.")] = 0.0,
    rain_factor: Annotated[float, typer.Option(help="Factor by which all rain is multiplied.")] = 1.0,
    co2: Annotated[float, typer.Option(help="CO2 in the air, in ppm.")] = 400.0,
    version: Annotated[
        int,
        typer.Option(help="Version of the generator: 1 varies as observed hours and years do, 0 has smooth hours."),
    ] = 1,
    target: Annotated[Path | None, typer.Option("--output", help="File to write (.csv, .csv.gz, .parquet).")] = None,
    figure: Annotated[
        Path | None, typer.Option(help="File for a figure (.png, .svg, .pdf) of generated against observed days.")
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
    generator = WeatherGenerator(preset, shift, version=version)
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
    source: Annotated[str, typer.Argument(help="A weather file, or the name of a series.")],
    target: Annotated[Path, typer.Option("--output", help="File for the figure (.png, .svg, .pdf).")] = Path(
        "weather.png"
    ),
    first: asked.First = None,
    last: asked.Last = None,
    column: asked.Column = None,
    unit: asked.Unit = None,
    mapping: asked.Mapping = None,
    place: asked.Place = None,
    time_format: asked.TimeFormat = None,
    utc_offset: asked.UtcOffset = None,
    year: asked.Year = None,
    station: asked.Station = None,
    fill_gaps: FillGaps = 0.0,
    format: asked.Format = None,
) -> None:
    """Draw a file, or a series by name."""
    from phytotron.report.plotting import save
    from phytotron.report.weather_figure import weather_figure
    from phytotron.weather.archive import find_series, named_weather
    from phytotron.weather.embedded import EMBEDDED

    if source in EMBEDDED or find_series(source, "hourly") is not None:
        table = asked.between(named_weather(source, "hourly")[0][1][0], first, last)
    else:
        own = asked.description(column, unit, mapping, time_format, utc_offset)
        table = asked.read(
            Path(source), first, last, place, own, format=format, fill_gaps=fill_gaps, station=station, year=year
        )
    save(weather_figure(table), target)
    line(f"Open {target.resolve()}")
