"""RKC2: the real stability interval and the choice of stages."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError
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


@pytest.mark.parametrize("stages", STAGES)
def test_every_mode_inside_the_stated_interval_is_damped(stages: int) -> None:
    z, size = amplification(stages)
    inside = z <= coefficients(stages).stability
    assert np.all(size[inside] <= 1.0 + 1e-12)
    # Past the first decay |R| swings around 2/3 by 1/3 (1 - epsilon): never nearer to 1 than 3 %.
    assert np.all(size[inside & (z > 1.5)] <= 0.97)


@pytest.mark.parametrize("stages", STAGES)
def test_the_stated_interval_is_the_measured_one(stages: int) -> None:
    # It ends where the damped polynomial leaves its swing. With an even number of stages the polynomial then soon
    # exceeds 1 (1.9 % further for two stages, below 0.5 % for more); with an odd number it first has to fall to -1.
    stated, measured = coefficients(stages).stability, measured_interval(stages)
    most = {2: 1.02, 3: 1.19, 5: 1.06}.get(stages, 1.01)
    assert stated * (1.0 - 1e-3) <= measured <= most * stated


@pytest.mark.parametrize("stages", STAGES)
def test_the_interval_grows_with_the_square_of_the_stages(stages: int) -> None:
    assert coefficients(stages).stability >= 0.65 * (stages**2 - 1)


@pytest.mark.parametrize("stages", STAGES)
def test_no_internal_stage_grows_inside_the_interval(stages: int) -> None:
    z = jnp.linspace(0.0, coefficients(stages).stability, 50)
    seen = []

    def derivative(_: Any, y: jax.Array) -> jax.Array:
        seen.append(np.asarray(y))
        return -z * y

    with jax.disable_jit():
        RKC2(stages).increment(Problem(derivative), 0.0, jnp.ones_like(z), 1.0)
    assert len(seen) == stages
    # Sommeijer et al. 1997, section 2: internal stages are bounded by 1 as the method itself.
    assert np.all(np.abs(seen) <= 1.0 + 1e-9)


def test_the_nodes_lie_inside_the_step_and_grow() -> None:
    for stages in STAGES:
        nodes = coefficients(stages).nodes
        assert len(nodes) == stages - 1
        assert np.all(np.diff([0.0, *nodes, 1.0]) > 0.0)


@pytest.mark.parametrize("needed", [0.0, 0.5, 1.9, 2.1, 5.0, 10.0, 41.0, 41.3, 135.0, 166.0, 167.0, 5000.0])
def test_stages_for_gives_the_smallest_number_that_suffices(needed: float) -> None:
    stages = stages_for(needed / 30.0, 30.0)
    assert stages >= 2
    assert coefficients(stages).stability >= needed
    assert stages == 2 or coefficients(stages - 1).stability < needed


@pytest.mark.parametrize("stages", [1, 0, -3])
def test_fewer_than_two_stages_are_refused(stages: int) -> None:
    with pytest.raises(PhytotronError, match="stages"):
        RKC2(stages).increment(Problem(lambda _, y: -y), 0.0, jnp.ones(()), 1.0)
