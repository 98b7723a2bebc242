"""One-step methods for ordinary differential equations, on any pytree."""

from phytotron.solvers.base import Problem, Solver, Steps, graded, integrate, integrate_observing, uniform
from phytotron.solvers.one_step import RK4, Euler, Rosenbrock2
from phytotron.solvers.rkc2 import RKC2, stages_for

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
