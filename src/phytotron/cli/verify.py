"""`phytotron verify`: compares a model with recorded runs of its published implementation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import errors, output, print_json

if TYPE_CHECKING:
    from phytotron.verification.result import FileResult, StateError

SHOWN_STATES = 6
UNITS = {"trajectory": "%", "season": "unit of the state"}  # of errors, by the kind of file; of others none


def verify(
    model: Annotated[str, typer.Argument(help="Name of the model: greenlight, lintul3 or intercrop.")],
    reference: Annotated[
        Path | None,
        typer.Option(help="Folder of reference files (.npz); by default the sample that comes with the package."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object with the error of every state.")] = False,
) -> None:
    """Check a model against recorded runs of its published implementation.

    Exit code 0: all errors are within their bounds; 1: one is not; 2: the files cannot be used.
    """
    import jax

    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.verification.models import verify_model

    # Few trajectories and many short steps, in float64: work for a CPU, even where there is a GPU.
    jax.config.update("jax_platforms", "cpu")
    enable_compilation_cache()
    with errors.status(f"replaying reference runs of {escape(model)}"):
        result = verify_model(model, reference)
    if json:
        print_json(result.as_dict())
    else:
        for file in result.files:
            output.print(heading(file), soft_wrap=True, highlight=False)
            output.print(worst_states(file))
        passed = sum(file.passed for file in result.files)
        output.print(f"{result.model}: {passed} of {len(result.files)} files within their bounds", highlight=False)
    if not result.passed:
        raise typer.Exit(1)


def heading(file: FileResult) -> str:
    """Return the name of a file, whether it passed, and its kind."""
    verdict = "[green]passed[/green]" if file.passed else "[red]missed[/red]"
    control = f", control: {file.control}" if file.control else ""
    return f"[bold]{escape(file.file)}[/bold]: {verdict} ({file.kind}, {file.parameter_set}{control})"


def worst_states(file: FileResult) -> Table:
    """Return the states of a file that exceed their bounds by most, or come closest to them."""
    ranked = sorted(file.states.items(), key=lambda item: closeness(item[1]), reverse=True)
    unit = UNITS.get(file.kind, "-")
    table = Table(f"worst {SHOWN_STATES} of {len(ranked)} states")
    for heading in ("error", "bound"):
        table.add_column(f"{heading} / {unit}", justify="right")
    for symbol, state in ranked[:SHOWN_STATES]:
        bound = "" if state.bound is None else f"{state.bound:.2g}"
        table.add_row(symbol, f"{state.error:.2g}", bound, style=None if state.passed else "red")
    return table


def closeness(state: StateError) -> tuple[bool, bool, float]:
    """Return a key to sort states by, largest first: failures, then the error relative to the bound; states without a
    bound come last, by error.
    """
    bound = 1.0 if state.bound is None else state.bound
    return not state.passed, state.bound is not None, state.error / bound
