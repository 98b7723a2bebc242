"""`phytotron replay`: drives the model with the log of a real greenhouse, and compares it with the measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import errors, line, output, print_json, say
from phytotron.cli.options import Json
from phytotron.core.errors import PhytotronError

UNITS = {"air_temperature": "°C", "relative_humidity": "%", "co2": "ppm"}

PAGE_MEMBERS = 32  # of the ensemble, for a page without --members

Log = Annotated[Path, typer.Option("--log", help="Folder of compartments, a CSV file with --columns, or `embedded`.")]
Name = Annotated[str | None, typer.Option(help="Name of a compartment of the folder.")]
Columns = Annotated[Path | None, typer.Option(help="TOML file that assigns the columns of a CSV to quantities.")]


def replay(
    log: Log,
    parameters: Annotated[
        str, typer.Option(help="Greenhouse to replay: a parameter set, a TOML file, or the folder of a calibration.")
    ],
    first: Annotated[
        str, typer.Option("--from", help="First day to replay, by the clock of the log, such as 2022-02-21.")
    ],
    until: Annotated[str, typer.Option(help="Last day to replay, included; or a time, such as 2022-02-28T12:00.")],
    name: Name = None,
    columns: Columns = None,
    horizon_hours: Annotated[
        float, typer.Option(help="Hours between fresh starts from the measured climate.", min=1.0, max=720.0)
    ] = 24.0,
    members: Annotated[
        int, typer.Option(help="Number of members of the ensemble to replay, for uncertainty bands.", min=0, max=4096)
    ] = 0,
    page: Annotated[Path | None, typer.Option(help="HTML file to which a page about the replay is written.")] = None,
    json: Json = False,
) -> None:
    """Replay measured actuators and weather, and compare the simulated climate with the measured one."""
    from phytotron.calibration.ensemble import read_ensemble
    from phytotron.calibration.judgement import judge, replayed
    from phytotron.calibration.twin_file import load_twin, read_residuals
    from phytotron.core.compilation import enable_compilation_cache

    enable_compilation_cache()
    found = one_log(log, name, columns)
    twin, base = load_twin(parameters, found)
    span = found.moment(first, "--from"), found.moment(until, "--until", end=True)
    ensemble = read_ensemble(parameters) if members or page else None
    if members and ensemble is None:
        raise PhytotronError(f"{parameters} has no ensemble; give the folder of a calibration, or leave out --members")
    wanted = members or PAGE_MEMBERS
    ensemble = ensemble and {key: values[:wanted] for key, values in ensemble.items()}
    with errors.status("replaying"):
        made = replayed(found, twin, base, span, horizon_hours, ensemble, read_residuals(parameters))
        result = judge(made)
    if page:
        from phytotron.report.twin_page import write_twin_page

        write_twin_page(made, result, parameters, page)
    if json:
        print_json({"log": found.name, "parameters": parameters} | result)
        return
    line(f"{found.name}: {result['windows']} windows of {horizon_hours:g} h, {result['rows']} rows compared")
    show_errors({"replay": result["quantities"], **result["baselines"]})
    for kind, shares in result["coverage"].items():
        coverage = ", ".join(f"{key.replace('_', ' ')} {100.0 * share:.0f} %" for key, share in shares.items())
        line(f"within the 90 % band of {kind}: {coverage}")
    used = result["used"]
    line(
        f"used by the recorded actuators: {used['heat']:.1f} kWh m-2 of heat, {used['lamp_electricity']:.1f} kWh m-2 "
        f"of lamp electricity, {used['co2']:.2f} kg m-2 of CO2"
    )
    if page:
        line(f"wrote {page}")
    for warning in result["warnings"]:
        say(f"warning: {warning}")


def one_log(path: Path, name: str | None, columns: Path | None) -> Any:
    """Return the one log that is asked for; warnings about it go to standard error."""
    from phytotron.cli.log import read_logs
    from phytotron.logs import check_log

    found = read_logs(path, name, columns)
    if len(found) != 1:
        raise PhytotronError(f"{path} holds {', '.join(log.name for log in found)}; choose one with --name")
    for finding in check_log(found[0]):
        say(f"warning: {finding.kind}: {finding.message}")
    return found[0]


def show_errors(competitors: dict[str, Any]) -> None:
    """A table of mean absolute error and bias by quantity."""
    table = Table("", box=SIMPLE_HEAD)
    for name, unit in UNITS.items():
        table.add_column(escape(f"{name.replace('_', ' ')} [{unit}]\nMAE (bias)"), justify="right")
    for label, held in competitors.items():
        cells = []
        for name in UNITS:
            each = {"mae": None} if held is None else held[name]
            cells.append("-" if each["mae"] is None else f"{each['mae']:.2f} ({each['bias']:+.2f})")
        table.add_row(label, *cells)
    output.print(table)
