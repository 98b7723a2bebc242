"""RKC2: the real stability interval and the choice of stages."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.solvers import RKC2, Problem, stages_for
from phytotron.solvers.rkc2 import coefficients

STAGES = (2, 3, 4, 5, 8, 10, 13, 16, 24, 40)


@functools.cache
def amplification(stages: int) -> tuple[np.ndarray, np.ndarray]:
    """z and |R(-z)| of one step of length 1 on y' = -z y, on a grid 0.02 % of the interval apart."""
    z = jnp.linspace(0.0, 1.3 * coefficients(stages).stability, 6501)
    problem = Problem(lambda _, y: -z * y)
    increment = jax.jit(lambda y: RKC2(stages).increment(problem, 0.0, y, 1.0))(jnp.ones_like(z))
    return np.asarray(z), np.abs(1.0 + np.asarray(increment))


def measured_interval(stages: int) -> float:
    """The largest z up to which |R| stays at or below 1."""
    z, size = amplification(stages)
    unstable = np.flatnonzero(size > 1.0 + 1e-12)
    return float(z[unstable[0] - 1]) if len(unstable) else float(z[-1])
