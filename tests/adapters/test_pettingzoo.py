"""Two decision makers on one field, where PettingZoo is installed."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from phytotron.core.errors import PhytotronError
from phytotron.environments.intercrop import IntercropField
from phytotron.environments.wheat import Continuous

pytest.importorskip("pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.pettingzoo import CropsParallelEnv, make_parallel

YEARS = (1991, 1993)


@pytest.fixture(scope="module")
def field() -> IntercropField:
    return IntercropField(doses_per_crop=True, years=YEARS)


@pytest.fixture
def env(field: IntercropField) -> CropsParallelEnv:
    return CropsParallelEnv(field)


def test_pettingzoo_finds_nothing_to_complain_about(field: IntercropField) -> None:
    parallel_api_test(CropsParallelEnv(field), num_cycles=80)
    parallel_seed_test(lambda: CropsParallelEnv(field), num_cycles=40)


def test_each_agent_doses_its_crop_and_both_rewards_make_that_of_the_field(
    env: CropsParallelEnv, field: IntercropField
) -> None:
    assert env.possible_agents == ["winter_wheat", "faba_bean"]
    alone = GymnasiumEnv(field)
    env.reset(seed=4)
    alone.reset(seed=4)
    generator, steps = np.random.default_rng(0), 0
    while env.agents:
        actions = {agent: int(generator.integers(7)) for agent in env.agents}
        seen, rewards, ended, cut, info = env.step(actions)
        expected = alone.step(actions["winter_wheat"] + 7 * actions["faba_bean"])
        assert sum(rewards.values()) == pytest.approx(expected[1], abs=1e-3)
        assert np.array_equal(seen["winter_wheat"], expected[0]) and np.array_equal(env.state(), expected[0])
        assert set(ended.values()) == {expected[2]} and set(cut.values()) == {expected[3]}
        doses = [20.0 * actions[agent] for agent in env.possible_agents]
        assert info["faba_bean"]["dose"] == pytest.approx(doses)
        steps += 1
    assert 30 <= steps <= field.episode_steps
    with pytest.raises(PhytotronError, match="reset"):
        env.step({})


def test_each_agent_sees_its_own_crop_first(env: CropsParallelEnv, field: IntercropField) -> None:
    names = field.observation_space.names
    env.reset(seed=1)
    seen: Any = {}
    for _ in range(20):
        seen, *_ = env.step({"winter_wheat": 1, "faba_bean": 0})
    at = {name: index for index, name in enumerate(names)}
    wheat, bean = seen["winter_wheat"], seen["faba_bean"]
    assert wheat[at["crop_1.height"]] == bean[at["crop_2.height"]] != bean[at["crop_1.height"]]
    assert wheat[at["soil.nitrogen"]] == bean[at["soil.nitrogen"]]
    assert sorted(wheat) == sorted(bean)
    same = CropsParallelEnv(field, own_first=False).reset(seed=1)[0]
    assert np.array_equal(same["winter_wheat"], same["faba_bean"])


def test_it_can_be_pickled_in_mid_season(env: CropsParallelEnv) -> None:
    env.reset(seed=2)
    env.step({"winter_wheat": 2, "faba_bean": 0})
    copy = pickle.loads(pickle.dumps(env))
    one, other = (each.step({"winter_wheat": 1, "faba_bean": 1}) for each in (env, copy))
    assert all(np.array_equal(one[0][agent], other[0][agent]) for agent in env.possible_agents)


def test_continuous_doses_and_what_is_refused(env: CropsParallelEnv) -> None:
    made = make_parallel(doses=Continuous(50), years=1991)
    made.reset(seed=0)
    full = {agent: np.array([50.0], np.float32) for agent in made.agents}
    assert made.agents == ["spring_wheat", "faba_bean"]
    assert made.step(full)[4]["spring_wheat"]["nitrogen"] == pytest.approx(100.0)
    env.reset(seed=0)
    with pytest.raises(PhytotronError, match="no action for faba_bean"):
        env.step({"winter_wheat": 0})
    with pytest.raises(PhytotronError, match="the action of faba_bean is 7"):
        env.step({"winter_wheat": 0, "faba_bean": 7})
    with pytest.raises(PhytotronError, match="doses_per_crop"):
        CropsParallelEnv(IntercropField(years=1991))
    lopsided = IntercropField(doses_per_crop=True, years=1991, observation=("crop_1.stage", "soil.nitrogen"))
    with pytest.raises(PhytotronError, match="own_first"):
        CropsParallelEnv(lopsided)
