"""Ctrl-C as a request: finish what is under way, then stop."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)

Stop = Callable[[], bool]  # whether a stop was asked for


@contextlib.contextmanager
def stop_on_request() -> Iterator[Stop]:
    """Within the context, the first signal asks for a stop; a second one ends the process as usual."""
    before: dict[int, Any] = {}
    asked: list[int] = []

    def restore() -> None:
        while before:
            signal.signal(*before.popitem())

    def ask(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        restore()

    if threading.current_thread() is threading.main_thread():
        before |= {each: signal.signal(each, ask) for each in SIGNALS}
    try:
        yield lambda: bool(asked)
    finally:
        restore()
