"""The explicit Euler method: order 1, one evaluation per step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from phytotron.solvers.base import Problem, Y, combine


@dataclass(frozen=True)
class Euler:
    evaluations: int = 1

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        return combine((step, problem.derivative(time, y)))
