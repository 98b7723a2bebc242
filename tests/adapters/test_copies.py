"""Every adapter goes through a pickle, and into a process that is spawned, in the middle of an episode."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import jax
import numpy as np
import pytest

ID, OPTIONS = "phytotron/Lettuce-v0", {"episode_days": 1.0}
STEPS, BEFORE = 6, 2


def gymnasium_env() -> Any:
    env = gymnasium.make(f"phytotron:{ID}", **OPTIONS)  # as a process that has imported nothing else needs it
    env.reset(seed=3)
    return env


def vector_env() -> Any:
    env = gymnasium.make_vec(ID, num_envs=2, **OPTIONS)
    env.reset(seed=3)
    return env


def sb3_env() -> Any:
    pytest.importorskip("stable_baselines3")
    from phytotron.adapters.sb3 import make_sb3

    env = make_sb3(ID, 2, **OPTIONS).venv  # their monitor itself cannot be pickled
    env.seed(3)
    env.reset()
    return env


def pettingzoo_env() -> Any:
    pytest.importorskip("pettingzoo")
    from phytotron.adapters.pettingzoo import make_parallel

    env = make_parallel(years=(1991, 1993))
    env.reset(seed=3)
    return env


def rllib_env(**num_envs: int) -> Any:
    pytest.importorskip("ray")
    from phytotron.adapters.rllib import create

    env: Any = create(ID, OPTIONS | num_envs)
    env.reset(seed=3)
    return env


MAKERS: dict[str, Callable[[], Any]] = {
    "gymnasium": gymnasium_env,
    "vector": vector_env,
    "sb3": sb3_env,
    "pettingzoo": pettingzoo_env,
    "rllib": rllib_env,
    "rllib_vector": lambda: rllib_env(num_envs=2),
}


def moves_of(kind: str) -> list[Any]:
    """Actions of all steps."""
    random = np.random.default_rng(5)
    if kind == "pettingzoo":
        agents = MAKERS[kind]().possible_agents
        return [{agent: int(random.integers(2)) for agent in agents} for _ in range(STEPS)]
    shape = (STEPS, 3) if kind in ("gymnasium", "rllib") else (STEPS, 2, 3)
    return list(random.uniform(-1.0, 1.0, shape).astype(np.float32))


def play(env: Any, moves: list[Any]) -> list[Any]:
    """Observations and rewards of steps, one after another."""
    return [np.asarray(leaf) for move in moves for leaf in jax.tree.leaves(env.step(move)[:2])]


def assert_equal(found: list[Any], wanted: list[Any]) -> None:
    assert len(found) == len(wanted) >= 2 * (STEPS - BEFORE)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.filterwarnings("ignore")  # of Ray, which warns of its own future
@pytest.mark.parametrize("kind", MAKERS)
def test_a_copy_by_pickle_goes_on_as_the_original_does(kind: str) -> None:
    env, moves = MAKERS[kind](), moves_of(kind)
    play(env, moves[:BEFORE])
    copy = pickle.loads(pickle.dumps(env))
    assert_equal(play(copy, moves[BEFORE:]), play(env, moves[BEFORE:]))


def play_elsewhere(env: Any, moves: Any, sent: Any) -> None:
    """In a process of its own, to which the environment came as a pickle."""
    sent.send(play(env, moves))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", MAKERS)
def test_an_episode_goes_on_in_a_process_that_is_spawned(kind: str) -> None:
    env, moves = MAKERS[kind](), moves_of(kind)
    play(env, moves[:BEFORE])
    context = multiprocessing.get_context("spawn")
    received, sent = context.Pipe(duplex=False)
    process = context.Process(target=play_elsewhere, args=(env, moves[BEFORE:], sent))
    process.start()
    assert received.poll(120)
    found = received.recv()
    process.join(30)
    assert process.exitcode == 0
    assert_equal(found, play(env, moves[BEFORE:]))


@pytest.mark.slow
def test_stable_baselines3_steps_copies_in_processes_that_are_spawned() -> None:
    vec_env = pytest.importorskip("stable_baselines3.common.vec_env")
    env = vec_env.SubprocVecEnv([gymnasium_env, gymnasium_env], start_method="spawn")
    try:
        env.seed(3)
        env.reset()
        found = play(env, moves_of("sb3"))
    finally:
        env.close()
    assert all(np.isfinite(each).all() and len(each) == 2 for each in found)
