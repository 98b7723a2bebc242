"""Errors that say what was wrong and what would be right."""

import difflib
from collections.abc import Iterable
from typing import Any


class PhytotronError(ValueError):
    """Base of every error that a user can cause; the command line prints it without a traceback."""


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a question that suggests the names nearest to one that does not exist; empty where none is near.

    What is no text, such as a number that a user gave in the place of a name, is compared as it is written.
    """
    near = difflib.get_close_matches(str(name), sorted(known), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else ""


class UnknownNameError(PhytotronError):
    """A name that does not exist; the message suggests the nearest names, or says in words what there is."""

    def __init__(self, kind: str, name: object, known: Iterable[str], words: str = "") -> None:
        choices = sorted(known)
        meant = suggestion(name, choices)
        shown = words or f"known: {', '.join(choices[:12]) + (', ...' if len(choices) > 12 else '') or 'none'}"
        remedy = f"{meant} {shown}".strip() if words or not meant else meant
        super().__init__(f"unknown {kind} {name!r}; {remedy}")


class ValueRangeError(PhytotronError):
    """A value outside the range that is allowed."""

    def __init__(self, what: str, value: Any, expected: str) -> None:
        shown = repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        super().__init__(f"{what} is {shown}; expected {expected}")


class ShapeError(PhytotronError):
    """An array of the wrong length or shape."""

    def __init__(self, what: str, expected: str, got: tuple[int, ...], meaning: str = "") -> None:
        detail = f" ({meaning})" if meaning else ""
        super().__init__(f"{what} has shape {tuple(got)}; expected {expected}{detail}")


class RenderingError(PhytotronError, TypeError):
    """A picture that cannot be made.

    It is also a `TypeError`: on this error, Stable-Baselines3 makes the environment again without a render mode.
    """


class DataFileError(PhytotronError):
    """A file that does not hold what it should."""

    def __init__(self, path: Any, problem: str, remedy: str) -> None:
        super().__init__(f"{path}: {problem}; {remedy}")


class SharedDaysWarning(UserWarning):
    """A warning that episodes on one part of a split of weather reach days of another part."""


class EndedEarlyWarning(UserWarning):
    """An episode that ended before its time, because the task could not go on; nothing is simulated after its end."""
