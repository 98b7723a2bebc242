"""Deep Q-learning: the target by hand, exploration, and environments of which the best policy is known."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agent_training import Training, mean_return, seed, trained
from toy_environments import Aiming, Corridor, Salary

from phytotron.agents.dqn import DQN, DQNSettings
from phytotron.agents.networks import MLP, Layer
from phytotron.agents.off_policy import nearer
from phytotron.agents.replay import ReplayBatch
from phytotron.core.errors import PhytotronError
from phytotron.training.presets import make_settings, presets

QUICK: dict[str, Any] = {
    "num_envs": 4,
    "train_frequency": 1,
    "rounds": 25,
    "learning_starts": 100,  # the first update
    "learning_rate": 3e-3,
    "hidden": (16,),
    "buffer": 2000,
    "tau": 0.05,
    "target_update": 1,
    "discount": 0.95,
    "steps": 8000,
}


@pytest.fixture(scope="module")
def corridor() -> tuple[DQN, Training]:
    agent = DQN(Corridor(), DQNSettings(**QUICK))
    return agent, trained(agent, 80, 3, jnp.ones(2))


def test_it_finds_the_way_through_the_corridor(corridor: Any) -> None:
    agent, training = corridor
    policy = agent.policy(seed(training.states[-1]))
    assert mean_return(agent.environment, policy) == pytest.approx(-3.5, abs=0.3)  # 40 starts at 0 or 1
    sums = (training.progress[place].episode_sums for place in (0, -1))
    random, last = (each["return"] / each["episodes"] for each in sums)
    assert np.all(random < -7.0) and np.all(last > -5.0)


def test_its_values_are_what_the_ways_cost(corridor: Any) -> None:
    agent, training = corridor
    state = seed(training.states[-1])
    places = jnp.arange(4, dtype=jnp.float32)[:, None]
    values = state.learned.network(agent.normalised(state.experience, places))
    scale = float(jnp.sqrt(state.experience.returns.variance))
    best = [-sum(0.95**k for k in range(4 - place)) for place in range(4)]
    np.testing.assert_allclose(np.max(values, axis=1) * scale, best, rtol=0.15)


def test_values_go_on_past_a_time_limit_but_not_past_the_end() -> None:
    settings = DQNSettings(**{**QUICK, "discount": 0.8, "normalise_observations": False, "normalise_rewards": False})
    last = trained(DQN(Salary(), settings), 80, 3, jnp.asarray([False, True])).states[-1]
    values = jax.vmap(lambda network: network(jnp.ones(1, jnp.float32)))(last.learned.network)
    np.testing.assert_allclose(values, [[5.0, 5.0], [1.0, 1.0]], rtol=0.05)


def numbers(*rows: tuple[float, ...]) -> MLP:
    """A network that gives these values for observations 0, 1, ..., coded as unit vectors."""
    weight = jnp.asarray(rows, jnp.float32).T
    return MLP((Layer(weight, jnp.zeros(weight.shape[0], jnp.float32)),), "tanh")


@pytest.mark.parametrize(("double", "expected"), [(True, [1.0 + 0.5 * 2.0, -1.0]), (False, [1.0 + 0.5 * 7.0, -1.0])])
def test_the_target_is_double_or_not(double: bool, expected: list[float]) -> None:
    network, target = numbers((0.0, 3.0, 1.0), (9.0, 0.0, 0.0)), numbers((7.0, 2.0, 4.0), (5.0, 5.0, 5.0))
    batch = ReplayBatch(
        jnp.eye(2, dtype=jnp.float32),
        jnp.asarray([0, 1], jnp.int32),
        jnp.asarray([1.0, -1.0], jnp.float32),
        jnp.eye(2, dtype=jnp.float32),
        jnp.asarray([False, True]),
    )
    agent = DQN(Corridor(), DQNSettings(discount=0.5, double=double))
    np.testing.assert_allclose(agent._targets(network, target, batch), expected)
    loss, found = agent._loss(network, target, batch)
    errors = np.abs(np.array([0.0, 0.0]) - expected)  # the network's values of choices 0 and 1
    np.testing.assert_allclose(loss, np.mean(np.where(errors <= 1, errors**2 / 2, errors - 0.5)))
    assert float(found["value"]) == 0.0


def test_exploration_falls_in_a_line_or_by_a_factor() -> None:
    line = DQN(Corridor(), DQNSettings(steps=1000, exploration_fraction=0.5, final_epsilon=0.2))
    factor = DQN(Corridor(), DQNSettings(steps=1000, decay_rate=0.99, final_epsilon=0.2))
    steps = jnp.asarray([0, 250, 500, 900], jnp.int32)
    np.testing.assert_allclose(line.epsilon(steps), [1.0, 0.6, 0.2, 0.2], rtol=1e-6)
    np.testing.assert_allclose(factor.epsilon(steps), [1.0, 0.2, 0.2, 0.2], rtol=1e-6)
    assert float(factor.epsilon(steps[:1] + 100)[0]) == pytest.approx(0.99**100, rel=1e-5)


def test_nothing_is_learned_before_learning_starts_and_choices_are_uniform(corridor: Any) -> None:
    first, waited, begun = map(seed, corridor[1].states[:3])
    assert all(map(np.array_equal, *map(jax.tree.leaves, (waited.learned.network, first.learned.network))))
    networks = (each.learned.network for each in (begun, first))
    assert not np.array_equal(*(network.layers[0].weight for network in networks))
    assert float(corridor[1].progress[0].losses["value_loss"][0]) == 0.0
    assert int(waited.experience.steps) == 100 == int(waited.replay.added)
    chosen = np.bincount(np.asarray(waited.replay.rows.choice)[:100], minlength=3)
    assert np.all(np.abs(chosen - 33.3) < 4 * np.sqrt(100 * 2 / 9))  # four standard deviations


def test_the_target_network_is_copied_when_due(corridor: Any) -> None:
    agent = DQN(Corridor(), dataclasses.replace(corridor[0].settings, tau=1.0, target_update=50))
    state = seed(corridor[1].states[-1])
    collect = jax.jit(agent.collect)
    for steps, due in ((44, False), (48, True), (52, False)):  # of four environments
        state = state._replace(experience=state.experience._replace(steps=jnp.int32(steps)))
        after, _ = collect(jax.random.key(0), state, 1.0)
        expected = state.learned.network if due else state.learned.target
        assert all(map(np.array_equal, *map(jax.tree.leaves, (after.learned.target, expected))))
    soft = nearer(jnp.float32(1.0), jnp.float32(3.0), 0.25, jnp.asarray(True))
    assert float(soft) == 1.5


def test_seeds_at_once_are_seeds_alone_and_a_seed_is_always_the_same(corridor: Any) -> None:
    agent, training = corridor
    update = jax.jit(agent.update)
    alone, again = (update(seed(training.states[1], 1), 1.0)[0] for _ in range(2))
    assert all(map(np.array_equal, *map(jax.tree.leaves, (alone.learned.network, again.learned.network))))
    together = seed(training.states[2], 1)
    for one, other in zip(*(jax.tree.leaves(each.learned.network) for each in (together, alone)), strict=True):
        # Products of matrices add up in another order in a batch; 25 steps of Adam carry that on.
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(together.replay.rows.reward, alone.replay.rows.reward)


def test_updates_can_be_scanned(corridor: Any) -> None:
    agent, training = corridor
    start = seed(training.states[0])
    after, _ = jax.eval_shape(lambda now: jax.lax.scan(lambda now, _: agent.update(now, 1.0), now, length=2), start)
    assert jax.tree.structure(after) == jax.tree.structure(start)


def test_networks_and_buffer_are_in_single_precision_where_double_is_enabled(corridor: Any) -> None:
    _, (states, progress) = corridor
    last = states[-1]
    kept = (last.learned, last.replay, last.experience.observations, progress)
    assert not [leaf for leaf in jax.tree.leaves(kept) if leaf.dtype == np.float64]


@pytest.mark.parametrize("name", presets("dqn"))
def test_presets_are_settings_that_can_be_written(name: str) -> None:
    settings = make_settings("dqn", name)
    assert json.loads(json.dumps(dataclasses.asdict(settings)))["steps"] == settings.steps


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"batch": 0}, "batch is 0"),
        ({"num_envs": 2.5}, "num_envs is 2.5"),
        ({"learning_starts": -1}, "learning_starts is -1"),
        ({"discount": 1.1}, "discount is 1.1"),
        ({"tau": 0.0}, "tau is 0.0"),
        ({"buffer": 3}, "buffer is 3; expected at least num_envs x train_frequency = 4"),
        ({"max_gradient_norm": -1.0}, "max_gradient_norm is -1.0"),
        ({"final_epsilon": 2.0}, "final_epsilon is 2.0"),
        ({"exploration_fraction": 0.0}, "exploration_fraction is 0.0"),
        ({"decay_rate": 1.5}, "decay_rate is 1.5"),
        ({"activation": "rel"}, "relu"),
        ({"hidden": (0,)}, "widths"),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(PhytotronError, match=says):
        DQNSettings(**wrong)


def test_continuous_actions_are_refused() -> None:
    with pytest.raises(PhytotronError, match=r"^test/Aiming-v0 has continuous actions, .*; train ppo, or sac$"):
        DQN(Aiming())
