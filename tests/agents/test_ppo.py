"""Proximal policy optimisation: advantages against a slow reference, and tasks of which the best policy is known."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from agent_training import Training, mean_return, seed, trained
from toy_environments import Aiming, Corridor

from phytotron.agents.networks import MLP, Layer
from phytotron.agents.ppo import PPO, Networks, PPOSettings, PPOState, Rollout
from phytotron.agents.sac import SAC
from phytotron.controllers.base import Random
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.spaces import Box

QUICK: dict[str, Any] = {
    "num_envs": 8,
    "rollout": 40,
    "minibatch": 80,
    "learning_rate": 3e-3,
    "actor": (16,),
    "critic": (16,),
    "discount": 0.95,
    "steps": 8000,
}
TASKS = {
    "continuous": PPO(Aiming(), PPOSettings(**QUICK)),
    "discrete": PPO(Corridor(), PPOSettings(**QUICK)),
}


@pytest.fixture(scope="module")
def learned() -> dict[str, Training]:
    return {name: trained(agent, 25, 2) for name, agent in TASKS.items()}


@pytest.fixture(scope="module")
def rollout(learned: Any) -> tuple[PPOState, Rollout]:
    state, experience, _ = jax.jit(TASKS["continuous"]._collect)(seed(learned["continuous"].states[0]), 1.0)
    return state, experience


@pytest.mark.parametrize(("task", "best", "near", "random"), [("continuous", 0, 0.4, -6), ("discrete", -3.5, 0.3, -10)])
def test_it_comes_close_to_the_best_and_chance_does_not(
    learned: Any, task: str, best: float, near: float, random: float
) -> None:
    agent = TASKS[task]
    policy = agent.policy(seed(learned[task].states[-1]))
    assert mean_return(agent.environment, policy) == pytest.approx(best, abs=near)
    assert mean_return(agent.environment, Random(agent.environment)) < random


def reference_advantages(
    reward: Any, value: Any, following: Any, terminated: Any, truncated: Any, discount: float, decay: float
) -> Any:
    """Schulman et al. 2016, eq. 16, as a sum over all later steps of the same episode."""
    steps, rows = reward.shape
    advantage = np.zeros((steps, rows))
    for row in range(rows):
        for start in range(steps):
            for step in range(start, steps):
                after = 0.0 if terminated[step, row] else following[step, row]
                error = reward[step, row] + discount * after - value[step, row]
                advantage[start, row] += (discount * decay) ** (step - start) * error
                if terminated[step, row] or truncated[step, row]:
                    break
    return advantage


def test_advantages_are_those_of_a_slow_reference_with_both_kinds_of_end() -> None:
    generator = np.random.default_rng(0)
    steps, rows = 30, 4
    observation, following, reward = (generator.normal(size=(steps, rows)).astype(np.float32) for _ in range(3))
    ended = generator.random((steps, rows))
    terminated, truncated = ended < 0.15, (ended > 0.85) | (ended < 0.03)  # also both at once
    critic = MLP((Layer(jnp.full((1, 1), 2.0, jnp.float32), jnp.ones(1, jnp.float32)),), "tanh")  # 2 x + 1
    agent = PPO(Corridor(), PPOSettings(discount=0.9, gae_lambda=0.8))
    experience = Rollout(
        jnp.asarray(observation)[..., None],
        jnp.zeros((steps, rows), jnp.int32),
        jnp.zeros((steps, rows), jnp.float32),
        jnp.asarray(reward),
        jnp.asarray(following)[..., None],
        jnp.asarray(terminated),
        jnp.asarray(truncated),
    )
    batch = agent._with_advantages(Networks(critic, critic, jnp.zeros(3, jnp.float32)), experience)
    value = 2.0 * observation + 1.0
    expected = reference_advantages(reward, value, 2.0 * following + 1.0, terminated, truncated, 0.9, 0.8)
    np.testing.assert_allclose(batch.advantage, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(batch.target, expected + value, rtol=1e-4, atol=1e-5)


def test_while_nothing_has_changed_ratios_are_one_and_advantages_have_no_mean(rollout: Any) -> None:
    agent, (state, experience) = TASKS["continuous"], rollout
    batch = jax.tree.map(
        lambda each: each.reshape(-1, *each.shape[2:]), agent._with_advantages(state.networks, experience)
    )
    _, losses = agent._loss(state.networks, batch, (jnp.ones(()), jnp.zeros(())))
    assert float(losses["policy_loss"]) == pytest.approx(0.0, abs=1e-5)
    assert float(losses["divergence"]) == pytest.approx(0.0, abs=1e-6)
    assert float(losses["clipped"]) == 0.0


def test_observations_and_rewards_are_normalised_by_what_was_seen(rollout: Any) -> None:
    state, experience = rollout
    assert float(state.experience.observations.mean[0]) == pytest.approx(2.0, abs=0.2)  # uniform from 1 to 3
    assert float(state.experience.observations.variance[0]) == pytest.approx(1.0 / 3.0, rel=0.2)
    assert float(state.experience.observations.count) == pytest.approx(
        8 + 40 * 8
    )  # the first ones, and one after each step
    assert float(jnp.max(jnp.abs(experience.observation))) <= 10.0
    assert float(jnp.max(experience.reward)) <= 0.0  # scaled, not centred


@pytest.mark.parametrize("task", sorted(TASKS))
def test_seeds_at_once_are_seeds_alone_and_a_seed_is_always_the_same(learned: Any, task: str) -> None:
    training, update = learned[task], jax.jit(TASKS[task].update)
    alone, again = (update(seed(training.states[0], 1), 1.0)[0] for _ in range(2))
    assert all(map(np.array_equal, *map(jax.tree.leaves, (alone.networks, again.networks))))
    together = seed(training.states[1].networks, 1)
    for one, other in zip(jax.tree.leaves(together), jax.tree.leaves(alone.networks), strict=True):
        # Products of matrices add up in another order in a batch; 40 steps of Adam carry that on.
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("task", sorted(TASKS))
def test_updates_can_be_scanned(learned: Any, task: str) -> None:
    agent, start = TASKS[task], seed(learned[task].states[0])
    after, _ = jax.eval_shape(lambda now: jax.lax.scan(lambda now, _: agent.update(now, 1.0), now, length=2), start)
    assert jax.tree.structure(after) == jax.tree.structure(start)


def test_it_stays_in_single_precision_where_double_is_enabled(learned: Any) -> None:
    for states, progress in learned.values():
        last = states[-1]
        kept = (last.networks, last.optimiser, *last.experience[1:4], progress)
        assert not [leaf for leaf in jax.tree.leaves(kept) if leaf.dtype == np.float64]


class Growing(Aiming):
    """Every shot is worth 100 more, in the end."""

    def terminal_value(self, state: Any, params: float) -> Any:
        return 100.0 * state["age"].astype(jnp.float32)


def test_growth_counts_where_it_is_asked_for_and_choices_hold() -> None:
    def collected(**changes: Any) -> tuple[PPO, PPOState, Rollout]:
        agent = PPO(Growing(), PPOSettings(**QUICK | {"normalise_rewards": False} | changes))
        state, rows, _ = jax.jit(agent._collect)(agent.init(jax.random.key(0), 1.0), 1.0)
        return agent, state, rows

    _, _, plain = collected()
    agent, state, grown = collected(count_growth=True, hold=2)
    assert np.all(np.asarray(grown.reward) > np.asarray(plain.reward).max())
    assert int(state.experience.steps) == agent.steps_per_update == 8 * 40 * 2


def test_settings_can_be_written() -> None:
    assert json.loads(json.dumps(dataclasses.asdict(PPOSettings())))["actor"] == [64, 64]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"num_envs": 0}, "num_envs is 0"),
        ({"minibatch": 63}, "minibatch is 63; expected a divisor of num_envs x rollout = 2048"),
        ({"minibatch": 1}, "minibatch is 1; expected at least 2, as the advantages"),
        ({"discount": -0.1}, "discount is -0.1"),
        ({"clip": 0.0}, "clip is 0.0"),
        ({"learning_rate": math.inf}, "learning_rate is inf; expected a finite number"),
        ({"entropy": math.nan}, "entropy is nan; expected a finite number"),
        ({"value_clip": -math.inf}, "value_clip is -inf; expected a finite number"),
        ({"imitation_rounds": -1}, "imitation_rounds is -1; expected a whole number, at least 0"),
        ({"critic_first": -1}, "critic_first is -1"),
        ({"activation": "tan"}, "tanh"),
        ({"critic": (8, -1)}, "widths"),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(PhytotronError, match=says):
        PPOSettings(**wrong)


@pytest.mark.parametrize(
    ("space", "shape", "says"),
    [
        ("observation_space", (2, 3), r"the observation of test/Aiming-v0 has shape \(2, 3\); expected one dimension"),
        ("observation_space", (), r"the observation of test/Aiming-v0 has shape \(\); expected one dimension"),
        ("action_space", (2, 3), r"the action of test/Aiming-v0 has shape \(2, 3\); expected at most one dimension"),
    ],
)
def test_spaces_of_other_dimensions_are_refused(space: str, shape: tuple[int, ...], says: str) -> None:
    environment = Aiming()
    setattr(environment, space, Box.uniform(0.0, 1.0, shape))
    for agent in (PPO, SAC):
        with pytest.raises(ShapeError, match=says):
            agent(environment)
