"""Analytic policy gradients: the gradient by hand, its bounds, and tasks of which the best policy is known."""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agent_training import mean_return, seed, trained
from jax import Array
from toy_environments import Aiming, Corridor

from phytotron.agents.apg import APG, INSIDE, APGSettings, within_bounds
from phytotron.controllers.base import Constant
from phytotron.core.arrays import soft_clip
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.plannable import Steering
from phytotron.core.presentation import Competitor
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


class Moving(Environment[Array, float]):
    """A position between -1 and 1 is to follow a target that is seen; an action moves it by a tenth of itself."""

    id = "test/Moving-v0"
    differentiable = True
    observation_space = Box.uniform(-10.0, 10.0, (2,))
    action_space = Box.uniform(-1.0, 1.0, (1,))
    default_params = 1.0
    episode_steps = 8
    fields = {}  # noqa: RUF012
    steering = Steering(np.array([10.0]), np.array([0.0]), np.array([-10.0]), (1,))

    def initial(self, key, params):
        target, position = jax.random.uniform(key, (2,), jnp.float32, -0.9, 0.9)
        state = jnp.stack([target, position, 0.0])
        return state[:2], state

    def transition(self, key, state, action, params):
        after = state.at[1].set(self.reached(action, state)[0]).at[2].add(1.0)
        over = after[2] >= self.episode_steps
        return after[:2], after, -((after[1] - after[0]) ** 2), jnp.zeros((), bool), over, {"costs": {}}

    def toward(self, wanted, state):
        return soft_clip(10.0 * (wanted - state[1]))

    def reached(self, action, state):
        return jnp.clip(state[1] + 0.1 * jnp.clip(action, -1.0, 1.0), -1.0, 1.0)


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


def test_where_actions_change_positions_a_policy_of_wanted_positions_gives_the_actions_towards_them() -> None:
    agent = APG(Moving(), dataclasses.replace(SETTINGS, actor=(16, 16), staggered=True))
    training = trained(agent, 150, 1)
    state = seed(training.states[-1])
    policy, observation = agent.policy(state), jnp.asarray([[0.5, -0.4], [0.5, 0.48], [-0.7, -0.72], [0.0, 0.9]])
    wanted = state.actor(agent.normalised(state.experience, observation))
    assert np.asarray(wanted[1:3, 0]) == pytest.approx(np.asarray(observation[1:3, 0]), abs=0.1)  # within a step
    now = jnp.concatenate([observation, jnp.zeros((4, 1))], axis=1)
    expected = jax.vmap(agent.environment.toward)(wanted, now)
    given = policy.act(jax.random.key(0), (), observation, now, None)[0]
    assert np.asarray(given) == pytest.approx(np.asarray(expected), abs=1e-4)


def test_a_clone_learns_the_positions_that_a_controller_brings_about(monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"held": lambda _: Competitor("held", "moves nothing", env, (Constant(np.zeros(1, np.float32)),))}
    monkeypatch.setattr(Moving, "baselines", held)
    env = Moving()
    agent = APG(env, dataclasses.replace(SETTINGS, imitate="held", imitation_rounds=60))
    state = agent.init(jax.random.key(0), 1.0)
    observation = jnp.asarray([[0.5, -0.4], [-0.5, 0.3]])
    assert np.asarray(state.actor(agent.normalised(state.experience, observation)))[:, 0] == pytest.approx(
        np.asarray(observation[:, 1]), abs=0.1
    )
