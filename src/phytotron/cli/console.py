"""What commands print: results on standard output, messages and progress on standard error."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TimeRemainingColumn

output = Console()
errors = Console(stderr=True)

Told = Callable[[int, int], None]  # is told how much is done, and how much there is in all


def print_json(result: Any) -> None:
    """Print one machine-readable object on standard output; numbers that are not finite are refused."""
    print(json.dumps(result, allow_nan=False))


def line(text: str) -> None:
    """Print a line on standard output as it is."""
    output.print(text, highlight=False, markup=False, soft_wrap=True)


def say(text: str) -> None:
    """Print a line on standard error."""
    errors.print(text, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def progress_bars() -> Iterator[Callable[[str], Told]]:
    """Bars on standard error, one for each text that the function is called with; they disappear at the end."""
    with Progress("{task.description}", BarColumn(), TimeRemainingColumn(), console=errors, transient=True) as bars:

        def begin(text: str) -> Told:
            task = bars.add_task(f"{escape(text)}: compiling", total=None)

            def told(done: int, total: int) -> None:
                bars.update(task, description=escape(text), completed=done, total=total)

            return told

        yield begin
