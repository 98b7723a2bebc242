"""Environments behind adapters do the same alone, in batches and in threads, and leave the memory as it was."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gymnasium
import jax
import numpy as np
import pytest

import phytotron
from phytotron.core.environment import Environment

ID, OPTIONS, STEPS = "phytotron/Lettuce-v0", {"episode_days": 1.0}, 6


def actions(number: int) -> Any:
    return np.random.default_rng(5).uniform(-1.0, 1.0, (STEPS, number, 3)).astype(np.float32)


def play(env: Any, moves: Any) -> list[Any]:
    """What steps of an adapter give, one after another."""
    return [np.asarray(part) for move in moves for part in env.step(move)[:2]]


def alone(env: Environment[Any, Any], moves: Any) -> Any:
    observation, state = env.reset(jax.random.key(2))
    found = [observation]
    for step, move in enumerate(moves):
        observation, state, reward, *_ = env.step(jax.random.key(step), state, move)
        found += [observation, reward[None]]
    return np.concatenate(found)


def test_threaded_episodes_are_those_of_one_thread_bit_by_bit() -> None:
    env, moves = phytotron.make(ID, **OPTIONS), actions(4)
    each = [alone(env, moves[:, n]) for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        threaded = list(pool.map(lambda n: alone(env, moves[:, n]), range(4)))
    assert all(np.array_equal(one, other) for one, other in zip(each, threaded, strict=True))


def test_batches_of_any_size_are_equal_bit_by_bit_and_single_episodes_to_the_last_digits() -> None:
    """XLA makes vector instructions of a batch, whose exponentials round differently from those of a single number."""
    moves = actions(6)
    batches = {number: gymnasium.make_vec(ID, num_envs=number, **OPTIONS) for number in (3, 6)}
    for env in batches.values():
        env.reset(seed=3)
    small, large = (play(env, moves[:, :number]) for number, env in batches.items())
    assert all(np.array_equal(one, other[:3]) for one, other in zip(small, large, strict=True))
    single = gymnasium.make(ID, **OPTIONS)
    single.reset(seed=3)
    for one, other in zip(play(single, moves[:, 0]), large, strict=True):
        np.testing.assert_allclose(np.asarray(one, np.float32), other[0], rtol=2e-6, atol=1e-7)


def resident() -> int:
    """Memory of this process [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="a system that tells the memory of a process so")
def test_a_million_steps_leave_the_memory_as_it_was() -> None:
    number = 500
    env = gymnasium.make_vec(ID, num_envs=number, **OPTIONS)
    env.reset(seed=0)
    moves = np.random.default_rng(0).uniform(-1.0, 1.0, (number, 3)).astype(np.float32)
    held = []
    for part in range(10):
        for _ in range(200):
            env.step(moves)
        held.append(resident())
        assert part == 0 or held[-1] - held[1 if part > 1 else 0] < 30e6, held
