"""Gymnasium's vector interface: the three autoreset modes against Gymnasium's own, seeds, copies, what is refused."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import jax
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from toy_environments import Countdown, DrawnCountdown

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.vector_env import PhytotronVectorEnv
from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.environments.greenhouse import Forecast

GREENHOUSE = "phytotron/Greenhouse-v0"
OPTIONS: dict[str, Any] = {"episode_days": 1 / 24}  # twelve steps
NUMBER = 3
# A batch runs the same operations as one environment, vectorised and fused differently.
ROUNDING = 1e-5


def same(one: Any, other: Any) -> bool:
    """Equal keys, values and masks; values count only where there is one."""
    if isinstance(one, dict):
        return set(one) == set(other) and all(
            same(one[key], other[key])
            if isinstance(one[key], dict) or key.startswith("_")
            else all(
                np.array_equal(mine, its)
                for mine, its, there in zip(one[key], other[key], one[f"_{key}"], strict=True)
                if there
            )
            for key in one
        )
    return np.array_equal(one, other)


def actions_of(env: Any, steps: int) -> Any:
    shape = (steps, *env.action_space.shape)
    return np.random.default_rng(1).uniform(-1.0, 1.0, shape).astype(np.float32)


def play(env: Any, steps: int) -> list[Any]:
    return [env.step(action) for action in actions_of(env, steps)]


def fingerprint(id: str) -> str:
    """Of an episode and the beginning of the next, of three greenhouses."""
    env = gymnasium.make_vec(id, num_envs=NUMBER, episode_days=1 / 24)
    digest = hashlib.sha256(env.reset(seed=11)[0].tobytes())
    for observation, reward, *_ in play(env, 15):
        digest.update(observation.tobytes() + reward.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_it_does_what_gymnasiums_own_vector_of_single_environments_does(mode: AutoresetMode) -> None:
    number = 7
    mine = PhytotronVectorEnv(Countdown(), number, autoreset_mode=mode)
    its = SyncVectorEnv([lambda: GymnasiumEnv(Countdown())] * number, autoreset_mode=mode)
    assert mine.metadata["autoreset_mode"] is its.metadata["autoreset_mode"] is mode
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "num_envs"):
        assert getattr(mine, name) == getattr(its, name)
    assert np.array_equal(mine.reset(seed=5)[0], its.reset(seed=5)[0])
    ends = set()
    for action in actions_of(mine, 25):
        *arrays, info = mine.step(action)
        *its_arrays, its_info = its.step(action)
        for array, its_array in zip(arrays, its_arrays, strict=True):
            assert array.dtype == its_array.dtype and np.array_equal(array, its_array)
        assert same(info, its_info)
        terminated, truncated = arrays[2:]
        ends |= set(zip(terminated.tolist(), truncated.tolist(), strict=True))
        over = terminated | truncated
        if mode is AutoresetMode.SAME_STEP and over.any():
            assert [each is not None for each in info["final_obs"]] == over.tolist()
        if mode is AutoresetMode.DISABLED and over.any():
            observation, none = mine.reset(options={"reset_mask": over})
            assert none == {} and np.array_equal(observation, its.reset(options={"reset_mask": over})[0])
    assert ends == {(False, False), (True, False), (False, True), (True, True)}
    assert mine.np_random_seed == its.np_random_seed == tuple(range(5, 12))
    draws = [[generator.integers(1000) for generator in env.np_random] for env in (mine, its)]
    assert draws[0] == draws[1]


def test_a_part_is_reset_without_touching_the_rest_or_the_options() -> None:
    env = PhytotronVectorEnv(Countdown(), 4, AutoresetMode.DISABLED)
    env.reset(seed=0)
    before = env.step(np.zeros((4, 2)))[0]
    options = {"reset_mask": np.array([False, True, False, True])}
    after, _ = env.reset(seed=[None, 70, None, None], options=options)
    assert set(options) == {"reset_mask"}
    assert np.array_equal(after[[0, 2]], before[[0, 2]]) and np.all(after[[1, 3], 1] == 0)
    assert np.array_equal(after[1], GymnasiumEnv(Countdown()).reset(seed=70)[0])
    assert env.np_random_seed == (0, 70, 2, 3)


def test_without_autoreset_an_ended_episode_cannot_go_on() -> None:
    env = PhytotronVectorEnv(Countdown(), 3, "Disabled")
    env.reset(seed=[0, 0, 0])
    while not (over := np.logical_or(*env.step(np.zeros((3, 2)))[2:4])).any():
        pass
    assert over.all()
    with pytest.raises(PhytotronError, match=r"environments 0, 1, 2 are over.*reset_mask"):
        env.step(np.zeros((3, 2)))
    env.reset(options={"reset_mask": np.array([True, False, True])})
    with pytest.raises(PhytotronError, match="environments 1 are over"):
        env.step(np.zeros((3, 2)))
    env.reset()
    env.step(np.zeros((3, 2)))


# The wrapper of Gymnasium 1.1 takes SAME_STEP for NEXT_STEP.
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_episode_statistics_can_be_recorded(mode: AutoresetMode) -> None:
    env = RecordEpisodeStatistics(PhytotronVectorEnv(Countdown(), 5, mode))
    env.reset(seed=0)
    lengths: list[int] = []
    for _ in range(20):
        _, _, terminated, truncated, info = env.step(np.zeros((5, 2)))
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
        if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
            env.reset(options={"reset_mask": terminated | truncated})
    assert len(lengths) >= 20 and set(lengths) == {2, 3, 4}


def test_seeds() -> None:
    one, other = PhytotronVectorEnv(Countdown(), 20), PhytotronVectorEnv(Countdown(), 20)
    runs = [[env.reset(seed=3)[0], *(each[0] for each in play(env, 9)), env.reset()[0]] for env in (one, other)]
    assert all(map(np.array_equal, *runs))
    assert np.array_equal(one.reset(seed=np.int64(3))[0], other.reset(seed=list(range(3, 23)))[0])
    assert not np.array_equal(one.reset()[0], one.reset()[0])
    unseeded = [PhytotronVectorEnv(Countdown(), 20).reset()[0] for _ in range(2)]
    assert not np.array_equal(*unseeded)


@pytest.mark.slow
def test_a_batch_of_greenhouses_is_that_many_single_ones() -> None:
    env = gymnasium.make_vec(GREENHOUSE, num_envs=NUMBER, **OPTIONS)
    assert isinstance(env, PhytotronVectorEnv) and env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    first, info = env.reset(seed=11)
    assert "costs" not in info and first.dtype == np.float32 and first in env.observation_space
    dates = info["date"]
    outcomes = play(env, 15)
    single = gymnasium.make(GREENHOUSE, **OPTIONS).unwrapped
    for index in range(NUMBER):
        observation, info = single.reset(seed=11 + index)
        assert np.array_equal(observation, first[index]) and info["date"] == dates[index]
        for step, action in enumerate(actions_of(env, 15)[:, index]):
            observations, rewards, terminated, truncated, info = outcomes[step]
            if step == 12:  # the step after the end begins anew
                observation, reward, ended = single.reset()[0], 0.0, False
                assert "costs" not in info and np.array_equal(observation, observations[index])
            else:
                observation, reward, _, ended, single_info = single.step(action)
                assert info["costs"]["co2"][index] == pytest.approx(single_info["costs"]["co2"], rel=ROUNDING)
                assert info["_costs"].all() and info["costs"]["_co2"].all()
            assert observations[index] == pytest.approx(observation, rel=ROUNDING, abs=1e-6)
            assert rewards[index] == pytest.approx(reward, rel=ROUNDING, abs=1e-6)
            assert (terminated[index], truncated[index]) == (False, ended)
    assert [bool(each[3].all()) for each in outcomes] == [False] * 11 + [True] + [False] * 3


@pytest.mark.slow
@pytest.mark.parametrize("id", ["phytotron/Lettuce-v0", GREENHOUSE])
def test_another_process_gets_the_same_bits(id: str) -> None:
    folder = Path(__file__).parent
    path = f"import sys; sys.path[:0] = {[str(folder), str(folder.parent)]}; "
    code = f"from test_vector_env import fingerprint; print(fingerprint({id!r}))"
    like_here = os.environ | {"JAX_ENABLE_X64": str(jax.config.jax_enable_x64)}
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, env=like_here)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == fingerprint(id)


def test_nothing_is_compiled_twice() -> None:
    environment = Countdown()
    env = PhytotronVectorEnv(environment, 6)
    env.reset(seed=0)
    play(env, 8)
    traces = environment.traces
    env.reset()
    play(env, 8)
    env.reset(seed=[1, 2, 3, 4, 5, 6], options={"reset_mask": np.arange(6) < 2})
    env.step(np.zeros((6, 2), np.float64).tolist())
    PhytotronVectorEnv(environment, 6, AutoresetMode.SAME_STEP).reset(seed=0)
    assert environment.traces == traces


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_where_the_original_is(copied: Any) -> None:
    env = PhytotronVectorEnv(Countdown(), 5, AutoresetMode.SAME_STEP)
    env.reset(seed=1)
    play(env, 3)
    twin = copied(env)
    for (*mine, info), (*its, its_info) in zip(play(env, 9), play(twin, 9), strict=True):
        assert all(map(np.array_equal, mine, its)) and same(info, its_info)
    assert np.array_equal(env.reset()[0], twin.reset()[0])


def test_what_is_returned_belongs_to_the_caller() -> None:
    env = PhytotronVectorEnv(Countdown(), 2, AutoresetMode.DISABLED)
    observation, _ = env.reset(seed=0)
    kept = observation.copy()
    observation[:] = 99.0
    after, _ = env.reset(options={"reset_mask": np.array([False, True])})
    assert np.array_equal(after[0], kept[0])
    *arrays, info = env.step(np.zeros((2, 2)))
    for array in (*arrays, info["age"], info["_age"], info["costs"]["late"]):
        array[:] = 0
    assert info["_pair"].all() and np.all(env.state["age"] == 1)


def test_make_vec_passes_options_specification_and_modes() -> None:
    env = gymnasium.make_vec(GREENHOUSE, num_envs=2, reward="additive", autoreset_mode="SameStep")
    assert isinstance(env, PhytotronVectorEnv) and env.num_envs == 2
    assert env.environment.reward == "additive"  # type: ignore[attr-defined]
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.spec is not None and env.spec.id == GREENHOUSE and "num_envs=2" in repr(env)
    single = gymnasium.make(GREENHOUSE, reward="additive")
    assert env.unwrapped is env and env.single_observation_space == single.observation_space
    assert env.observation_space.shape == (2, *single.observation_space.shape) and env.action_space.shape == (2, 4)
    again = gymnasium.make_vec(env.spec)
    assert isinstance(again, PhytotronVectorEnv) and again.spec == env.spec
    assert again.environment is env.environment
    chosen = gymnasium.make_vec(GREENHOUSE, num_envs=2, vectorization_mode="vector_entry_point")
    assert isinstance(chosen, PhytotronVectorEnv)
    sync = gymnasium.make_vec(GREENHOUSE, num_envs=2, vectorization_mode="sync", **OPTIONS)
    assert isinstance(sync, SyncVectorEnv) and sync.reset(seed=0)[0] in env.observation_space
    with pytest.raises(PhytotronError, match=r"'colour'.*reward"):
        gymnasium.make_vec(GREENHOUSE, num_envs=2, colour="red")
    with pytest.raises(UnknownNameError, match="'SameStep'"):
        gymnasium.make_vec(GREENHOUSE, num_envs=2, autoreset_mode="Same")


def test_wrong_input_is_named() -> None:
    env = gymnasium.make_vec(GREENHOUSE, num_envs=NUMBER, **OPTIONS)
    with pytest.raises(PhytotronError, match="reset"):
        env.step(np.zeros((NUMBER, 4)))
    env.reset(seed=0)
    action = np.zeros((NUMBER, 4))
    action[1, 0] = np.nan
    with pytest.raises(ValueRangeError, match=r"actions\[1\]\[boiler\] is nan"):
        env.step(action)
    with pytest.raises(ShapeError, match=r"expected \(3, 4\)"):
        env.step(np.zeros(4))
    with pytest.raises(PhytotronError, match=r"'day'.*'reset_mask'"):
        env.reset(options={"day": 3})
    wrong: list[tuple[Any, str]] = [
        ([True, False, True], "a NumPy array of booleans"),
        (np.ones(3), "booleans"),
        (np.ones(2, bool), r"expected \(3,\)"),
        (np.zeros(3, bool), "at least one True"),
    ]
    for mask, message in wrong:
        with pytest.raises(PhytotronError, match=message):
            env.reset(options={"reset_mask": mask})
    env.close()
    env.close()
    with pytest.raises(PhytotronError, match="closed"):
        env.step(np.zeros((NUMBER, 4)))


def test_pictures() -> None:
    env = PhytotronVectorEnv(DrawnCountdown(), 3, render_mode="rgb_array")
    observation, _ = env.reset(seed=0)
    pictures = env.render()
    assert pictures is not None and len(pictures) == 3 and pictures[0].dtype == np.uint8
    assert [each.shape for each in pictures] == [(2, 3, 3)] * 3
    assert [int(each[0, 0, 0]) for each in pictures] == (10 * observation[:, 0]).astype(int).tolist()
    assert env.metadata["render_modes"] == ["rgb_array"] and env.metadata["render_fps"] > 0
    assert PhytotronVectorEnv(DrawnCountdown(), 3).render() is None
    single = GymnasiumEnv(DrawnCountdown(), render_mode="rgb_array")
    single.reset(seed=0)
    assert np.array_equal(single.render(), pictures[0])
    check_env(single, skip_render_check=True)  # it has no specification to render by
    for adapter in (GymnasiumEnv, PhytotronVectorEnv):
        with pytest.raises(UnknownNameError, match=r"render mode 'human'.*rgb_array"):
            adapter(DrawnCountdown(), render_mode="human")


@pytest.mark.slow
def test_a_batch_may_observe_an_uncertain_forecast() -> None:
    observation = ("air_temperature", Forecast(hours=24, error=1.0))
    env = gymnasium.make_vec("phytotron/Greenhouse-v0", num_envs=64, observation=observation)
    env.reset(seed=0)
    seen, *_ = env.step(env.action_space.sample())
    assert seen.shape == (64, 97) and np.isfinite(seen).all()
    env.close()


def test_a_batch_of_fields_starts_in_the_seasons_that_it_is_given() -> None:
    env = gymnasium.make_vec("phytotron/WheatNitrogen-v0", num_envs=2, weather="embedded_wheat:test")
    labels = list(env.unwrapped.environment.starts().labels[:2])
    _, info = env.reset(options={"start": labels})
    assert list(info["window"]) == labels
    env.close()
