"""Output of commands: results on standard output, messages and progress on standard error."""

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TimeRemainingColumn

WIDE = 1000  # characters of a line where nobody looks: tables take what they need, and nothing is cut

# Names such as module:House: are no emoji.
output = Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDE, emoji=False)
errors = Console(stderr=True, emoji=False)

PLAIN_SECONDS = 10.0  # between lines of progress where there is no terminal

ProgressCallback = Callable[[int, int], None]  # called with the amount done, and the total


def print_json(result: Any) -> None:
    """Print one JSON object on standard output, with null for numbers that are not finite, which JSON does not have."""
    print(json.dumps(_finite(result), allow_nan=False))


def _finite(value: Any) -> Any:
    """Return a value of JSON with None in place of every number that is not finite."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def fixed(value: float | None, digits: int) -> str:
    """Return a number with a fixed number of decimals: a dash where it is undefined, nothing where there is none."""
    if value is None:
        return ""
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


def line(text: str) -> None:
    """Print a line on standard output as it is."""
    output.print(text, highlight=False, markup=False, soft_wrap=True)


def say(text: str) -> None:
    """Print a line on standard error."""
    errors.print(text, highlight=False, markup=False, soft_wrap=True)


def took(began: float) -> str:
    """Return the time since `began`, a value of `time.monotonic`, as text."""
    return f"{time.monotonic() - began:,.0f} s in all, compiling included"


@contextmanager
def progress_bars() -> Iterator[Callable[[str], ProgressCallback]]:
    """Show progress bars on standard error, one for each text that the function is called with; they disappear at the
    end.

    Where standard error is not a terminal, a line every ten seconds replaces them.
    """
    if not errors.is_terminal:
        yield plain_progress
        return
    with Progress("{task.description}", BarColumn(), TimeRemainingColumn(), console=errors, transient=True) as bars:

        def begin(text: str) -> ProgressCallback:
            task = bars.add_task(f"{escape(text)}: compiling", total=None)

            def update(done: int, total: int) -> None:
                bars.update(task, description=escape(text), completed=done, total=total)

            return update

        yield begin


def plain_progress(text: str) -> ProgressCallback:
    """Return a function that reports progress by a line on standard error every ten seconds."""
    last = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal last
        if done < total and time.monotonic() - last > PLAIN_SECONDS:
            last = time.monotonic()
            say(f"{text}: {done:,} of {total:,} steps")

    return update
