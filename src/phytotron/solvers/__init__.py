"""One-step methods for ordinary differential equations, on any pytree."""

from phytotron.solvers.base import Problem, Solver, Steps, graded, integrate, integrate_observing, uniform
from phytotron.solvers.euler import Euler
from phytotron.solvers.rk4 import RK4
from phytotron.solvers.rkc2 import RKC2, stages_for
from phytotron.solvers.rosenbrock import Rosenbrock2

__all__ = [
    "RK4",
    "RKC2",
    "Euler",
    "Problem",
    "Rosenbrock2",
    "Solver",
    "Steps",
    "graded",
    "integrate",
    "integrate_observing",
    "stages_for",
    "uniform",
]
