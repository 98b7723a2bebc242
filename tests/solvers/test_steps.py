"""Sub-steps of an interval, and integration over them without losing slow pools to rounding."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phytotron.solvers import RK4, RKC2, Euler, Problem, Rosenbrock2, Solver, graded, integrate, uniform

SUM_TOLERANCE = 1e-12  # rounding of at most a thousand additions, relative
DURATIONS = st.floats(1.0, 86400.0)


@given(DURATIONS, st.integers(1, 1000))
def test_uniform_steps_are_equal_and_fill_the_interval(duration: float, count: int) -> None:
    steps = uniform(duration, count)
    assert len(steps.lengths) == steps.count == count
    assert np.all(steps.lengths == steps.lengths[0])
    assert steps.lengths.sum() == pytest.approx(duration, rel=SUM_TOLERANCE)


@given(DURATIONS, st.integers(2, 400), st.floats(1e-3, 0.999))
def test_graded_steps_start_as_asked_grow_and_fill_the_interval(duration: float, count: int, share: float) -> None:
    first = share * duration / count
    steps = graded(duration, count, first)
    assert steps.count == count
    assert steps.lengths[0] == first
    assert steps.ratio > 1.0
    assert np.all(np.diff(steps.lengths) > 0.0)
    assert steps.lengths.sum() == pytest.approx(duration, rel=1e-9)  # the ratio is known to 1e-16, its power less well


@given(DURATIONS, st.integers(1, 400), st.floats(1.0, 100.0))
def test_a_first_step_too_long_to_grow_from_gives_equal_steps(duration: float, count: int, share: float) -> None:
    # One part in 1e12 more, so that rounding does not put the first step just below the equal one.
    assert graded(duration, count, share * duration / count * (1.0 + 1e-12)) == uniform(duration, count)


def test_a_single_step_is_the_whole_interval() -> None:
    assert graded(300.0, 1, 5.0).lengths.tolist() == [300.0]


@pytest.mark.parametrize("interval", [300.0, 900.0, 3600.0, 86400.0])
def test_the_steps_of_an_hour_or_a_day_are_found_too(interval: float) -> None:
    steps = graded(interval, round(interval / 15.0), 5.0)
    assert steps.lengths.sum() == pytest.approx(interval, rel=1e-9)


@pytest.mark.parametrize(
    "steps",
    [uniform(300.0, 20), graded(300.0, 20, 5.0), graded(np.float64(300.0), 20, np.float64(5.0))],
    ids=["uniform", "graded", "graded by numbers of numpy"],
)
@pytest.mark.parametrize("precision", [jnp.float32, jnp.float64])
def test_integrate_ends_at_the_end_of_the_interval_in_the_precision_of_the_state(steps: Any, precision: Any) -> None:
    # dy/dt = t is integrated exactly by RK4, so that the end says which time was reached.
    end = integrate(RK4(), Problem(lambda time, y: time + 0.0 * y), jnp.zeros((), precision), steps)
    assert end.dtype == precision
    assert float(end) == pytest.approx(0.5 * 300.0**2, rel=20 * 20 * float(jnp.finfo(precision).eps))


def test_integrate_keeps_structure_and_shapes_of_the_state() -> None:
    start = {"pool": jnp.ones((3, 2)), "pair": (jnp.zeros(()), jnp.ones(4))}
    end = integrate(Euler(), Problem(lambda _, y: jax.tree.map(jnp.ones_like, y)), start, uniform(1.0, 4))
    assert jax.tree.map(jnp.shape, end) == jax.tree.map(jnp.shape, start)
    assert jax.tree.all(jax.tree.map(lambda a, b: bool(jnp.allclose(a, b + 1.0)), end, start))


POOL = 1e5
INTERVALS = 1000
DURATION = 300.0
SUBSTEPS = 20


def end_of_season(solver: Solver, rates: np.ndarray) -> np.ndarray:
    """Pools of 1e5 that grow at constant rates for 1000 intervals of 20 sub-steps, in float32."""
    rate = jnp.asarray(rates, jnp.float32)
    problem = Problem(lambda _, y: rate + 0.0 * y, lambda _, y: (rate + 0.0 * y, lambda step, rates: rates))
    steps = graded(DURATION, SUBSTEPS, 5.0)
    run = jax.jit(functools.partial(jax.lax.fori_loop, 0, INTERVALS, lambda _, y: integrate(solver, problem, y, steps)))
    return np.asarray(run(jnp.full(rate.shape, POOL, jnp.float32)), float)


@pytest.mark.parametrize("solver", [Euler(), RK4(), RKC2(10), Rosenbrock2()], ids=lambda solver: type(solver).__name__)
def test_slow_pools_grow_in_float32_as_they_should(solver: Solver) -> None:
    # Near 1e5 neighbouring float32 numbers are 2^-7 = 0.0078 apart, so that one addition per interval is wrong by at
    # most half of that, 0.0039, of the 3 that are added: 0.13 %, always the same way, since the growth is always the
    # same. Additions in every sub-step would be wrong by up to 20 times as much.
    rates = np.random.default_rng(0).uniform(0.8e-2, 1.2e-2, 200)
    growth = rates * DURATION * INTERVALS
    error = end_of_season(solver, rates) - POOL - growth
    half_spacing = 0.5 * 2.0**-7
    assert np.max(np.abs(error)) <= INTERVALS * half_spacing * (1.0 + 1e-2)
    # Over pools of different rates the rounding goes both ways: on the average no growth is lost.
    assert abs(error.mean() / growth.mean()) <= 1e-4


def test_a_pool_whose_growth_is_a_float32_number_is_kept_exactly() -> None:
    # 1e-2 per second is 3 per interval, a multiple of the spacing of float32 numbers.
    end = end_of_season(Rosenbrock2(), np.array([1e-2]))
    assert end[0] - POOL == pytest.approx(3000.0, rel=1e-6)
