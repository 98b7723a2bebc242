"""RKC2: the stabilised explicit Runge-Kutta-Chebyshev method of order 2.

With s stages its stability interval on the negative real axis is about 0.65 (s^2 - 1): the cost of a stiff, diffusive
problem grows with the square root of its stiffness only, and no matrix is ever formed.

References
----------
Sommeijer, Shampine, Verwer (1997). RKC: an explicit solver for parabolic PDEs. Journal of Computational and Applied
Mathematics 88, 315-326. Equations (2.1)-(2.8).
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from phytotron.core.errors import ValueRangeError
from phytotron.solvers.base import Problem, Y, add, combine, zeros_like

DAMPING = 2.0 / 13.0


class Coefficients(NamedTuple):
    """The coefficients of stages 2..s, except `first`, which belongs to stage 1."""

    first: float
    mu: np.ndarray
    nu: np.ndarray
    mu_tilde: np.ndarray
    gamma_tilde: np.ndarray
    nodes: np.ndarray  # c_1 .. c_(s-1): the time at which the derivative of stage 2..s is taken
    stability: float  # length of the real stability interval


def coefficients(stages: int) -> Coefficients:
    """Return chebyshev polynomials, damped and shifted, give all coefficients."""
    if stages < 2:
        raise ValueRangeError("the number of RKC2 stages", stages, "at least 2")
    w0 = 1.0 + DAMPING / stages**2
    # T_j, T'_j, T''_j at w0 by their recurrences
    t, dt, ddt = np.zeros(stages + 1), np.zeros(stages + 1), np.zeros(stages + 1)
    t[0], t[1], dt[1] = 1.0, w0, 1.0
    for j in range(2, stages + 1):
        t[j] = 2.0 * w0 * t[j - 1] - t[j - 2]
        dt[j] = 2.0 * w0 * dt[j - 1] - dt[j - 2] + 2.0 * t[j - 1]
        ddt[j] = 2.0 * w0 * ddt[j - 1] - ddt[j - 2] + 4.0 * dt[j - 1]
    w1 = dt[stages] / ddt[stages]
    b = np.empty(stages + 1)
    b[2:] = ddt[2:] / dt[2:] ** 2
    b[0] = b[1] = b[2]
    later = np.arange(2, stages + 1)
    mu = 2.0 * b[later] * w0 / b[later - 1]
    nu = -b[later] / b[later - 2]
    mu_tilde = 2.0 * b[later] * w1 / b[later - 1]
    gamma_tilde = -(1.0 - b[later - 1] * t[later - 1]) * mu_tilde
    first = b[1] * w1
    c = np.empty(stages + 1)
    c[0], c[stages] = 0.0, 1.0
    c[2:] = w1 * ddt[2:] / dt[2:]
    c[1] = c[2] / dt[2]
    return Coefficients(float(first), mu, nu, mu_tilde, gamma_tilde, c[1:stages], float((w0 + 1.0) / w1))


def stages_for(spectral_radius: float, step: float) -> int:
    """Return the smallest stage count whose stability interval covers spectral_radius * step."""
    stages = max(2, math.isqrt(int(1.0 + spectral_radius * step / 0.7)))
    while coefficients(stages).stability < spectral_radius * step:
        stages += 1
    return stages


@dataclass(frozen=True)
class RKC2:
    """RKC2 with a fixed number of stages (at least 2)."""

    stages: int

    @property
    def evaluations(self) -> int:
        """The number of evaluations of the derivative in a step."""
        return self.stages

    @cached_property
    def coefficients(self) -> Coefficients:
        """The coefficients of the stages."""
        return coefficients(self.stages)

    def increment(self, problem: Problem, time: Any, y: Y, step: Any) -> Y:
        """Return the change of a state in one step of all stages."""
        k = self.coefficients
        start = problem.derivative(time, y)

        def stage(carry: tuple[Y, Y], of_stage: Any) -> tuple[tuple[Y, Y], None]:
            before, last = carry
            mu, nu, mu_tilde, gamma_tilde, node = of_stage
            slope = problem.derivative(time + node * step, add(y, last))
            new = combine((mu, last), (nu, before), (mu_tilde * step, slope), (gamma_tilde * step, start))
            return (last, new), None

        precision = jnp.result_type(*jax.tree.leaves(y))
        of_stages = tuple(jnp.asarray(v, precision) for v in (k.mu, k.nu, k.mu_tilde, k.gamma_tilde, k.nodes))
        first = combine((k.first * step, start))
        (_, increment), _ = lax.scan(stage, (zeros_like(y), first), of_stages)
        return increment
