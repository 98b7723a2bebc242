"""The lettuce task against lettuce-greenhouse-gym 0.1.3, and what its docstring says."""

from __future__ import annotations

import dataclasses
import doctest
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.controllers import Constant, Replay, make_controller
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import stack
from phytotron.environments.lettuce import Lettuce, LettuceState, Limits, Prices, environment
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

REFERENCE = Path(__file__).with_name("reference.npz")
SAME = 1e-9  # both compute in float64, in another order
SINGLE = 2e-7  # the package rounds its observations to float32
KEY = jax.random.key(0)


@pytest.fixture(scope="module")
def reference() -> Any:
    return np.load(REFERENCE)


def play(env: Lettuce, controller: Any, steps: int | None = None) -> tuple[LettuceState, Any]:
    """The last state of an episode; observations, states, rewards and info of all its steps."""
    params = env.default_params

    def step(carry: Any, _: Any) -> Any:
        observation, state, memory = carry
        action, memory = controller.act(KEY, memory, observation, state, params)
        observation, state, reward, terminated, truncated, info = env.transition(KEY, state, action, params)
        return (observation, state, memory), (observation, state, reward, terminated, truncated, info)

    start = (*env.reset(KEY), controller.start(KEY))
    (_, last, _), course = jax.jit(lambda: jax.lax.scan(step, start, None, length=steps or env.episode_steps))()
    return last, course


@pytest.fixture(scope="module")
def season(reference: Any) -> Any:
    env = Lettuce(precision="float64")
    return play(env, Replay(env, reference["season_actions"] / 64.0))


def test_a_season_under_random_actions_equals_that_of_the_package(season: Any, reference: Any) -> None:
    last, (observations, states, rewards, terminated, truncated, info) = season
    expected = reference["season_states"][1:]
    error = np.abs(np.asarray(stack(states.greenhouse))[7::8] - expected)
    assert np.all(error <= SAME * np.abs(expected).max(axis=0))
    np.testing.assert_allclose(rewards, reference["season_rewards"], rtol=0, atol=SAME)
    np.testing.assert_allclose(observations[7::8], reference["season_observations"][1:], rtol=SINGLE, atol=1e-12)
    np.testing.assert_allclose(jnp.sum(info["penalty"]), reference["season_penalties"].sum(), rtol=SAME)
    assert terminated[-1] and not jnp.any(terminated[:-1]) and not jnp.any(truncated)
    assert int(last.step) == 1920


@pytest.mark.parametrize(("name", "published"), [("off", -64.53), ("constant", -73.57), ("rule-based", -4.35)])
def test_baselines_have_the_published_returns(name: str, published: float, reference: Any) -> None:
    env = Lettuce(precision="float64")
    last, (_, states, rewards, *_) = play(env, make_controller(name, env))
    assert round(float(jnp.sum(rewards)), 2) == published
    np.testing.assert_allclose(jnp.sum(rewards), reference[f"{name}_return"], rtol=0, atol=SAME)
    np.testing.assert_allclose(stack(states.control)[::8], reference[f"{name}_controls"], rtol=0, atol=SAME)
    np.testing.assert_allclose(stack(last.greenhouse), reference[f"{name}_last_state"], rtol=SAME)


def test_the_return_of_the_rules_depends_on_the_last_digits_of_what_they_read() -> None:
    """The published return is one of many: the feedback is chaotic."""
    env = Lettuce(precision="float64")
    rules = make_controller("rule-based", env)

    def total(change: Any) -> Any:
        misread = SimpleNamespace(
            start=rules.start, act=lambda key, memory, seen, *rest: rules.act(key, memory, seen * (1.0 + change), *rest)
        )
        return jnp.sum(play(env, misread)[1][2])

    totals = np.asarray(jax.vmap(total)(jnp.linspace(-1e-6, 1e-6, 64)))
    assert totals.mean() == pytest.approx(-4.26, abs=0.03)
    assert 0.02 < totals.std() < 0.07


def test_costs_are_zero_where_constraints_hold(season: Any) -> None:
    *_, info = season[1]
    seen = dict(zip(Lettuce().observation_space.names, np.asarray(season[1][0]).T, strict=True))
    costs = {name: np.asarray(value) for name, value in info["costs"].items()}
    np.testing.assert_array_equal(costs["co2"] == 0.0, (seen["co2"] >= 500.0) & (seen["co2"] <= 1600.0))
    np.testing.assert_array_equal(
        costs["temperature"] == 0.0, (seen["temperature"] >= 10) & (seen["temperature"] <= 20)
    )
    np.testing.assert_allclose(costs["relative_humidity"], np.maximum(seen["relative_humidity"] - 80.0, 0.0))
    assert all(np.any(value > 0.0) and np.any(value == 0.0) for value in costs.values())


def test_nothing_happens_after_the_harvest() -> None:
    env = Lettuce(episode_days=1)
    last, (_, _, rewards, terminated, _, info) = play(env, Constant(np.ones(3)), steps=50)
    assert jnp.all(terminated[47:]) and not jnp.any(terminated[:47])
    assert not jnp.any(rewards[48:]) and not jnp.any(info["heat"][48:])
    assert int(last.step) == 48


