"""Faults on demand: a program dies at the n-th thing that it does to files, or the system refuses that.

What counts is what Python itself reports to audit hooks - files opened to be written, renamed or removed, folders
made - and `os.fsync`. So nothing that is tested knows about it, and code that writes in another way is seen as well.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

REFUSALS = {"full": errno.ENOSPC, "read-only": errno.EROFS, "vanished": errno.ENOENT, "handles": errno.EMFILE}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
PLACES = {"os.rename": (0, 1), "os.remove": (0,), "os.mkdir": (0,)}  # of paths among the arguments of events


class Died(BaseException):
    """The process is gone; nothing but a test sees this."""


@dataclass
class Fault:
    """What happens to files in a folder, and at which of these something goes wrong."""

    folder: Path
    at: int | None = None  # counted from 0; None: nothing goes wrong
    kind: str = "killed"  # or "torn" (killed, with half of what was being written), or one of REFUSALS
    seen: list[tuple[str, Path]] = field(default_factory=list)

    def happens(self, event: str, path: Path) -> None:
        number = len(self.seen)
        self.seen.append((event, path))
        if self.at is None or number < self.at:
            return
        if self.kind in REFUSALS:
            if number == self.at:
                raise OSError(REFUSALS[self.kind], os.strerror(REFUSALS[self.kind]), str(path))
            return
        if self.kind == "torn" and number == self.at:
            _tear(path if event == "os.rename" else self.seen[number - 1][1])
        raise Died  # and so does all that follows: the dead clean nothing up


_current: list[Fault] = []


def _tear(path: Path) -> None:
    """Leave half of a file, as if the process had died while it wrote that."""
    with _paused():
        if path.name.endswith(".part") and path.is_file():
            os.truncate(path, path.stat().st_size // 2)
        elif path.suffix == ".jsonl" and path.is_file():
            os.truncate(path, max(0, path.stat().st_size - 7))


@contextmanager
def _paused() -> Iterator[None]:
    held, _current[:] = _current[:], []
    try:
        yield
    finally:
        _current[:] = held


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _current:
        return
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, int) or not (flags & WRITING if mode is None else set(mode) & set("wax+")):
            return
        paths = (path,)
    elif event in PLACES:
        paths = tuple(arguments[place] for place in PLACES[event])
    else:
        return
    fault = _current[-1]
    for each in paths[:1]:
        found = Path(os.fsdecode(each))
        if found.is_relative_to(fault.folder) and found.name != ".lock":
            fault.happens(event, found)


sys.addaudithook(_hook)


@contextmanager
def injected(fault: Fault) -> Iterator[Fault]:
    """Within the context, what happens to files is counted, and goes wrong where the fault says so."""
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        last = fault.seen[-1][1] if fault.seen else fault.folder
        fault.happens("os.fsync", last)
        sync(descriptor)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        _current.append(fault)
        try:
            yield fault
        finally:
            _current.pop()


def operations(folder: Path, act: Callable[[], Any]) -> list[tuple[str, Path]]:
    """What an action does to the files of a folder, in order."""
    with injected(Fault(folder)) as fault:
        act()
    return fault.seen


def die(folder: Path, act: Callable[[], Any], at: int, kind: str = "killed") -> None:
    """Have an action die at an operation; an error if it does not come so far."""
    with pytest.raises(Died), injected(Fault(folder, at, kind)):
        act()
