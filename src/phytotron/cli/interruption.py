"""Ctrl-C: a command cleans up and ends with status 130, whatever XLA is doing at that moment.

An interpreter that shuts down while XLA's threads are at work may crash, so the process ends without shutting it down.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STDERR = 2
STATUS = 130  # of what was ended by SIGINT
GRACE = 2.0  # s, for cleaning up; an interruption can also be lost in a callback, or wait for a compilation


@contextmanager
def handled() -> Iterator[None]:
    """Have SIGINT end the process: by an exception that commands can clean up after, and for sure a little later.

    A command that stops in its own way, as training does, replaces the handler meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    sys.unraisablehook = lambda lost: None  # one that is raised in a finaliser or a callback would print a traceback
    late = threading.Timer(GRACE, leave)
    late.daemon = True
    late.start()
    raise KeyboardInterrupt


def leave() -> None:
    """End the process at once, with the cursor that a progress bar hides shown again."""
    cursor = "\x1b[?25h\n" if os.isatty(STDERR) else ""
    os.write(STDERR, f"{cursor}Interrupted\n".encode())  # not by a console, which may be drawing a bar
    os._exit(STATUS)
