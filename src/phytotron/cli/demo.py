"""`phytotron demo`: ten days of a rule-based greenhouse, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from phytotron.cli.console import errors, output


def demo(
    folder: Annotated[Path, typer.Option("--output", help="Folder for the page.")] = Path("demo"),
    days: Annotated[float, typer.Option(help="Length of the run, up to 60 days.", min=1, max=60)] = 10.0,
) -> None:
    """Run a greenhouse under the rule-based grower on embedded weather and write a page about it."""
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.report.demo import write_demo

    enable_compilation_cache()
    with errors.status(f"simulating {days:g} days and drawing them"):
        path, rows = write_demo(folder, days)
    for name, value, unit in rows:
        output.print(f"{name:<44}{value:>10} {unit}", highlight=False)
    output.print(f"\nOpen {path.resolve()}", soft_wrap=True, highlight=False)
