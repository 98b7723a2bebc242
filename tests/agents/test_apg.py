"""Analytic policy gradients: the gradient by hand, its bounds, and tasks of which the best policy is known."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agent_training import mean_return, seed, trained
from jax import Array
from toy_environments import Aiming, Corridor

from phytotron.agents.apg import APG, INSIDE, APGSettings, within_bounds
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Box
from phytotron.environments.greenhouse import Greenhouse
from phytotron.training.presets import make_settings, presets


class SmoothAiming(Aiming):
    """Aiming, of which gradients are meant."""

    id = "test/SmoothAiming-v0"
    differentiable = True


class Saving(Environment[Array, float]):
    """Nothing is earned before the end, where a state, the sum of all actions, is worth itself less its square."""

    id = "test/Saving-v0"
    differentiable = True
    observation_space = Box.uniform(-10.0, 10.0, (1,))
    action_space = Box.uniform(-1.0, 1.0, (1,))
    default_params = 1.0
    episode_steps = 4
    fields = {}  # noqa: RUF012

    def initial(self, key, params):
        return jnp.zeros(1, jnp.float32), jnp.zeros(2, jnp.float32)

    def transition(self, key, state, action, params):
        after = jnp.stack([state[0] + action[0], state[1] + 1.0])
        over = after[1] >= self.episode_steps
        return after[:1], after, jnp.zeros((), jnp.float32), jnp.zeros((), bool), over, {"costs": {}}

    def terminal_value(self, state, params):
        return state[0] - state[0] ** 2


SETTINGS = APGSettings(num_envs=8, window=5, learning_rate=0.02, actor=(16,), steps=8 * 5 * 150)


def test_it_comes_close_to_the_best_and_chance_does_not() -> None:
    agent = APG(SmoothAiming(), SETTINGS)
    training = trained(agent, 150, 1)
    assert mean_return(agent.environment, agent.policy(seed(training.states[-1]))) > -0.1
    assert mean_return(agent.environment, agent.policy(seed(training.states[0]))) < -1.0


def test_what_a_window_leaves_behind_is_learned_from_where_nothing_else_is_earned() -> None:
    agent = APG(Saving(), APGSettings(num_envs=4, window=4, learning_rate=0.02, actor=(8,), steps=4 * 4 * 150))
    policy = agent.policy(seed(trained(agent, 150, 1).states[-1]))
    state = jnp.zeros(2, jnp.float32)
    for _ in range(4):
        action, _ = policy.act(jax.random.key(0), (), state[:1], state, 1.0)
        state = agent.environment.transition(jax.random.key(0), state, action, 1.0)[1]
    assert float(state[0]) == pytest.approx(0.5, abs=0.05)  # of which x - x^2 is highest


def test_gradients_are_clipped_and_point_inwards_beyond_the_bounds() -> None:
    bounded = within_bounds(0.1)
    said = jnp.array([0.0, 0.5, 1.5, 1.5, -1.5, -1.5])
    wanted = jnp.array([0.05, -3.0, -1.0, 1.0, 1.0, -1.0])  # slopes of a loss
    made, pull = jax.vjp(bounded, said)
    assert np.allclose(made, np.clip(said, -INSIDE, INSIDE))
    assert np.allclose(pull(wanted)[0], [0.05, -0.1, 0.0, 0.1, 0.0, -0.1])
    assert np.all(np.isfinite(pull(jnp.full(6, jnp.nan))[0]))


def test_it_needs_gradients() -> None:
    for environment in (Corridor(), Aiming()):
        with pytest.raises(PhytotronError, match="gives no gradients by its actions"):
            APG(environment, SETTINGS)


def test_its_presets_fit_the_greenhouse() -> None:
    for name in presets("apg"):
        settings = make_settings("apg", name)
        assert APG(Greenhouse(), settings).steps_per_update == settings.num_envs * settings.window


@pytest.mark.slow
def test_the_greenhouse_earns_more_after_some_updates() -> None:
    env = Greenhouse(reward="additive", episode_days=1.0, substeps=8)
    settings = APGSettings(
        num_envs=8, window=144, learning_rate=2e-3, actor=(32,), imitate="rule-based", imitation_rounds=40, steps=34_560
    )
    agent = APG(env, settings)
    state, update = jax.jit(agent.init)(jax.random.key(0), env.default_params), jax.jit(agent.update)
    earned = []
    for _ in range(30):
        state, progress = update(state, env.default_params)
        earned.append(float(progress.losses["earned"]))
    assert np.mean(earned[-6:]) > np.mean(earned[:6]) + 2.0
