"""The result of a verification: the error of every state of every file, against its bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

UNMEASURABLE = float(np.finfo(np.float64).max)  # the error of a replay that did not stay finite


class StateError(NamedTuple):
    """The error of one state; without a bound any finite error passes."""

    error: float
    bound: float | None = None

    @classmethod
    def of(cls, error: Any, bound: float | None = None) -> StateError:
        """Return the record of an error that may be infinite or not a number."""
        return cls(float(error) if np.isfinite(error) else UNMEASURABLE, bound)

    @property
    def passed(self) -> bool:
        """Return whether it is within its bound."""
        return self.error < UNMEASURABLE and (self.bound is None or self.error <= self.bound)

    def as_dict(self) -> dict[str, float]:
        """Return plain values for JSON."""
        return {"error": self.error} | ({} if self.bound is None else {"bound": self.bound})


@dataclass(frozen=True)
class FileResult:
    """Errors of one reference file, by the published symbol of the state.

    `control` tells how a closed-loop run was replayed: "rules" if the published rules acted on our state, with the
    errors of the recorded and interpolated controls beside it, or "interpolated" if the run did not follow the rules.
    `rates` are those that a file has beside its states; they are reported, not bound.
    """

    file: str
    kind: str
    parameter_set: str
    states: dict[str, StateError]
    control: str | None = None
    interpolated: dict[str, StateError] | None = None
    rates: dict[str, StateError] | None = None

    @property
    def passed(self) -> bool:
        """Return whether all states are within their bounds."""
        return all(state.passed for state in self.states.values())

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; what a file does not have is left out."""
        found: dict[str, Any] = {"file": self.file, "kind": self.kind, "passed": self.passed}
        found |= {"parameter_set": self.parameter_set, "states": _plain(self.states), "control": self.control}
        found |= {"interpolated": _plain(self.interpolated), "rates": _plain(self.rates)}
        return {name: value for name, value in found.items() if value is not None}


def _plain(states: dict[str, StateError] | None) -> dict[str, Any] | None:
    return None if states is None else {symbol: state.as_dict() for symbol, state in states.items()}


@dataclass(frozen=True)
class Verification:
    """The result of verifying all files of a folder."""

    model: str
    files: tuple[FileResult, ...]

    @property
    def passed(self) -> bool:
        """Return whether all files passed."""
        return all(file.passed for file in self.files)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"model": self.model, "passed": self.passed, "files": [file.as_dict() for file in self.files]}
