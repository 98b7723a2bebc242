"""Plans of what is wanted, where actions change positions instead of setting them."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.arrays import soft_clip
from phytotron.core.environment import Environment
from phytotron.environments.greenhouse import ControlProcessing, Greenhouse
from phytotron.environments.lettuce import Lettuce
from phytotron.episodes.open_loop import follow, wanted_by

SLOW_VENT = ControlProcessing(mode="rate", max_change=0.2, bounds={"roof_vent": (0.1, 0.6)})
ENVIRONMENTS: dict[str, Environment[Any, Any]] = {
    "lettuce": Lettuce(episode_days=0.25),
    # Which solver it is makes no difference here, and this one is compiled soonest.
    "greenhouse": Greenhouse(actuators=SLOW_VENT, episode_days=0.05, solver="euler"),
}
EACH = pytest.mark.parametrize("name", ["lettuce", pytest.param("greenhouse", marks=pytest.mark.slow)])


@EACH
def test_wanting_what_actions_bring_about_gives_the_same_episode(name: str) -> None:
    env = ENVIRONMENTS[name]
    key, params = jax.random.key(0), env.default_params
    size = env.action_space.shape[0]
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (env.episode_steps, size)).astype(env.action_space.dtype)
    by_actions = follow(env, key, jnp.asarray(actions), params)
    wanted = wanted_by(env, key, jnp.asarray(actions), params)
    assert np.all(np.abs(np.asarray(wanted)) <= 1.0 + 1e-6)
    by_wanted = follow(env, key, wanted, params, env.toward)
    assert float(by_wanted.total) == pytest.approx(float(by_actions.total), rel=1e-4, abs=1e-6)
    again = follow(env, key, by_wanted.actions, params)
    assert float(again.total) == pytest.approx(float(by_wanted.total), rel=1e-6)


@EACH
def test_what_is_out_of_reach_is_approached_at_full_speed_and_has_a_slope(name: str) -> None:
    env = ENVIRONMENTS[name]
    _, state = env.reset(jax.random.key(0))
    lowest, highest = (jnp.full(env.action_space.shape, bound, env.precision) for bound in (-1.0, 1.0))
    assert np.asarray(env.toward(highest, state)) == pytest.approx(1.0)
    after = state
    for _ in range(12):
        after = env.step(jax.random.key(1), after, env.toward(highest, after))[1]
    assert np.asarray(env.toward(highest, after)) == pytest.approx(0.0, abs=1e-5)
    assert np.asarray(env.toward(lowest, after)) == pytest.approx(-1.0)
    assert np.all(np.asarray(jax.grad(lambda wanted: env.toward(wanted, state).sum())(0.5 * highest)) > 0.0)


def test_where_actions_are_positions_they_are_what_is_wanted() -> None:
    env = Greenhouse(episode_days=0.05)
    _, state = env.reset(jax.random.key(0))
    wanted = jnp.array([-1.0, -0.3, 0.2, 1.0], env.precision)
    assert np.array_equal(env.toward(wanted, state), wanted) and np.array_equal(env.reached(wanted, state), wanted)


def test_a_soft_clip_clips_and_has_the_slope_of_an_arctan() -> None:
    values = jnp.array([-3.0, -0.5, 0.0, 0.7, 2.0])
    assert np.array_equal(soft_clip(values), np.clip(values, -1.0, 1.0))
    slopes = jax.vmap(jax.grad(soft_clip))(values)
    assert np.asarray(slopes) == pytest.approx(1.0 / (1.0 + values**2))


def test_the_steering_of_lettuce_is_the_way_to_wanted_positions_by_what_is_observed() -> None:
    env = Lettuce(episode_days=0.25, forecast=2)
    observation, state = env.reset(jax.random.key(0))
    _, state, *_ = env.step(jax.random.key(1), state, jnp.asarray([0.7, 0.3, -1.0]))
    observation = env._observe(state, env.default_params)
    gain, offset, slope, observed = env.steering
    for wanted in (jnp.asarray([-0.9, -0.95, -0.4]), jnp.asarray([1.0, -1.0, 0.3])):
        action = gain * wanted + offset + slope * observation[np.array(observed)]
        assert np.clip(action, -1.0, 1.0) == pytest.approx(np.asarray(env.toward(wanted, state)), abs=1e-5)
