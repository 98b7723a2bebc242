"""The common part of all solvers: arithmetic on pytrees and the loop over sub-steps.

A solver advances dy/dt = f(t, y) by one step. Steps are computed as increments: inside an interval the unknown is the
change since its start, which is added to the state once, at the end. In float32 a slow pool of 1e5 that grows by 1e-2
per step would otherwise lose most of its growth to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Y = TypeVar("Y")
Derivative = Callable[[Any, Y], Y]

# rates = f(time, y), and solve(step, r) = (I - step * A)^-1 r for an A that holds the stiff part of the Jacobian
Linearisation = Callable[[Any, Y], tuple[Y, Callable[[Any, Y], Y]]]


class Problem(NamedTuple):
    """The system of equations to integrate; linearly implicit methods need the linearisation too."""

    derivative: Derivative[Any]
    linearise: Linearisation[Any] | None = None

    def from_origin(self, origin: Any) -> Problem:
        """Return the same problem for the change since `origin`."""
        linearise = self.linearise
        return Problem(
            lambda time, change: self.derivative(time, add(origin, change)),
            None if linearise is None else lambda time, change: linearise(time, add(origin, change)),
        )


class Solver(Protocol):
    """One step of a one-step method, as an increment."""

    @property
    def evaluations(self) -> int:
        """Derivative evaluations of one step."""

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        """Return y(time + step) - y(time)."""


def combine(*terms: tuple[Any, Y]) -> Y:
    """Return the sum of coefficient times pytree."""
    coefficients, trees = zip(*terms, strict=True)

    def add(*leaves: Any) -> Any:
        total = coefficients[0] * leaves[0]
        for coefficient, leaf in zip(coefficients[1:], leaves[1:], strict=True):
            total = total + coefficient * leaf
        return total

    return jax.tree.map(add, *trees)


def add(a: Y, b: Y) -> Y:
    """Return the sum of two states, leaf by leaf."""
    return jax.tree.map(jnp.add, a, b)


def zeros_like(y: Y) -> Y:
    """Return a state of zeros with the structure of another."""
    return jax.tree.map(jnp.zeros_like, y)


@dataclass(frozen=True)
class Steps:
    """Sub-steps of a geometric series: `first`, `first * ratio`, ... seconds."""

    first: float
    ratio: float
    count: int

    @property
    def lengths(self) -> np.ndarray:
        """Lengths of the sub-steps [s], (count,)."""
        return np.asarray(self.first * self.ratio ** np.arange(self.count))


def uniform(duration: float, count: int) -> Steps:
    """Return equal sub-steps."""
    return Steps(float(duration) / count, 1.0, count)


def graded(duration: float, count: int, first: float) -> Steps:
    """Return sub-steps that grow from `first`: short where a jump of the control has just set off transients."""
    if count == 1 or first * count >= duration:
        return uniform(duration, count)
    low, high = 1.0, float(duration / first) ** (1.0 / (count - 1))  # the last step alone must not exceed the interval
    for _ in range(100):  # bisection for the ratio
        ratio = 0.5 * (low + high)
        low, high = (ratio, high) if Steps(first, ratio, count).lengths.sum() < duration else (low, ratio)
    return Steps(float(first), high, count)


def integrate(solver: Solver, problem: Problem, start: Y, steps: Steps) -> Y:
    """Advance over the sub-steps; time counts from zero."""
    return integrate_observing(solver, problem, start, steps, lambda y: ())[0]


def integrate_observing(
    solver: Solver, problem: Problem, start: Y, steps: Steps, observe: Callable[[Y], Any]
) -> tuple[Y, Any]:
    """Return `integrate`, and the integral over time of what is observed, by the trapezoidal rule on the sub-steps.

    For gradients the state at every sub-step is kept, and what happens between them is computed again.
    """
    from_start = problem.from_origin(start)

    @jax.checkpoint
    def substep(_: Any, carry: tuple[Any, ...]) -> tuple[Any, ...]:
        time, step, change, before, integral = carry
        change = add(change, solver.increment(from_start, time, change, step))
        after = observe(add(start, change))
        integral = combine((1.0, integral), (0.5 * step, add(before, after)))
        return time + step, step * steps.ratio, change, after, integral

    precision = jnp.result_type(*jax.tree.leaves(start))
    observed = observe(start)
    clock = jnp.zeros((), precision), jnp.full((), steps.first, precision)
    initial = (*clock, zeros_like(start), observed, zeros_like(observed))
    _, _, change, _, integral = lax.fori_loop(0, steps.count, substep, initial)
    return add(start, change), integral
