"""The classical Runge-Kutta method of order 4 (Kutta 1901)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from phytotron.solvers.base import Problem, Y, combine


@dataclass(frozen=True)
class RK4:
    evaluations: int = 4

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        half = 0.5 * step
        k1 = problem.derivative(time, y)
        k2 = problem.derivative(time + half, combine((1.0, y), (half, k1)))
        k3 = problem.derivative(time + half, combine((1.0, y), (half, k2)))
        k4 = problem.derivative(time + step, combine((1.0, y), (step, k3)))
        sixth = step / 6.0
        return combine((sixth, k1), (2.0 * sixth, k2), (2.0 * sixth, k3), (sixth, k4))
