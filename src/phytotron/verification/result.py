"""What a verification finds: the error of every state of every file, against its bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

UNMEASURABLE = float(np.finfo(np.float64).max)  # the error of a replay that did not stay finite


class StateError(NamedTuple):
    """Of one state; without a bound any finite error passes."""

    error: float
    bound: float | None = None

    @property
    def passed(self) -> bool:
        return self.error < UNMEASURABLE and (self.bound is None or self.error <= self.bound)

    def as_dict(self) -> dict[str, float]:
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
        return all(state.passed for state in self.states.values())

    def as_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {"file": self.file, "kind": self.kind, "passed": self.passed}
        result["parameter_set"] = self.parameter_set
        result["states"] = {symbol: state.as_dict() for symbol, state in self.states.items()}
        if self.control is not None:
            result["control"] = self.control
        for name, group in (("interpolated", self.interpolated), ("rates", self.rates)):
            if group is not None:
                result[name] = {symbol: state.as_dict() for symbol, state in group.items()}
        return result


@dataclass(frozen=True)
class Verification:
    model: str
    files: tuple[FileResult, ...]

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)

    def as_dict(self) -> dict[str, Any]:
        return {"model": self.model, "passed": self.passed, "files": [file.as_dict() for file in self.files]}
