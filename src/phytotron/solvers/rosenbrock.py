"""A linearly implicit W-method of order 2 for problems whose stiff part is known in closed form.

Two evaluations per step, L-stable where the linearisation is exact, of order 2 whatever the linearisation leaves out.
The time derivative of the problem is one of the things left out: stiff problems that change with time are followed to
order 1.

References
----------
Verwer, Spee, Blom, Hundsdorfer (1999). A second-order Rosenbrock method applied to photochemical dispersion problems.
SIAM Journal on Scientific Computing 20, 1456-1480. Method ROS2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from phytotron.solvers.base import Problem, Y, combine

GAMMA = 1.0 - 1.0 / math.sqrt(2.0)


@dataclass(frozen=True)
class Rosenbrock2:
    """ROS2 with the stiff part of the Jacobian given by `Problem.linearise`."""

    evaluations: int = 2

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        if problem.linearise is None:
            raise TypeError("Rosenbrock2 needs Problem.linearise; use an explicit solver for this problem")
        rates, solve = problem.linearise(time, y)
        k1 = solve(GAMMA * step, rates)
        later = problem.derivative(time + step, combine((1.0, y), (step, k1)))
        k2 = solve(GAMMA * step, combine((1.0, later), (-2.0, k1)))
        return combine((1.5 * step, k1), (0.5 * step, k2))
