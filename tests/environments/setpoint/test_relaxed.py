"""The set-point task with any set-point as an action."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.environments.setpoint import GreenhouseSetpoint
from phytotron.episodes.open_loop import follow

KEY = jax.random.key(0)


def total(env: object, actions: object, params: object) -> float:
    return float(jax.jit(lambda each: follow(env, KEY, each, params).total)(actions))  # type: ignore[arg-type]


@pytest.mark.slow
def test_whole_degrees_are_the_choices() -> None:
    # Which solver it is makes no difference here, and this one is compiled soonest.
    env = GreenhouseSetpoint(first_day=100, episode_days=0.125, mature=True, hold=300, solver="euler")
    relaxed, choices = env.relaxed(), np.array([2, 7, 0])
    assert relaxed.differentiable and relaxed.action_space.high == 10.0
    found = total(relaxed, choices.astype("float32"), env.default_params)
    assert found == pytest.approx(total(env, choices, env.default_params), rel=1e-6)


@pytest.mark.slow
def test_gradients_by_set_points_agree_with_differences() -> None:
    env = GreenhouseSetpoint(first_day=100, episode_days=1.0, mature=True).relaxed()
    actions = jnp.full(24, 2.0, jnp.float32)
    slope = jax.jit(jax.grad(lambda each: follow(env, KEY, each, env.default_params).total))(actions)
    for step in (10, 12):
        ends = [total(env, actions.at[step].add(change), env.default_params) for change in (-0.25, 0.25)]
        assert float(slope[step]) == pytest.approx((ends[1] - ends[0]) / 0.5, rel=0.1)
