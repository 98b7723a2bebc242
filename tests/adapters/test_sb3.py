"""The interface of Stable-Baselines3, where it is installed."""

from __future__ import annotations

import pickle
from inspect import signature
from typing import Any

import gymnasium
import numpy as np
import pytest
from toy_environments import Countdown, DrawnCountdown

import phytotron
from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.registry import ENVIRONMENTS, registered

pytest.importorskip("stable_baselines3")

from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from phytotron.adapters.sb3 import SB3VecEnv, make_sb3

GREENHOUSE = "phytotron/Greenhouse-v0"


def test_it_does_what_stable_baselines_own_vector_of_single_environments_does() -> None:
    number = 7
    mine, its = SB3VecEnv(Countdown(), number), DummyVecEnv([lambda: GymnasiumEnv(Countdown())] * number)
    assert mine.seed(5) == its.seed(5)
    assert np.array_equal(mine.reset(), its.reset())
    assert mine.observation_space == its.observation_space and mine.action_space == its.action_space
    generator, ends = np.random.default_rng(0), set()
    for _ in range(25):
        actions = generator.uniform(-1.0, 1.0, (number, 2)).astype(np.float32)
        *arrays, infos = mine.step(actions)
        *its_arrays, its_infos = its.step(actions)
        for array, its_array in zip(arrays, its_arrays, strict=True):
            assert array.dtype == its_array.dtype and np.array_equal(array, its_array)
        for info, its_info, done in zip(infos, its_infos, arrays[2], strict=True):
            assert set(info) == set(its_info) and info["costs"] == its_info["costs"] and info["age"] == its_info["age"]
            assert info["TimeLimit.truncated"] is bool(its_info["TimeLimit.truncated"])
            assert np.array_equal(info["pair"], its_info["pair"])
            assert ("terminal_observation" in info) == done
            if done:
                assert np.array_equal(info["terminal_observation"], its_info["terminal_observation"])
                ends.add(info["TimeLimit.truncated"])
    assert ends == {True, False}


def test_attributes_and_methods() -> None:
    env = SB3VecEnv(DrawnCountdown(), 3, render_mode="rgb_array")
    env.seed(0)
    env.reset()
    assert env.get_attr("default_params") == [1.0] * 3 and env.get_attr("id", indices=1) == ["test/Countdown-v0"]
    assert env.render_mode == "rgb_array" and env.has_attr("action_space") and not env.has_attr("colour")
    env.set_attr("colour", "red", indices=[0, 2])
    assert env.get_attr("colour", indices=[0, 2]) == ["red", "red"] and not env.has_attr("colour")
    with pytest.raises(PhytotronError, match="fixed"):
        env.set_attr("default_params", 2.0)
    assert env.env_is_wrapped(Monitor) == [False] * 3
    assert [picture.shape for picture in env.env_method("render")] == [(2, 3, 3)] * 3
    assert env.render().shape == (4, 6, 3)  # tiled
    with pytest.raises(PhytotronError, match="step the batch"):
        env.env_method("step", 0)
    twin = pickle.loads(pickle.dumps(env))
    assert np.array_equal(env.step(np.zeros((3, 2)))[0], twin.step(np.zeros((3, 2)))[0])


def test_what_makes_no_sense_is_refused() -> None:
    env = SB3VecEnv(Countdown(), 2)
    with pytest.raises(PhytotronError, match="reset"):
        env.step(np.zeros((2, 2)))
    env.reset()
    with pytest.raises(ValueRangeError, match=r"actions\[0\]\[push\] is inf"):
        env.step(np.array([[np.inf, 0.0], [0.0, 0.0]]))
    with pytest.raises(PhytotronError, match="step_async"):
        env.step_wait()
    env.set_options({"day": 3})
    with pytest.raises(PhytotronError, match="no option 'day'"):
        env.reset()


# Gymnasium tells of ids that have a successor.
OF_OLD_IDS = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")


@OF_OLD_IDS
def test_the_usual_way_of_stable_baselines_makes_every_id() -> None:
    for id in registered():
        options = {"episode_days": 1.0} if "episode_days" in signature(ENVIRONMENTS[id]).parameters else {}
        env = make_vec_env(id, n_envs=1, env_kwargs=options)  # it asks for render_mode="rgb_array"
        assert env.render_mode == "rgb_array", id


def test_episodes_start_where_they_are_told_to() -> None:
    env = SB3VecEnv(phytotron.make("phytotron/Lettuce-v0", weather="train", episode_days=0.5), 2)
    env.set_options({"start": "2014-05-01"})
    env.reset()
    assert [each["window"] for each in env.reset_infos] == ["2014-05-01"] * 2
    env.set_options([{"start": "2014-05-01"}, {}])
    with pytest.raises(PhytotronError, match="to all or to none"):
        env.reset()


@pytest.mark.parametrize(
    ("id", "options"),
    [
        (GREENHOUSE, {"episode_days": 1 / 24}),
        ("phytotron/WheatNitrogen-v0", {}),
        ("phytotron/Intercrop-v0", {}),
        pytest.param("phytotron/IntercropField-v0", {}, marks=OF_OLD_IDS),
        ("phytotron/IntercropField-v1", {}),
        ("phytotron/GreenhouseSetpoint-v0", {"episode_days": 0.25}),
    ],
)
def test_single_environments_pass_the_checker(id: str, options: dict[str, Any]) -> None:
    check_env(gymnasium.make(id, **options).unwrapped)


def test_ppo_learns_without_warnings_and_can_be_evaluated() -> None:
    env = make_sb3(GREENHOUSE, 8, episode_days=1 / 24, reward="additive")
    model = PPO("MlpPolicy", VecNormalize(env), n_steps=256, n_epochs=2, seed=0, device="cpu")
    model.learn(2048)
    assert len(model.ep_info_buffer) == 100 and model.ep_info_buffer[0]["l"] == 12
    mean, _ = evaluate_policy(model, env, n_eval_episodes=8)
    assert np.isfinite(mean)
