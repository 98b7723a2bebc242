"""Ctrl-C, SIGTERM and SIGHUP: a command cleans up and ends with status 128 + the signal, whatever XLA is doing.

An interpreter that shuts down while XLA's threads are at work may crash, so the process ends without shutting it down.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from phytotron.core.signals import ending_signals, exit_status, word

STDERR = 2
GRACE = 2.0  # s, for cleaning up; an interruption can also be lost in a callback, or wait for a compilation
INTERRUPTED = exit_status(signal.SIGINT)  # with which typer ends after Ctrl-C
received: list[int] = []  # the signals that came


@contextmanager
def handled() -> Iterator[None]:
    """Make signals end the process: by an exception that lets commands clean up, and without fail a little later.

    A command that stops in its own way, as training does, replaces the handlers while it runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {each: signal.signal(each, _interrupt) for each in ending_signals()}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    sys.unraisablehook = lambda lost: None  # one that is raised in a finaliser or a callback would print a traceback
    received.append(number)
    late = threading.Timer(GRACE, leave)
    late.daemon = True
    late.start()
    raise KeyboardInterrupt


def leave() -> None:
    """End the process at once, with the cursor that a progress bar hides shown again."""
    number = received[0] if received else signal.SIGINT
    with suppress(OSError):  # of a terminal that is closed
        cursor = "\x1b[?25h\n" if os.isatty(STDERR) else ""
        os.write(STDERR, f"{cursor}{word(number)}\n".encode())  # not by a console, which may be drawing a bar
    os._exit(exit_status(number))
