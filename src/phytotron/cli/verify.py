"""`phytotron verify`: a model against recorded runs of its published implementation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import jax
import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import errors, output, print_json
from phytotron.evaluation.verification import FileResult, StateError, verify_model

SHOWN_STATES = 6


def verify(
    model: Annotated[str, typer.Argument(help="Name of the model: greenlight.")],
    reference: Annotated[
        Path | None,
        typer.Option(help="Folder of reference files (.npz); without it the sample that the package brings."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with the error of every state.")] = False,
) -> None:
    """Check a model against recorded runs of its published implementation.

    Exit code 0: all errors are within their bounds; 1: one is not; 2: the files cannot be used.
    """
    # Few trajectories and many short steps, in float64: work for a CPU, even where there is a GPU.
    jax.config.update("jax_platforms", "cpu")
    with errors.status(f"replaying reference runs of {escape(model)}"):
        result = verify_model(model, reference)
    if json:
        print_json(result.as_dict())
    else:
        for file in result.files:
            output.print(file_table(file))
        passed = sum(file.passed for file in result.files)
        output.print(f"{result.model}: {passed} of {len(result.files)} files within their bounds", highlight=False)
    if not result.passed:
        raise typer.Exit(1)


def file_table(file: FileResult) -> Table:
    """The states of a file that come closest to their bounds, or miss them by most."""
    verdict = "[green]passed[/green]" if file.passed else "[red]missed[/red]"
    how = f"{file.kind}, {file.parameter_set}" + (f", control: {file.control}" if file.control else "")
    shown = sorted(file.states.items(), key=lambda item: closeness(item[1]), reverse=True)[:SHOWN_STATES]
    rest = len(file.states) - len(shown)
    unit = "%" if file.kind == "trajectory" else "-"
    table = Table(
        title=f"{escape(file.file)}: {verdict}\n{how}",
        caption=f"{rest} further states are further inside their bounds or have none" if rest else None,
        title_justify="left",
    )
    for heading in ("state", f"error / {unit}", f"bound / {unit}"):
        table.add_column(heading, justify="left" if heading == "state" else "right")
    for symbol, state in shown:
        bound = "" if state.bound is None else f"{state.bound:.2g}"
        table.add_row(symbol, f"{state.error:.2g}", bound, style=None if state.passed else "red")
    return table


def closeness(state: StateError) -> tuple[bool, float]:
    """Sorts by what is not passed, then by error per bound; states without a bound come last."""
    return not state.passed, 0.0 if state.bound is None else state.error / state.bound
