"""`phytotron calibrate`: fits the parameters of a greenhouse model to the log of a real greenhouse."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli.console import line, print_json, progress_bars, say
from phytotron.cli.fitted import findings, show_fitted
from phytotron.cli.options import Json, Seed
from phytotron.cli.replay import Columns, Log, one_log, show_errors
from phytotron.core.errors import PhytotronError
from phytotron.core.files import check_writable
from phytotron.core.version import __version__

if TYPE_CHECKING:
    from phytotron.calibration.calibrate import Calibration


def calibrate(
    log: Log,
    fit_until: Annotated[str, typer.Option(help="Last day of the fit, included, such as 2022-02-20.")],
    out: Annotated[
        Path, typer.Option("--output", "--out", help="Folder to which greenhouse.toml and ensemble.json are written.")
    ],
    name: Annotated[
        list[str] | None, typer.Option(help="Compartment of the folder; several are fitted together, as one house.")
    ] = None,
    columns: Columns = None,
    greenhouse: Annotated[
        str, typer.Option(help="Greenhouse to begin with: a parameter set, the folder of a calibration, or agc2022.")
    ] = "agc2022",
    fit: Annotated[
        list[str] | None,
        typer.Option(help="Name of a parameter to fit; repeatable; by default all that can be fitted."),
    ] = None,
    starts: Annotated[int, typer.Option(help="Number of starting points of the search.", min=1, max=64)] = 3,
    iterations: Annotated[
        int, typer.Option(help="Largest number of steps from the best starting point.", min=1, max=1000)
    ] = 25,
    members: Annotated[int, typer.Option(help="Number of members of the ensemble.", min=1, max=4096)] = 256,
    seed: Seed = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the fit in the folder, after Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Fit parameters to the rows of a log until a day, and write them as a parameter file with their intervals.

    Of several compartments each has its file in a folder of its name. Progress is kept after every step: Ctrl-C stops,
    --resume continues exactly from there.
    """
    from phytotron.calibration.calibrate import calibrate as run
    from phytotron.calibration.progress import Progress
    from phytotron.core.compilation import enable_compilation_cache

    enable_compilation_cache()
    check_writable(out / "greenhouse.toml")
    names: list[str | None] = [*name] if name else [None]
    logs = [_trusted(one_log(log, each, columns), log) for each in names]
    ends = [each.moment(fit_until, "--fit-until", end=True) for each in logs]
    settings = {
        "log": [each.name for each in logs], "fit_until": fit_until, "greenhouse": greenhouse, "fit": fit,
        "starts": starts, "seed": seed, "phytotron": __version__,
    }  # fmt: skip
    progress = Progress(out, settings)
    kept = progress.kept() if resume else []
    began = time.perf_counter()
    with progress_bars() as begin:
        callback = begin(f"fit of {', '.join(each.name for each in logs)}")
        made = run(logs, ends, greenhouse, fit, starts, seed=seed, callback=callback, iterations=iterations,
                   keep=progress.keep, kept=kept)  # fmt: skip
    seconds = time.perf_counter() - began
    results = [
        _finish(each, end, out if len(made) == 1 else out / each.log.name, seconds, members, seed)
        for each, end in zip(made, ends, strict=True)
    ]
    progress.end()
    if json:
        print_json(results[0] if len(results) == 1 else {"houses": results})
        return
    for each, result in zip(made, results, strict=True):
        _show(each)
        show_errors({"fitted rows": result["quantities"], "uncalibrated": result["baselines"]["uncalibrated"]})
        line(f"{each.log.name}: {each.steps} steps, {seconds:.0f} s; wrote {result['path']}")
        for warning in result["warnings"]:
            say(f"warning: {warning}")


def _trusted(log: Any, folder: Path) -> Any:
    """Return the log without rows in which its sensors disagree; other compartments are read where they can be."""
    from phytotron.logs import compartment_names, read_compartment, trusted

    others = []
    for name in compartment_names(folder) if folder.is_dir() else ():
        with contextlib.suppress(PhytotronError):
            others.append(read_compartment(folder, name))
    believed, findings = trusted(log, others)
    for finding in findings:
        say(f"warning: {finding.kind}: {finding.message}")
    return believed


def _finish(made: Calibration, end: Any, folder: Path, seconds: float, members: int, seed: int) -> dict[str, Any]:
    """Judge a calibration on the rows that it was fitted to, and write its files."""
    from phytotron.calibration.calibrate import first_fitted
    from phytotron.calibration.ensemble import ENDS, write_ensemble
    from phytotron.calibration.judgement import judge, replayed
    from phytotron.calibration.replay import EQUATIONS
    from phytotron.calibration.twin_file import write_twin

    log, found = made.log, made.found
    begin = first_fitted(log, end)
    about = {
        "log": log.name,
        "source": log.provenance.source,
        "licence": log.provenance.licence,
        "fitted_from": f"{begin}Z",
        "fitted_until": f"{end}Z",
        "phytotron": __version__,
        "equations": [choice for choice, on in vars(EQUATIONS).items() if on],
        "loss": min(made.losses),
        "losses_of_starts": list(made.losses),
        "seconds": round(seconds, 1),
    }
    intervals = {key: list(ends) for key, ends in found.intervals.items()}
    replay = replayed(log, made.twin, made.base, (begin, end), 24.0)
    residuals = residual_quantiles(replay.given.measured - replay.simulated, ENDS)
    path = write_twin(folder, made.twin, made.base, about, {"intervals": intervals, "residuals": residuals})
    drawn = found.sample(members, seed)
    write_ensemble(folder, {each.name: each.value(drawn[:, k]) for k, each in enumerate(found.choice)})
    fitted = {"values": made.values, "intervals": intervals, "losses": made.losses, **findings(found)}
    return {"path": str(path), "log": log.name, "seconds": seconds, "fit": fitted, **judge(replay)}


def residual_quantiles(residuals: Any, ends: tuple[float, float]) -> dict[str, list[float]]:
    """Return quantiles of the residuals, measured minus simulated, by quantity."""
    import numpy as np

    from phytotron.logs.variables import CLIMATE

    return {key: np.nanquantile(residuals[..., k], ends).tolist() for k, key in enumerate(CLIMATE)}


def _show(made: Calibration) -> None:
    from phytotron.calibration.adjustable import value_of

    before = {each.name: float(value_of(made.begun, each.name)) for each in made.found.choice}
    show_fitted(made.found, before, made.values)
    line(f"losses of the starts: {', '.join(f'{loss:.1f}' for loss in made.losses)}")
