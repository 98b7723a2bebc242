"""Imitation: an actor that begins as a controller at hand, with continuous and with discrete actions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Aiming, Corridor

from phytotron.agents.imitation import Clone, imitate
from phytotron.agents.networks import mlp
from phytotron.agents.policy import scaling_of
from phytotron.agents.ppo import PPO, PPOSettings
from phytotron.controllers.base import FromFunction, Schedule
from phytotron.core.errors import PhytotronError, UnknownNameError

SMALL: dict[str, Any] = {"num_envs": 8, "rollout": 8, "minibatch": 32, "epochs": 2, "actor": (16,), "critic": (16,)}


def cloned(environment: Any, rule: Any, outputs: int, rounds: int = 400) -> Clone:
    learner = PPO(environment, PPOSettings(**SMALL))
    network = mlp(jax.random.key(1), 1, (16,), outputs, "tanh")

    @jax.jit
    def run() -> Clone:
        start = learner.start(jax.random.key(2), 1.0)
        return imitate(FromFunction(rule), learner, start, network, jax.random.key(3), 1.0, rounds)

    return run()


def test_a_network_learns_a_continuous_rule_in_the_units_of_the_environment() -> None:
    clone = cloned(Aiming(), lambda seen: seen + 0.5, 1)
    marks = jnp.linspace(1.1, 2.9, 7)[:, None]
    said = clone.network(clone.experience.observations.normalise(marks, 10.0))
    scaling = scaling_of(Aiming().action_space)
    assert scaling is not None
    np.testing.assert_allclose(scaling.action(said), marks + 0.5, atol=0.05)
    assert float(clone.errors[-1]) < 0.01 * float(clone.errors[0])


def test_a_network_learns_a_rule_among_choices() -> None:
    clone = cloned(Corridor(), lambda seen: jnp.where(seen[0] < 2.0, 2, 1).astype(jnp.int32), 3)
    places = jnp.asarray([[0.0], [1.0], [2.0]])
    choices = jnp.argmax(clone.network(clone.experience.observations.normalise(places, 10.0)), axis=-1)
    np.testing.assert_array_equal(choices, [2, 2, 1])


def test_moments_are_those_of_what_the_controller_saw() -> None:
    clone = cloned(Aiming(), lambda seen: seen, 1, rounds=4)
    assert float(clone.experience.observations.count) == pytest.approx(8 + 4 * 64 * 8)
    assert float(clone.experience.observations.mean[0]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.slow
def test_the_critic_can_learn_first_while_the_actor_stays_as_it_is() -> None:
    agent = PPO(Aiming(), PPOSettings(**SMALL, critic_first=1, entropy=0.01))
    update = jax.jit(agent.update)
    first = jax.jit(agent.init)(jax.random.key(0), 1.0)
    second, _ = update(first, 1.0)
    third, _ = update(second, 1.0)
    assert _equal(first.networks.actor, second.networks.actor)
    assert _equal(first.networks.log_std, second.networks.log_std)
    assert not _equal(first.networks.critic, second.networks.critic)
    assert not _equal(second.networks.actor, third.networks.actor)


@pytest.mark.parametrize("normalised", [True, False])
def test_an_agent_begins_as_the_controller_of_a_name(normalised: bool) -> None:
    settings = PPOSettings(**SMALL, imitate="off", imitation_rounds=400, normalise_observations=normalised)
    agent = PPO(Aiming(), settings)
    policy = agent.policy(jax.jit(agent.init)(jax.random.key(0), 1.0))
    action, _ = policy.act(jax.random.key(0), (), jnp.asarray([2.0]), None, None)
    assert float(action[0]) == pytest.approx(0.0, abs=0.05)


def test_without_rounds_an_agent_begins_as_one_that_imitates_nothing() -> None:
    plain, without = (PPO(Aiming(), PPOSettings(**SMALL, imitate=name, imitation_rounds=0)) for name in (None, "off"))
    assert _equal(*(jax.random.key_data(agent.init(jax.random.key(0), 1.0).key) for agent in (plain, without)))
    assert _equal(*(agent.init(jax.random.key(0), 1.0).networks for agent in (plain, without)))


def test_a_controller_that_does_not_exist_is_refused_by_name() -> None:
    agent = PPO(Aiming(), PPOSettings(**SMALL, imitate="ofg"))
    with pytest.raises(UnknownNameError, match="off"):
        agent.init(jax.random.key(0), 1.0)


def test_a_controller_with_a_memory_is_refused() -> None:
    learner = PPO(Aiming(), PPOSettings(**SMALL))
    network, plan = mlp(jax.random.key(1), 1, (16,), 1, "tanh"), Schedule(jnp.ones((5, 1)))
    with pytest.raises(PhytotronError, match="Schedule has a memory"):
        imitate(plan, learner, learner.start(jax.random.key(2), 1.0), network, jax.random.key(3), 1.0, 1)


def _equal(one: Any, other: Any) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True))
