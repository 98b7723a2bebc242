"""The set-point task: configuration, actions, observations, energy, seeds, and what raising a set-point does."""

from __future__ import annotations

import dataclasses
import functools
import json
import pickle
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import phytotron
from phytotron.core.errors import PhytotronError
from phytotron.environments.setpoint import (
    OBSERVATIONS,
    GreenhouseSetpoint,
    SetpointParams,
    SetpointState,
    from_env_config,
)
from phytotron.models.greenlight import State
from phytotron.models.greenlight.growth import harvest_rate

KEY = jax.random.key(0)
NAMES = [q.name for q in OBSERVATIONS]


@pytest.fixture(scope="module")
def spring() -> GreenhouseSetpoint:
    return GreenhouseSetpoint(first_day=100, years=2009, episode_days=1.0, mature=True)


def play(env: GreenhouseSetpoint, actions: Any, params: SetpointParams | None = None) -> Any:
    """Observations, states, rewards and info of all steps, stacked."""
    return season(env, jnp.asarray(actions), env.default_params if params is None else params)


@functools.partial(jax.jit, static_argnums=0)
def season(env: GreenhouseSetpoint, actions: Any, params: SetpointParams) -> Any:
    def step(state: SetpointState, action: Any) -> Any:
        observation, state, reward, terminated, truncated, info = env.transition(KEY, state, action, params)
        return state, (observation, state, reward, (terminated, truncated), info)

    return jax.lax.scan(step, env.initial(KEY, params)[1], actions)[1]


def test_reset_obeys_the_seed_and_draws_from_the_published_days() -> None:
    env = GreenhouseSetpoint(episode_days=1.0)
    days = [float(env.reset(jax.random.key(seed))[0][0]) for seed in range(40)]
    assert days == [float(env.reset(jax.random.key(seed))[0][0]) for seed in range(40)]
    assert min(days) >= 90.0 and max(days) <= 120.0 and len(set(days)) > 10


def test_the_action_sets_the_set_point_of_the_day_or_of_the_night(spring: GreenhouseSetpoint) -> None:
    observations, *_ = play(spring, np.full(24, 7))
    night, day = observations[:, NAMES.index("night_set_point")], observations[:, NAMES.index("day_set_point")]
    assert night[0] == 25.0 and day[0] == 19.5  # midnight
    assert day[12] == 25.0
    assert np.allclose(observations[:, 0], 100.0 + np.arange(1, 25) / 24, rtol=1e-6)


def test_observations_are_within_their_space_and_name_what_they_show(spring: GreenhouseSetpoint) -> None:
    observations, states, _, _, info = play(spring, np.arange(24) % 11)
    space = spring.observation_space
    assert np.all(observations >= space.low) and np.all(observations <= space.high)
    shown = dict(zip(NAMES, np.asarray(observations).T, strict=True))
    assert np.array_equal(shown["air_temperature"], states.model.air_temperature)
    assert np.array_equal(shown["fruit"], states.model.fruit_carbohydrate)
    assert np.array_equal(shown["lamp_energy"], info["lamp_energy"])
    assert np.array_equal(shown["boiler_energy"], info["boiler_energy"])


def test_totals_and_maturity_follow_from_the_recorded_states(spring: GreenhouseSetpoint) -> None:
    _, states, rewards, (terminated, truncated), info = play(spring, np.full(24, 2))
    energy = np.cumsum(info["lamp_energy"] + info["boiler_energy"])
    assert np.allclose(info["total_energy"], energy, rtol=1e-5)
    assert np.allclose(info["total_yield"], np.cumsum(info["harvest"]), rtol=1e-5)
    rate = harvest_rate(states.model, spring.default_params.model)
    assert np.array_equal(info["is_mature"], rate > 0.01)
    fruit = np.concatenate([[2.8e5], states.model.fruit_carbohydrate])
    growing = ~np.asarray(info["is_mature"])
    growing[-1] = False  # the settlement
    assert growing.any() and np.allclose(rewards[growing], 1e-3 * np.diff(fruit)[growing], atol=1e-4)
    assert not np.any(terminated) and np.array_equal(truncated, np.arange(24) == 23)  # a time limit


@pytest.mark.slow
def test_a_warmer_night_takes_more_heat() -> None:
    env = GreenhouseSetpoint(first_day=60, years=2009, episode_days=5.0, weather="schiphol", mature=True)
    cool, warm = (play(env, np.full(120, action)) for action in (0, 2))
    dark = np.asarray(cool[0])[:, NAMES.index("global_radiation")] == 0.0
    temperature = NAMES.index("air_temperature")
    assert np.mean(np.asarray(warm[0] - cool[0])[dark, temperature]) > 0.5
    assert np.sum(warm[4]["boiler_energy"]) > 1.05 * np.sum(cool[4]["boiler_energy"])


@pytest.mark.slow
def test_a_young_crop_bears_no_fruit_and_a_mature_one_does() -> None:
    young, mature = (
        GreenhouseSetpoint(first_day=100, episode_days=2.0, mature=mature, hold=300) for mature in (False, True)
    )
    assert float(young.reset(KEY)[1].model.fruit_carbohydrate) == pytest.approx(312.0)
    assert not np.any(play(young, np.full(48, 3))[4]["is_mature"])
    assert np.any(play(mature, np.full(48, 3))[4]["is_mature"])