def test_the_reward_of_a_season_has_a_gradient_by_its_actions() -> None:
    env = Lettuce(episode_days=5, precision="float32")
    params = env.default_params
    _, start = env.reset(KEY)

    def total(actions: Any) -> Any:
        def step(state: Any, action: Any) -> Any:
            _, state, reward, *_ = env.transition(KEY, state, action, params)
            return state, reward

        return jnp.sum(jax.lax.scan(step, start, actions)[1])

    actions = jax.random.uniform(KEY, (env.episode_steps, 3), minval=-1.0)
    gradient = jax.jit(jax.grad(total))(actions)
    assert jnp.all(jnp.isfinite(gradient)) and jnp.any(gradient != 0.0)


def test_seasons_are_drawn_and_labelled_by_date() -> None:
    env = Lettuce(weather=(10, 40, 293))
    assert env.starts().labels == ("2014-01-10", "2014-02-09", "2014-10-20")
    _, states = jax.vmap(env.reset)(jax.random.split(KEY, 64))
    assert set(np.unique(states.first_row // 48).tolist()) == {0, 30, 283}
    assert env.on("benchmark").starts().labels == ("2014-02-09",)
    assert env.on("test").weather_name == "benchmark" and env.parts == ()
    train = env.on("train").default_params.start_days
    assert train.min() >= 80 and train.max() + 40 <= 333


def test_a_forecast_is_the_weather_to_come() -> None:
    env = Lettuce(forecast=12)
    assert env.observation_space.shape == (60,)
    observation, state = env.reset(KEY)
    seen = [observation]
    for _ in range(12):
        observation, state, *_ = env.step(KEY, state, jnp.zeros(3))
        seen.append(observation)
    now = np.stack(seen)[:, 8:12]
    np.testing.assert_array_equal(np.asarray(seen[0])[8:].reshape(13, 4), now)


def test_an_action_that_is_not_a_number_counts_as_no_change() -> None:
    env = Lettuce()
    _, state = env.reset(KEY)
    _, after, *_, info = env.transition(KEY, state, jnp.full(3, jnp.nan), env.default_params)
    assert bool(info["action_invalid"])
    np.testing.assert_array_equal(stack(after.control), stack(state.control))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"weather": "spring"}, "weather of phytotron/Lettuce-v0"),
        ({"weather": 300}, "10 to 293"),
        ({"weather": 40.5}, "days of the year"),
        ({"forecast": -1}, "forecast"),
        ({"episode_days": 0}, "episode_days"),
        ({"episode_days": 300}, "episode_days, with the forecast, is 300.*293.979 at most"),
        ({"weather": "train", "episode_days": 60}, "episode_days, with the forecast, is 60.*41.9"),
        ({"weather": [[50, 60], [70, 80]]}, "days of the year, 10 to 293"),
        ({"weather": [[50], [70, 80]]}, "days of the year, 10 to 293"),
        ({"episode_days": float("nan")}, "episode_days is nan"),
        ({"prices": {"heat": [0.1] * 24}}, r"Prices\.heat (.|\n)*expected one number"),
        ({"prices": Prices(heat=float("nan"))}, "Prices.heat .* finite"),
        ({"limits": Limits(co2_penalty=-1.0)}, "Limits.co2_penalty"),
        ({"limits": {"lowest_co2": 2000.0}}, "limits.lowest_co2 is 2000.0; expected below highest_co2, which is 1600"),
        ({"reward": "yield"}, "benchmark"),
        ({"precision": "float16"}, "precision"),
        ({"parameter_overrides": {"c_leek": 1.0}}, "c_leak"),
    ],
)
def test_what_is_wrong_is_refused_when_it_is_made(options: dict[str, Any], words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        Lettuce(**options)


def test_the_example_of_the_docstring_runs() -> None:
    assert doctest.testmod(environment).failed == 0


def polar(temperature: float) -> WeatherTable:
    hours = 8 * 24
    columns = {"air_temperature": np.full(hours, temperature), "relative_humidity": np.full(hours, 80.0)}
    columns |= {"global_radiation": np.full(hours, 100.0), "wind_speed": np.ones(hours), "cloud_cover": np.ones(hours)}
    place, source = Site("Yakutsk", 62.0, 129.7, 100.0), Provenance("made for a test", "none")
    return weather_table(columns, datetime(2011, 1, 1, tzinfo=UTC), 3600, place, source)


def test_weather_that_the_model_is_not_meant_for_is_refused() -> None:
    with pytest.raises(ValueRangeError, match=r"outdoor_temperature \[°C\] on 2011-01-01 is -60.0; expected -50 to 60"):
        Lettuce(weather=polar(-60.0), episode_days=2.0)
    assert Lettuce(weather=polar(-40.0), episode_days=2.0).episode_steps == 96


def test_a_step_without_a_number_ends_the_episode_with_a_reason_and_leaves_the_last_state() -> None:
    env = Lettuce(episode_days=1.0)
    _, state = env.reset(jax.random.key(0))
    params = dataclasses.replace(env.default_params, weather=env.default_params.weather.at[:, 0].set(jnp.nan))
    _, after, reward, terminated, _, info = env.step(jax.random.key(1), state, jnp.zeros(3, jnp.float32), params)
    assert bool(terminated) and env.reason(info).startswith("dry_weight is no number, or has left what is ")
    assert after.greenhouse == state.greenhouse and bool(jnp.isfinite(reward))
    _, _, _, terminated, _, info = env.step(jax.random.key(1), state, jnp.zeros(3, jnp.float32))
    assert not bool(terminated) and env.reason(info) == ""
