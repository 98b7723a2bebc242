"""What all solvers share: arithmetic on pytrees and the loop over sub-steps.

A solver advances dy/dt = f(t, y) by one step. Steps are computed as increments: inside an interval the unknown is the
change since its start, which is added to the state once, at the end. In float32 a slow pool of 1e5 that grows by 1e-2
per step would otherwise lose most of its growth to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import jax
import jax.numpy as jnp
from jax import lax

Y = TypeVar("Y")
Derivative = Callable[[Any, Y], Y]


class Solver(Protocol):
    """One step of a one-step method, as an increment."""

    @property
    def evaluations(self) -> int:
        """Derivative evaluations of one step."""

    def increment(self, derivative: Derivative[Y], time: Any, y: Y, step: Any) -> Y:
        """y(time + step) - y(time)."""


def combine(*terms: tuple[Any, Y]) -> Y:
    """The sum of coefficient times pytree."""
    coefficients, trees = zip(*terms, strict=True)

    def add(*leaves: Any) -> Any:
        total = coefficients[0] * leaves[0]
        for coefficient, leaf in zip(coefficients[1:], leaves[1:], strict=True):
            total = total + coefficient * leaf
        return total

    return jax.tree.map(add, *trees)  # type: ignore[no-any-return]


def add(a: Y, b: Y) -> Y:
    return jax.tree.map(jnp.add, a, b)  # type: ignore[no-any-return]


def zeros_like(y: Y) -> Y:
    return jax.tree.map(jnp.zeros_like, y)  # type: ignore[no-any-return]


def integrate(solver: Solver, derivative: Derivative[Y], start: Y, duration: float, substeps: int) -> Y:
    """Advance by `duration` in equal sub-steps; time counts from zero."""
    step = duration / substeps

    def from_start(time: Any, change: Y) -> Y:
        return derivative(time, add(start, change))

    def substep(change: Y, index: Any) -> tuple[Y, None]:
        return add(change, solver.increment(from_start, index * step, change, step)), None

    change, _ = lax.scan(substep, zeros_like(start), jnp.arange(substeps))
    return add(start, change)
