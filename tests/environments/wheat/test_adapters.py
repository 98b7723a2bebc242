"""The wheat task behind Gymnasium: conformity, seeds, batches."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phytotron.environments.distributions import Uniform
from phytotron.environments.wheat import Measurement

ID = "phytotron/WheatNitrogen-v0"
# Single and batched steps are compiled apart; float32 of grain near 1000 g m-2.
ROUNDING = 2e-3


@pytest.fixture(scope="module")
def env() -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID)


def test_gymnasium_finds_nothing_to_complain_about(env: gymnasium.Env[Any, Any]) -> None:
    check_env(env.unwrapped)


def test_the_same_seed_gives_the_same_year_and_others_other_years(env: gymnasium.Env[Any, Any]) -> None:
    def year(seed: int | None) -> int:
        env.reset(seed=seed)
        return int(env.step(0)[4]["year"])

    assert len({year(7) for _ in range(4)}) == 1
    assert len({year(seed) for seed in range(12)}) > 3
    first = [year(7), year(None), year(None)]
    assert [year(7), year(None), year(None)] == first


def test_without_nitrogen_rewards_are_zero_up_to_the_rounding_of_float32(env: gymnasium.Env[Any, Any]) -> None:
    env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, *_ = env.step(0)
        assert abs(float(reward)) < ROUNDING


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


def test_a_batch_goes_as_its_single_environments_do_and_starts_anew(env: gymnasium.Env[Any, Any]) -> None:
    batch = gymnasium.make_vec(ID, num_envs=3)
    observations, _ = batch.reset(seed=5)
    first, _ = env.reset(seed=6)
    assert observations[1] == pytest.approx(first, rel=1e-5)
    ended = False
    for step in range(34):
        observations, rewards, terminated, truncated, _ = batch.step(np.full(3, step % 3))
        assert not truncated.any()
        if not ended:
            observation, reward, over, *_ = env.step(step % 3)
            assert rewards[1] == pytest.approx(reward, abs=ROUNDING) and bool(terminated[1]) == over
            assert observations[1] == pytest.approx(observation, rel=1e-4, abs=1e-4)
            ended = over
    assert ended and batch.observation_space.contains(observations)
    batch.close()


@pytest.mark.slow
def test_all_options_work_in_a_batch_of_several_chunks() -> None:
    batch = gymnasium.make_vec(
        ID,
        num_envs=200,
        irrigation=(0, 25),
        measurement=Measurement(price=1.0, noise=0.1),
        observation=["raw", "farming"],
        randomise={"TNSOILI": Uniform(2, 15)},
        reward="economic",
        years=1991,
    )
    observations, _ = batch.reset(seed=0)
    for step in range(3):
        observations, rewards, *_ = batch.step(np.full(200, 6 + step))  # measured
    assert observations.shape == (200, 35) and np.isfinite(rewards).all()
    assert len(np.unique(observations[:, 1])) > 100
    batch.close()
