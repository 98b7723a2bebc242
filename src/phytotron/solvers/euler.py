"""The explicit Euler method: order 1, one evaluation per step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from phytotron.solvers.base import Derivative, Y, combine


@dataclass(frozen=True)
class Euler:
    evaluations: int = 1

    def increment(self, derivative: Derivative[Y], time: Any, y: Y, step: Any) -> Y:
        return combine((step, derivative(time, y)))
