"""A vector environment against episodes played by hand."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from toy_environments import LIMIT, Corridor, Countdown, Salary

from phytotron.episodes.vector_environment import EpisodeSums, Transition, VectorEnvironment, VectorState

SIZE, STEPS = 6, 23


def played(
    environments: VectorEnvironment, actions: Array, seed: int = 0
) -> tuple[VectorState, VectorState, Transition, dict[str, np.ndarray[Any, Any]]]:
    """The start, the environments before each step, the transitions and the sums_by_step."""
    params = environments.environment.default_params

    def step(now: VectorState, action: Array) -> tuple[VectorState, tuple[VectorState, Transition, EpisodeSums]]:
        after, transition, episode_sums = environments.step(now, action, params)
        return after, (now, transition, episode_sums)

    def run(key: Array) -> tuple[VectorState, tuple[VectorState, Transition, EpisodeSums]]:
        start = environments.start(key, params)
        return start, jax.lax.scan(step, start, actions)[1]

    start, (states, transitions, sums_by_step) = jax.jit(run)(jax.random.key(seed))
    return start, states, transitions, {name: np.asarray(each) for name, each in sums_by_step.items()}


def corridor_actions() -> Array:
    return jax.random.randint(jax.random.key(9), (STEPS, SIZE), 0, 3, jnp.int32)


def test_a_transition_is_that_of_the_environment_and_the_next_one_goes_on_from_it() -> None:
    _, _, rows, _ = played(VectorEnvironment(Corridor(), SIZE), corridor_actions())
    before, after = np.asarray(rows.observation)[..., 0], np.asarray(rows.following)[..., 0]
    np.testing.assert_array_equal(after, np.clip(before + np.asarray(rows.action) - 1, 0, 4))
    over = np.asarray(rows.terminated | rows.truncated)
    np.testing.assert_array_equal(before[1:][~over[:-1]], after[:-1][~over[:-1]])


def test_where_an_episode_ends_the_next_begins_and_the_last_observation_is_kept() -> None:
    _, _, rows, _ = played(VectorEnvironment(Corridor(), SIZE), jnp.full((STEPS, SIZE), 2, jnp.int32))
    over = np.asarray(rows.terminated)
    assert over.sum() >= 2 * SIZE
    assert set(np.asarray(rows.following)[..., 0][over]) == {4.0}
    assert set(np.asarray(rows.observation)[1:, :, 0][over[:-1]]) == {0.0, 1.0}  # both starts occur
    assert not np.any(rows.truncated)


def test_tallies_are_the_sums_over_the_episodes_that_ended() -> None:
    _, _, rows, sums_by_step = played(VectorEnvironment(Corridor(), SIZE), corridor_actions())
    expected = {name: np.zeros(STEPS) for name in ("episodes", "return", "length", "stayed", "place")}
    over, action = np.asarray(rows.terminated | rows.truncated), np.asarray(rows.action)
    reward, place = np.asarray(rows.reward), np.asarray(rows.following)[..., 0]
    for row in range(SIZE):
        begun = 0
        for step in np.flatnonzero(over[:, row]):
            part = slice(begun, step + 1), row
            expected["episodes"][step] += 1
            expected["return"][step] += reward[part].sum()
            expected["length"][step] += step + 1 - begun
            expected["stayed"][step] += (action[part] == 1).sum()  # a total
            expected["place"][step] += place[part].mean()  # a mean
            begun = step + 1
    assert expected["episodes"].sum() >= SIZE
    assert set(sums_by_step) == set(expected)
    for name, each in expected.items():
        np.testing.assert_allclose(sums_by_step[name], each, rtol=1e-5, err_msg=name)


def test_termination_and_truncation_are_told_apart() -> None:
    _, states, rows, _ = played(VectorEnvironment(Countdown(), SIZE), jnp.zeros((STEPS, SIZE, 2), jnp.float32))
    left, age = np.asarray(states.state["left"]) - 1, np.asarray(states.state["age"]) + 1
    np.testing.assert_array_equal(rows.terminated, left <= 0)
    np.testing.assert_array_equal(rows.truncated, age >= LIMIT)
    assert np.any(rows.truncated & ~rows.terminated) and np.any(rows.terminated & ~rows.truncated)


def test_staggered_first_episodes_are_cut_at_any_step_and_later_ones_are_whole() -> None:
    size = 60
    start, _, rows, _ = played(VectorEnvironment(Salary(), size, staggered=True), jnp.zeros((20, size), jnp.int32))
    assert set(np.asarray(start.cut)) == {1, 2, 3, 4, 5}
    for row, cut in enumerate(np.asarray(start.cut)):
        assert np.flatnonzero(np.asarray(rows.truncated)[:, row]).tolist() == list(range(cut - 1, 20, 5))
    assert not np.any(rows.terminated)


def test_first_episodes_that_were_cut_short_are_not_counted() -> None:
    size, steps = 60, 5
    start, _, _, sums_by_step = played(
        VectorEnvironment(Salary(), size, staggered=True), jnp.zeros((steps, size), jnp.int32)
    )
    whole = int(np.sum(np.asarray(start.cut) == 5))
    assert 0 < whole < size
    assert sums_by_step["episodes"].tolist() == [0, 0, 0, 0, whole]
    assert sums_by_step["return"].tolist() == [0, 0, 0, 0, 5 * whole]


def test_a_first_episode_that_ends_before_its_cut_is_counted() -> None:
    start, _, rows, sums_by_step = played(
        VectorEnvironment(Corridor(), SIZE, staggered=True), jnp.full((4, SIZE), 2, jnp.int32), seed=3
    )
    ended_early = np.asarray(rows.terminated) & (np.arange(1, 5)[:, None] <= np.asarray(start.cut))
    assert np.any(ended_early) and sums_by_step["episodes"].sum() >= ended_early.sum()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_key_fixes_all_episodes_and_rows_differ(seed: int) -> None:
    actions = jnp.zeros((8, SIZE, 2), jnp.float32)
    one, other = (played(VectorEnvironment(Countdown(), SIZE), actions, seed)[2] for _ in range(2))
    assert all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))
    noise = np.asarray(one.following)[..., 2]
    assert len(np.unique(noise)) == noise.size


class GrowingCountdown(Countdown):
    """What is left is worth ten a piece at the end."""

    def terminal_value(self, state: Any, params: float) -> Array:
        return 10.0 * state["left"].astype(jnp.float32)


def test_actions_that_are_held_make_one_transition_that_ends_with_its_episode() -> None:
    environments = VectorEnvironment(GrowingCountdown(), 16)
    params = environments.environment.default_params
    start = environments.start(jax.random.key(3), params)
    action = jnp.linspace(0.0, 1.0, 32, dtype=jnp.float32).reshape(16, 2)
    _, held, episode_sums = jax.jit(lambda now: environments.hold(now, action, params, 3))(start)
    left = np.asarray(start.observation)[:, 0]
    lasted = np.minimum(left, 3)  # steps until the end of the episode, or of the hold
    assert set(left) >= {2.0, 3.0, 6.0}
    expected = [sum(n - 1 - k for k in range(int(m))) for n, m in zip(left, lasted, strict=True)]
    np.testing.assert_allclose(held.reward, expected + lasted * np.asarray(action)[:, 0], rtol=1e-6)
    np.testing.assert_allclose(held.terminal_value_change, -10.0 * lasted)
    np.testing.assert_array_equal(np.asarray(held.following)[:, 0], left - lasted)
    np.testing.assert_array_equal(held.terminated, left <= 3)
    assert not np.any(held.truncated)
    assert int(episode_sums["episodes"]) == int(np.sum(left <= 3))
    np.testing.assert_array_equal(held.observation, start.observation)


class LeftCountdown(Countdown):
    """What is left at the end is always worth the same, a number of Python."""

    def terminal_value(self, state: Any, params: float) -> Any:
        return 10.0


def test_a_terminal_value_may_be_a_number_of_python() -> None:
    _, _, rows, _ = played(VectorEnvironment(LeftCountdown(), SIZE), jnp.zeros((2, SIZE, 2), jnp.float32))
    np.testing.assert_array_equal(rows.terminal_value_change, np.zeros((2, SIZE), np.float32))
