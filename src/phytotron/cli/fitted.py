"""The fitted parameters of a calibration, as a table and in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from phytotron.cli.console import line, output

if TYPE_CHECKING:
    from phytotron.calibration.laplace import Laplace


def show_fitted(found: Laplace, before: Mapping[str, float], after: Mapping[str, float]) -> None:
    """Print values before and after with 90 % intervals, parameters that the data do not determine, and those at the
    end of their range.
    """
    table: Any = Table("parameter", box=SIMPLE_HEAD)
    for heading in ("before", "after", "90 % interval"):
        table.add_column(heading, justify="right")
    for name, (low, high) in found.intervals.items():
        table.add_row(name, f"{before[name]:.4g}", f"{after[name]:.4g}", f"{low:.4g} to {high:.4g}")
    output.print(table)
    if found.undetermined:
        line(f"the data say next to nothing about {', '.join(found.undetermined)}")
    for one, other, correlation in found.inseparable:
        line(f"{one} and {other} cannot be told apart (correlation {correlation:+.2f})")
    if found.at_bounds:
        line(f"at the end of their physical range: {', '.join(found.at_bounds)}")


def findings(found: Laplace) -> dict[str, Any]:
    """Return the same sentences as JSON."""
    return {"undetermined": found.undetermined, "inseparable": found.inseparable, "at_bounds": found.at_bounds}
