"""One-step methods of a few stages with fixed coefficients: explicit Euler, the classical Runge-Kutta, ROS2."""

import math
from dataclasses import dataclass
from typing import Any

from phytotron.solvers.base import Problem, Y, combine

GAMMA = 1.0 - 1.0 / math.sqrt(2.0)  # of ROS2


@dataclass(frozen=True)
class Euler:
    """The explicit Euler method: order 1, one evaluation per step."""

    evaluations: int = 1

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        """Return the change of a state in one step of Euler's method."""
        return combine((step, problem.derivative(time, y)))


@dataclass(frozen=True)
class RK4:
    """The classical Runge-Kutta method of order 4 (Kutta 1901)."""

    evaluations: int = 4

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        """Return the change of a state in one step of the classical Runge-Kutta method."""
        half = 0.5 * step
        k1 = problem.derivative(time, y)
        k2 = problem.derivative(time + half, combine((1.0, y), (half, k1)))
        k3 = problem.derivative(time + half, combine((1.0, y), (half, k2)))
        k4 = problem.derivative(time + step, combine((1.0, y), (step, k3)))
        sixth = step / 6.0
        return combine((sixth, k1), (2.0 * sixth, k2), (2.0 * sixth, k3), (sixth, k4))


@dataclass(frozen=True)
class Rosenbrock2:
    """ROS2, a linearly implicit W-method of order 2 for problems whose stiff part is known in closed form.

    Two evaluations per step, L-stable where `Problem.linearise` is exact, of order 2 whatever it leaves out. The time
    derivative of the problem is one of the things left out: stiff problems that change with time are followed to
    order 1.

    References
    ----------
    Verwer, Spee, Blom, Hundsdorfer (1999). A second-order Rosenbrock method applied to photochemical dispersion
    problems. SIAM Journal on Scientific Computing 20, 1456-1480.
    """

    evaluations: int = 2

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        """Return the change of a state in one linearly implicit step."""
        if problem.linearise is None:
            raise TypeError("Rosenbrock2 needs Problem.linearise; use an explicit solver for this problem")
        rates, solve = problem.linearise(time, y)
        k1 = solve(GAMMA * step, rates)
        later = problem.derivative(time + step, combine((1.0, y), (step, k1)))
        k2 = solve(GAMMA * step, combine((1.0, later), (-2.0, k1)))
        return combine((1.5 * step, k1), (0.5 * step, k2))