@pytest.mark.slow
def test_a_batch_gives_what_single_runs_give(spring: GreenhouseSetpoint) -> None:
    keys = jax.random.split(KEY, 3)
    params = spring.default_params
    _, states = jax.vmap(spring.initial, (0, None))(keys, params)
    actions = jnp.asarray([0, 5, 10])
    batched = jax.jit(jax.vmap(spring.transition, (0, 0, 0, None)))(keys, states, actions, params)
    for row in range(3):
        single = spring.step(keys[row], jax.tree.map(lambda leaf, row=row: leaf[row], states), actions[row])
        assert np.allclose(single[0], batched[0][row], rtol=1e-5, atol=1e-5)
        assert np.allclose(single[2], batched[2][row], rtol=1e-4, atol=1e-4)


def test_the_published_configuration_is_understood(tmp_path: Path) -> None:
    env = from_env_config(
        {
            "first_day": 91,
            "isMature": True,
            "season_length": 30,
            "season_interval": 1 / 24,
            "current_step": 5,
            "target_yield": 8,
            "target_yield_unit_energy_input": 22,
            "target_harvest_unit_energy_input": 20,
            "init_state": {"p": {"psi": 22, "co2SpDay": 900}, "x": {"tAir": 19.0}},
        }
    )
    assert env.first_day == 91 and env.mature and env.season_steps == 720 and env.episode_steps == 715
    params = env.default_params
    assert (params.targets.fruit, params.targets.energy_per_fruit, params.targets.harvest_energy_per_fruit) == (
        8,
        22,
        20,
    )
    assert params.rules.co2_day == 900 and params.model.roof_slope == 22
    observation, state = env.reset(KEY)
    assert float(state.model.air_temperature) == 19.0
    assert float(observation[0]) == pytest.approx(91.0 + 5 / 24)
    assert from_env_config({}).first_day == (90, 120)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"firstday": 3}, "first_day"),
        ({"season_interval": 0.3001}, "control_interval"),
        ({"season_interval": "hour"}, "season_interval"),
        ({"init_state": {"p": {"tSpDy": 20}}}, "tSpDay"),
        ({"init_state": 3}, "dictionary"),
        ({"epw_path": "/nowhere/a.epw"}, "a.epw"),
        ({"first_day": 0}, "1 to 366"),
        ({"target_yield": -1}, "fruit"),
        ({"current_step": 2000}, "first_step"),
    ],
)
def test_a_wrong_configuration_is_named(config: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        from_env_config(config)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hold": 7}, "hold"),
        ({"episode_days": 0}, "episode_days"),
        ({"initial_state": {"tAir": float("nan")}}, "initial_state"),
        ({"weather": "nowhere:train"}, "weather"),
        ({"precision": "float16"}, "precision"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        GreenhouseSetpoint(**options)


def test_it_goes_through_pickle_and_the_registry(spring: GreenhouseSetpoint) -> None:
    copy = pickle.loads(pickle.dumps(spring))
    made = phytotron.make("phytotron/GreenhouseSetpoint-v0", first_day=100, years=2009, episode_days=1.0, mature=True)
    for env in (copy, made):
        assert np.array_equal(env.reset(KEY)[0], spring.reset(KEY)[0])


def test_a_state_that_leaves_what_is_possible_ends_the_episode(spring: GreenhouseSetpoint) -> None:
    _, state = spring.reset(KEY)
    broken = dataclasses.replace(state, model=dataclasses.replace(state.model, air_temperature=jnp.float32(jnp.nan)))
    _, _, reward, terminated, truncated, info = spring.step(KEY, broken, 3)
    assert bool(terminated) and not bool(truncated) and float(reward) == 0.0
    assert spring.reason(info).startswith("air_co2 is no number, or has left what is possible")
    assert tuple(State.__dataclass_fields__)[int(info["left"])] == "air_co2"  # the first of the states, all now NaN
    hot = dataclasses.replace(state, model=dataclasses.replace(state.model, air_temperature=jnp.float32(1e6)))
    observation, _, _, terminated, _, info = spring.step(KEY, hot, 3)
    assert bool(terminated) and np.isfinite(observation).all()
    assert all(np.isfinite(each).all() for each in jax.tree.leaves(info))


@pytest.mark.parametrize("days", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_a_season_is_that_of_the_original_model(days: int) -> None:
    """120 days with the same set-points, recorded by benchmarks/record_setpoint.py with greenlight 2.0.5."""
    recorded = json.loads(Path(__file__).with_name("greenlight_120_days.json").read_text(encoding="utf-8"))
    set_points = {"tSpDay": recorded["day_set_point"], "tSpNight": recorded["night_set_point"]}
    assert recorded["days"] == list(range(10, 121, 10))
    env = GreenhouseSetpoint(
        weather="schiphol", years=2010, first_day=91, episode_days=float(days), mature=True, rules=set_points
    )
    params = env.default_params

    def step(state: SetpointState, _: None) -> Any:
        by_day = env.clock.weather(params.weather, state.start_day, state.step).is_day >= 1.0
        action = jnp.where(by_day, set_points["tSpDay"], set_points["tSpNight"]) - 18.0
        after, info = env.transition(KEY, state, action.astype(jnp.int32), params)[1::4]
        return after, (info["harvest"], info["lamp_energy"], info["boiler_energy"])

    found = jax.jit(lambda state: jax.lax.scan(step, state, length=24 * days))(env.reset(KEY)[1])[1]
    for name, values in zip(("fruit", "lamps", "boilers"), found, strict=True):
        ours = np.cumsum(np.asarray(values, np.float64))[239::240]
        assert ours == pytest.approx(recorded[name][: days // 10], rel=0.005)
