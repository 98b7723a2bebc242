"""`phytotron calibrate`: a greenhouse model with the parameters that the log of a real greenhouse tells."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from phytotron.cli.console import line, output, print_json, progress_bars, say
from phytotron.cli.options import Json, Seed
from phytotron.cli.replay import Columns, Log, one_log, show_errors
from phytotron.core.version import __version__

if TYPE_CHECKING:
    from phytotron.calibration.calibrate import Calibration


def calibrate(
    log: Log,
    fit_until: Annotated[str, typer.Option(help="Last day of the fit, included, as 2022-02-20.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for greenhouse.toml.")],
    name: Annotated[
        list[str] | None, typer.Option(help="Compartment of the folder; several are fitted together, as one house.")
    ] = None,
    columns: Columns = None,
    greenhouse: Annotated[str, typer.Option(help="Parameter set to begin with.")] = "katzin2020_144m2",
    fit: Annotated[list[str] | None, typer.Option(help="Parameter to fit; by default all that can be.")] = None,
    starts: Annotated[int, typer.Option(help="Number of starting points.", min=1, max=64)] = 1,
    iterations: Annotated[int, typer.Option(help="Most steps of each fit.", min=1, max=1000)] = 25,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Fit parameters to the rows of a log until a day, and write them as a parameter file with their intervals.

    Of several compartments each has its file in a folder of its name.
    """
    from phytotron.calibration.calibrate import calibrate as run
    from phytotron.core.compilation import enable_compilation_cache

    enable_compilation_cache()
    names: list[str | None] = [*name] if name else [None]
    logs = [one_log(log, each, columns) for each in names]
    ends = [each.moment(fit_until, "--fit-until", end=True) for each in logs]
    began = time.perf_counter()
    with progress_bars() as begin:
        told = begin(f"fit of {', '.join(each.name for each in logs)}")
        made = run(logs, ends, greenhouse, fit, starts, seed, told, iterations=iterations)
    seconds = time.perf_counter() - began
    results = [
        _finish(each, end, out if len(made) == 1 else out / each.log.name, seconds)
        for each, end in zip(made, ends, strict=True)
    ]
    if json:
        print_json(results[0] if len(results) == 1 else {"houses": results})
        return
    for each, result in zip(made, results, strict=True):
        _show(each)
        show_errors({"fitted rows": result["quantities"], "uncalibrated": result["baselines"]["uncalibrated"]})
        line(f"{each.log.name}: {each.iterations} steps, {seconds:.0f} s; wrote {result['path']}")
        for warning in each.skipped:
            say(f"warning: left out {warning}")


def _finish(made: Calibration, end: Any, folder: Path, seconds: float) -> dict[str, Any]:
    """Judge a calibration on the rows that it was fitted to, and write its file."""
    from phytotron.calibration.adjustable import value_of
    from phytotron.calibration.judgement import judge
    from phytotron.calibration.replay import EQUATIONS
    from phytotron.calibration.twin_file import write_twin

    log = made.log
    about = {
        "log": log.name,
        "source": log.provenance.source,
        "licence": log.provenance.licence,
        "fitted_from": f"{log.times[0]}Z",
        "fitted_until": f"{end}Z",
        "phytotron": __version__,
        "equations": [choice for choice, on in vars(EQUATIONS).items() if on],
        "loss": min(made.losses),
        "seconds": round(seconds, 1),
    }
    intervals = {key: list(ends) for key, ends in made.intervals.items()}
    path = write_twin(folder, made.twin, made.base, about, {"intervals": intervals})
    values = {each.name: float(value_of(made.twin, each.name)) for each in made.choice}
    said = {"untold": made.untold, "inseparable": made.inseparable, "at_bounds": made.at_bounds}
    fitted = {"values": values, "intervals": intervals, "losses": made.losses, **said}
    result = judge(log, made.twin, made.base, log.times[0], end, 24.0)
    return {"path": str(path), "log": log.name, "seconds": seconds, "fit": fitted, **result}


def _show(made: Calibration) -> None:
    from phytotron.calibration.adjustable import value_of

    table: Any = Table("parameter", box=SIMPLE_HEAD)
    for heading in ("before", "after", "90 % interval"):
        table.add_column(heading, justify="right")
    for each in made.choice:
        before, after = (float(value_of(twin, each.name)) for twin in (made.begun, made.twin))
        low, high = made.intervals[each.name]
        table.add_row(each.name, f"{before:.4g}", f"{after:.4g}", f"{low:.4g} to {high:.4g}")
    output.print(table)
    if made.untold:
        line(f"the log says next to nothing about {', '.join(made.untold)}")
    for one, other, correlation in made.inseparable:
        line(f"{one} and {other} cannot be told apart (correlation {correlation:+.2f})")
    if made.at_bounds:
        line(f"at the end of their physical range: {', '.join(made.at_bounds)}")
