"""The task of two crops behind Gymnasium and Stable-Baselines3: conformity, seeds, batches."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import phytotron

ID = "phytotron/Intercrop-v0"
OPTIONS = {"years": (1983, 1991)}
# Single and batched steps are compiled apart; float32 of grain near 1000 g m-2.
ROUNDING = 5e-3


@pytest.fixture(scope="module")
def env() -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, **OPTIONS)


@pytest.mark.slow
def test_gymnasium_finds_nothing_to_complain_about(env: gymnasium.Env[Any, Any]) -> None:
    check_env(env.unwrapped)


def test_the_same_seed_gives_the_same_years(env: gymnasium.Env[Any, Any]) -> None:
    def year(seed: int | None) -> int:
        env.reset(seed=seed)
        return int(env.step(0)[4]["year"])

    assert {year(seed) for seed in range(12)} == {1983, 1991}
    first = [year(7), year(None), year(None), year(None)]
    assert [year(7), year(None), year(None), year(None)] == first


@pytest.mark.slow
def test_an_episode_can_be_copied_and_pickled_in_mid_season(env: gymnasium.Env[Any, Any]) -> None:
    env.reset(seed=3)
    for _ in range(12):
        env.step(1)
    held = [pickle.loads(pickle.dumps(env.unwrapped)), copy.deepcopy(env.unwrapped)]
    after = env.step(2)
    for other in held:
        again = other.step(2)
        assert np.array_equal(again[0], after[0]) and again[1] == after[1]


@pytest.mark.slow
def test_a_batch_goes_as_its_single_environments_do_and_starts_anew(env: gymnasium.Env[Any, Any]) -> None:
    batch = gymnasium.make_vec(ID, num_envs=3, **OPTIONS)
    observations, _ = batch.reset(seed=5)
    first, _ = env.reset(seed=6)
    assert observations[1] == pytest.approx(first, rel=1e-5)
    ended = False
    for step in range(36):
        observations, rewards, terminated, truncated, _ = batch.step(np.full(3, step % 3))
        assert not truncated.any()
        if not ended:
            observation, reward, over, *_ = env.step(step % 3)
            assert rewards[1] == pytest.approx(reward, abs=ROUNDING) and bool(terminated[1]) == over
            assert observations[1] == pytest.approx(observation, rel=1e-3, abs=ROUNDING)
            ended = over
    assert ended and batch.observation_space.contains(observations)
    batch.close()


def test_stable_baselines_can_step_it() -> None:
    pytest.importorskip("stable_baselines3")
    from phytotron.adapters.sb3 import SB3VecEnv

    vec = SB3VecEnv(phytotron.make(ID, **OPTIONS), 2)
    observations = vec.reset()
    assert observations.shape == (2, 71)
    _, rewards, dones, _ = vec.step(np.array([0, 3]))
    assert rewards.shape == (2,) and not dones.any()
