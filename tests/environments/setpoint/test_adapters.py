"""The set-point task behind Gymnasium: conformity, seeds, history, the published class."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from phytotron.adapters.greenlightplus import GreenhouseEnv

ID = "phytotron/GreenhouseSetpoint-v0"
SHORT = {"season_length": 0.25, "isMature": True, "target_yield": 1.0, "target_yield_unit_energy_input": 20.0}


@pytest.mark.slow
def test_gymnasium_finds_nothing_to_complain_about() -> None:
    # Which solver it is makes no difference here, and this one is compiled soonest.
    check_env(gymnasium.make(ID, episode_days=0.25, hold=300, solver="euler").unwrapped)


@pytest.mark.slow
def test_the_published_class_keeps_a_history_of_its_episodes() -> None:
    ripe = {"init_state": {"x": {"cFruit": 3.2e5}}}  # so that there is a harvest at once
    env = GreenhouseEnv(SHORT | ripe | {"first_day": 100})
    ends = []
    for seed in range(2):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, truncated, info = env.step(2)
            assert not truncated  # the published interface reports the end of the season as terminated
        ends.append(info)
    assert env.episode_total_yields == [float(info["total_yield"]) for info in ends]
    assert env.episode_unit_energy_inputs == [float(info["yield_unit_energy_input"]) for info in ends]
    assert env.episode_total_yields[0] > 0.0 and env.episode_unit_energy_inputs[0] > 0.0


@pytest.mark.slow
def test_reset_obeys_the_seed_and_pickles_go_on() -> None:
    env = GreenhouseEnv(SHORT)
    days = [float(env.reset(seed=seed)[0][0]) for seed in (1, 2, 3, 4, 1, 2, 3, 4)]
    assert days[:4] == days[4:] and len(set(days)) > 2
    env.step(5)
    copy = pickle.loads(pickle.dumps(env))
    assert np.array_equal(copy.step(3)[0], env.step(3)[0])


@pytest.mark.slow
def test_a_batch_goes_as_its_single_environments_do() -> None:
    batch = gymnasium.make_vec(ID, num_envs=3, episode_days=0.25, mature=True)
    single = gymnasium.make(ID, episode_days=0.25, mature=True)
    observations, _ = batch.reset(seed=5)
    first, _ = single.reset(seed=6)
    assert observations[1] == pytest.approx(first, rel=1e-5)
    for step in range(5):
        observations, rewards, *_ = batch.step(np.full(3, step))
        observation, reward, *_ = single.step(step)
        assert observations[1] == pytest.approx(observation, rel=1e-4, abs=1e-3)
        assert rewards[1] == pytest.approx(reward, rel=1e-3, abs=1e-3)
    batch.close()
