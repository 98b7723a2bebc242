"""`phytotron log`: shows and checks logs of real greenhouses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import line, output, print_json
from phytotron.cli.options import Json
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import PhytotronError

if TYPE_CHECKING:
    from phytotron.logs import Finding, GreenhouseLog

log_app = typer.Typer(name="log", help="Logs of real greenhouses: check, weather.", no_args_is_help=True)


@log_app.callback()
def logs() -> None:
    """Logs of real greenhouses."""


@log_app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(help="Folders of compartments, or CSV files (with --columns).")],
    name: Annotated[str | None, typer.Option(help="Compartment of a folder; by default all of them.")] = None,
    columns: Annotated[
        Path | None, typer.Option(help="TOML file that assigns the columns of a CSV to quantities.")
    ] = None,
    json: Json = False,
) -> None:
    """Check logs: their content and gaps, their clock, and sensors that are stuck or disagree."""
    from phytotron.logs import check_log, shared_columns

    found = [log for path in paths for log in read_logs(path, name, columns)]
    common = shared_columns(found)
    if json:
        logs = [_as_json(log, check_log(log)) for log in found]
        print_json({"logs": logs, "findings": [vars(each) for each in common]})
        return
    for log in found:
        _show(log, check_log(log))
    for finding in common:
        line(f"warning: {finding.kind}: {finding.message}")


@log_app.command()
def weather(
    path: Annotated[Path, typer.Argument(help="Folder of compartments, or a CSV file (with --columns).")],
    out: Annotated[Path, typer.Option("--output", "--out", help="Weather file to write: .csv, .csv.gz or .parquet.")],
    name: Annotated[str | None, typer.Option(help="Compartment of the folder; by default the first.")] = None,
    columns: Annotated[
        Path | None, typer.Option(help="TOML file that assigns the columns of a CSV to quantities.")
    ] = None,
) -> None:
    """Write the weather of a log as a weather file, which environments take: `--option weather=FILE`."""
    from phytotron.logs.outdoors import outdoor_weather
    from phytotron.weather.sources import write_weather

    table = outdoor_weather(read_logs(path, name, columns)[0])
    write_weather(table, out)
    days = round((table.end - table.start).total_seconds() / SECONDS_PER_DAY)
    line(f"wrote {out}: {days} days from {table.start:%Y-%m-%d} (UTC), licence: {table.provenance.licence}")


def read_logs(path: Path, name: str | None, columns: Path | None) -> list[GreenhouseLog]:
    """Return the logs of a path: compartments of a folder, or one CSV file; "embedded" is the folder in the package."""
    from phytotron.logs import EMBEDDED, compartment_names, read_compartment, read_csv_log

    path = EMBEDDED if str(path) == "embedded" else path
    if path.is_dir():
        names = compartment_names(path) if name is None else (name,)
        return [read_compartment(path, each) for each in names]
    if columns is None:
        raise PhytotronError(f"{path} is no folder of compartments; for a CSV file give --columns MAPPING.toml")
    return [read_csv_log(path, columns)]


def _statistics(log: GreenhouseLog) -> dict[str, tuple[str, int, float | None, float | None, float | None]]:
    import numpy as np

    from phytotron.logs.variables import log_variable

    found = {}
    for name, column in log.columns.items():
        known = column[np.isfinite(column)]
        numbers = (float(known.min()), float(known.mean()), float(known.max())) if known.size else (None,) * 3
        found[name] = (log_variable(name).unit, int(column.size - known.size), *numbers)
    return found


def _as_json(log: GreenhouseLog, findings: tuple[Finding, ...]) -> dict[str, Any]:
    from phytotron.logs.checks import clock_offset

    headings = ("unit", "missing", "minimum", "mean", "maximum")
    columns = {name: dict(zip(headings, each, strict=True)) for name, each in _statistics(log).items()}
    return {
        "name": log.name,
        "start": f"{log.times[0]}Z",
        "end": f"{log.times[-1]}Z",
        "rows": log.size,
        "interval": log.interval,
        "utc_offset": log.utc_offset,
        "utc_offset_by_sun": clock_offset(log) if "global_radiation" in log else None,
        "source": log.provenance.source,
        "licence": log.provenance.licence,
        "notes": list(log.provenance.notes),
        "columns": columns,
        "findings": [vars(each) for each in findings],
    }


def _show(log: GreenhouseLog, findings: tuple[Finding, ...]) -> None:
    from phytotron.logs.checks import clock_offset

    line(f"{log.name} ({log.site.name}, {log.site.latitude:g} N, {log.site.longitude:g} E)")
    line(f"{log.times[0]} to {log.times[-1]} UTC, {log.size} rows, usually {log.interval} s apart")
    sun = clock_offset(log) if "global_radiation" in log else None
    by_sun = "the sun says nothing" if sun is None else f"by the sun UTC{sun:+g} h"
    line(f"clock: read as UTC{log.utc_offset:+g} h, {by_sun}")
    line(f"source: {log.provenance.source}; licence: {log.provenance.licence}")
    for note in log.provenance.notes:
        line(f"note: {note}")
    table = Table("quantity", "unit", box=SIMPLE_HEAD)
    for heading in ("missing", "minimum", "mean", "maximum"):
        table.add_column(heading, justify="right")
    for name, (unit, missing, *numbers) in _statistics(log).items():
        table.add_row(name, escape(unit), str(missing), *("" if each is None else f"{each:.4g}" for each in numbers))
    output.print(table)
    for finding in findings:
        line(f"warning: {finding.kind}: {finding.message}")
