"""Gradients through control intervals: slopes of what happens, and bounded over ten days of any control."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.fields import names, stack, unstack
from phytotron.environments.greenhouse import GreenLightGym
from phytotron.environments.greenhouse.environment import GreenhouseState
from phytotron.models.greenlight import Control, State, Weather

KEY = jax.random.key(1)
STEP = 1e-5  # of the central differences, in the scales below


def scale_of(name: str) -> float:
    """The size of a change that matters; that of the clock does not, as it switches lamps."""
    for part, scale in {"co2": 100.0, "vapour": 100.0, "carbohydrate": 1e4, "time": 0.0}.items():
        if part in name:
            return scale
    return 1.0


SCALES = np.array([scale_of(name) for name in names(State)])


def random_control(key: Any, steps: int) -> Any:
    """Actions that last half an hour on average and jump anywhere, short of their bounds."""
    drawn, when = jax.random.split(key)
    actions = jnp.clip(1.3 * jax.random.uniform(drawn, (steps, 4), minval=-1.0, maxval=1.0), -0.99, 0.99)
    changed = jnp.where(jax.random.uniform(when, (steps,)) < 0.15, jnp.arange(steps), 0)
    return actions[jax.lax.cummax(changed)]


@functools.cache
def greenhouse(precision: str, solver: str = "rosenbrock") -> GreenLightGym:
    return GreenLightGym(weather="schiphol", reward="additive", precision=precision, solver=solver)


def states_on_the_way(env: GreenLightGym, count: int, steps: int, episodes: int = 8) -> tuple[GreenhouseState, Any]:
    """States and actions of some days under random control, from days drawn all over the year."""

    def episode(key: Any) -> Any:
        first, acting = jax.random.split(key)
        state = env.initial(first, env.default_params)[1]

        def step(now: GreenhouseState, action: Any) -> Any:
            return env.transition(first, now, action, env.default_params)[1], (now, action)

        return jax.lax.scan(step, state, random_control(acting, steps))[1]

    made = jax.jit(lambda keys: jax.lax.map(episode, keys))(jax.random.split(KEY, episodes))
    rng = np.random.default_rng(0)
    chosen = rng.integers(0, episodes, count), rng.integers(12, steps, count)
    return jax.tree.map(lambda leaf: leaf[chosen], made)


@pytest.mark.parametrize(
    ("solver", "count", "steps"),
    [("euler", 50, 96), pytest.param("rosenbrock", 1000, 576, marks=pytest.mark.slow)],
)
def test_gradients_by_state_control_and_weather_are_slopes(solver: str, count: int, steps: int) -> None:
    env = greenhouse("float64", solver)
    states, actions = states_on_the_way(env, count, steps)
    rng = np.random.default_rng(3)
    ways = (
        rng.standard_normal((count, 28)) * SCALES,
        rng.uniform(-1.0, 1.0, (count, 8)),
        rng.standard_normal((count, 10)),
    )
    weights = rng.standard_normal((count, 28)) / np.where(SCALES > 0.0, SCALES, 1.0)

    def along(distance: Any, state: GreenhouseState, action: Any, ways: Any, weights: Any) -> Any:
        """A weighted sum of the states an interval later, a distance along a way from where the greenhouse is."""
        weather = env.weather_at(state)
        control = env.processing.control(action, state.control, env.rule_based(state))
        control = unstack(Control, jnp.clip(stack(control), 0.01, 0.99) + distance * ways[1])
        moved = unstack(State, stack(state.model) + distance * ways[0])
        outside = dataclasses.replace(
            weather,
            **{name: getattr(weather, name) + distance * ways[2][n] for n, name in enumerate(names(Weather)[:6])},
        )
        return jnp.sum(stack(env.model.run(moved, control, outside, env.default_params.model).state) * weights)

    def both(point: Any) -> tuple[Any, Any]:
        behind, ahead = jax.lax.map(lambda distance: along(distance, *point), jnp.array([-STEP, STEP]))
        return jax.grad(along)(0.0, *point), (ahead - behind) / (2.0 * STEP)

    gradients, slopes = jax.jit(lambda points: jax.lax.map(both, points))((states, actions, ways, weights))
    error = np.abs(np.asarray(gradients - slopes)) / (np.abs(np.asarray(slopes)) + 0.1)
    assert np.quantile(error, 0.99) < 1e-5
    assert np.mean(error > 1e-4) <= 0.005 and error.max() < 1e-2  # where a formula has a kink within the distance


@pytest.mark.slow
def test_the_gradient_of_ten_days_of_random_control_is_bounded() -> None:
    # With gradients through the rules of lamps and blackout screen it reaches 25,000 in 24 such episodes.
    env = greenhouse("float32")

    def total(actions: Any, key: Any) -> Any:
        state = env.initial(key, env.default_params)[1]

        def step(now: GreenhouseState, action: Any) -> Any:
            _, after, reward, *_ = env.transition(key, now, action, env.default_params)
            return after, reward

        return jnp.sum(jax.lax.scan(step, state, actions)[1])

    gradient = jax.jit(jax.grad(total))
    for number in range(24):
        actions = random_control(jax.random.key(100 + number), 2880).astype(jnp.float32)
        found = np.asarray(gradient(actions, jax.random.key(200 + number)))
        assert np.all(np.isfinite(found))
        assert np.linalg.norm(found) < 1000.0
        assert np.abs(found).max() < 100.0
