"""`phytotron weather fetch`: downloads weather into the data folder."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer
from rich.markup import escape

from phytotron.cli.console import errors, line, print_json
from phytotron.cli.options import Json

if TYPE_CHECKING:
    from phytotron.weather.fetching import FetchedYear
    from phytotron.weather.fetching.series import FetchOptions

fetch_app = typer.Typer(
    name="fetch",
    help="Fetch weather from a service, one file per year. Files that exist are not fetched again.",
    no_args_is_help=True,
)

Years = Annotated[str, typer.Option(help="Years to fetch: one, or a first and a last one, such as 2001-2020.")]
Latitude = Annotated[float, typer.Option(help="Latitude in degrees, positive to the north.")]
Longitude = Annotated[float, typer.Option(help="Longitude in degrees, positive to the east.")]
Daily = Annotated[bool, typer.Option("--daily", help="Fetch daily instead of hourly values.")]
Output = Annotated[
    Path | None, typer.Option("--output", help="Folder to which the files are written; by default the data folder.")
]
FillGaps = Annotated[float, typer.Option(help="Longest gap to fill by interpolation, in hours.", min=0)]
Refresh = Annotated[bool, typer.Option("--refresh", help="Fetch again what is there already.")]


@fetch_app.command()
def knmi(
    station: Annotated[str, typer.Option(help="Number of the station: 240 Schiphol, 260 De Bilt, 344 Rotterdam.")],
    years: Years,
    daily: Daily = False,
    folder: Output = None,
    fill_gaps: FillGaps = 0.0,
    refresh: Refresh = False,
    json: Json = False,
) -> None:
    """Stations in the Netherlands, hourly from 1951, daily from 1901 (open data of KNMI)."""
    from phytotron.weather.fetching import fetch_knmi

    fetch = partial(fetch_knmi, station, resolution="daily" if daily else "hourly")
    _fetch("KNMI", fetch, years, json, folder=folder, fill_gaps=fill_gaps, refresh=refresh)


@fetch_app.command()
def power(
    latitude: Latitude,
    longitude: Longitude,
    years: Years,
    time_standard: Annotated[str, typer.Option(help="When a day begins: LST (local solar time) or UTC.")] = "LST",
    folder: Output = None,
    fill_gaps: FillGaps = 0.0,
    refresh: Refresh = False,
    json: Json = False,
) -> None:
    """Anywhere on earth, daily from 1984 (NASA POWER)."""
    from phytotron.weather.fetching import fetch_nasa_power

    fetch = partial(fetch_nasa_power, latitude, longitude, time_standard=time_standard)
    _fetch("NASA POWER", fetch, years, json, folder=folder, fill_gaps=fill_gaps, refresh=refresh)


@fetch_app.command()
def open_meteo(
    latitude: Latitude,
    longitude: Longitude,
    years: Years,
    daily: Daily = False,
    model: Annotated[str, typer.Option(help="Model: best_match, era5, era5_seamless or ecmwf_ifs.")] = "best_match",
    folder: Output = None,
    fill_gaps: FillGaps = 0.0,
    refresh: Refresh = False,
    json: Json = False,
) -> None:
    """Anywhere on earth, hourly or daily from 1940 (reanalyses of ECMWF by Open-Meteo)."""
    from phytotron.weather.fetching import fetch_open_meteo

    resolution = "daily" if daily else "hourly"
    fetch = partial(fetch_open_meteo, latitude, longitude, resolution=resolution, model=model)
    _fetch("Open-Meteo", fetch, years, json, folder=folder, fill_gaps=fill_gaps, refresh=refresh)


def _fetch(
    service: str, fetch: Callable[..., list[FetchedYear]], years: str, json: bool, **options: Unpack[FetchOptions]
) -> None:
    """Fetch years, and say where their files are; `fetch` is that of the service, with all but the years."""
    from phytotron.weather.fetching.arguments import parsed_years

    wanted = parsed_years(years)
    with _progress() as report:
        files = fetch(wanted, **options, report=report)
    if json:
        print_json({"service": service, "files": [_as_json(file) for file in files]})
        return
    for file in files:
        to = "" if file.complete else f", to {file.end:%Y-%m-%d}"
        line(f"{file.path} ({file.origin}{to})")


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Tell what is being done on stderr; warnings appear there in the same way."""

    def warned(message: Warning | str, *rest: Any) -> None:
        errors.print(f"[yellow]warning:[/yellow] {escape(str(message))}", soft_wrap=True, highlight=False)

    def report(text: str) -> None:
        status.update(escape(text))
        errors.print(escape(text), soft_wrap=True, highlight=False)

    with errors.status("looking at what is there") as status, warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = warned  # type: ignore[assignment]
        yield report


def _as_json(file: FetchedYear) -> dict[str, Any]:
    entry = {"path": str(file.path), "year": file.year, "origin": file.origin}
    return entry | {"first": file.first.isoformat(), "end": file.end.isoformat(), "complete": file.complete}
