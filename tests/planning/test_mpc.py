"""Predictive control: close to the oracle with a long horizon and a perfect forecast, and what it refuses."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Aiming

from phytotron.controllers.registry import make_controller
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.environments.distributions import Uniform
from phytotron.environments.glasshouse.foreseen import UncertainWeather, foreseen_weather
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.engine import some, windows
from phytotron.evaluation.scores import evaluate
from phytotron.planning.hindsight import make_plans
from phytotron.planning.mpc import horizon_steps, mpc
from phytotron.planning.oracle import following
from phytotron.weather.greenhouse_weather import INPUTS

TWO_DAYS = Lettuce(episode_days=2.0)


def mean_return(env: Any, controller: Any, starts: Any = None) -> float:
    return float(evaluate(env, controller, starts=starts).means()["return"][0])


@pytest.mark.slow
def test_with_foresight_it_takes_most_of_what_the_oracle_takes() -> None:
    rules = mean_return(TWO_DAYS, make_controller("rule-based", TWO_DAYS))
    best = mean_return(TWO_DAYS, following(TWO_DAYS, make_plans(TWO_DAYS, iterations=400)))
    found = mean_return(TWO_DAYS, mpc(TWO_DAYS, iterations=3))
    assert rules + 0.8 * (best - rules) < found <= best + 0.01 * abs(best)


@pytest.mark.slow
def test_several_greenhouses_at_once_act_like_each_alone() -> None:
    env = Lettuce(episode_days=0.25, weather=(40, 80, 120))
    controller, starts = mpc(env, horizon_hours=3), windows(env)
    together = evaluate(env, controller, starts=starts).values["return"][0]
    alone = evaluate(env, controller, starts=some(starts, np.array([1]))).values["return"][0, 0]
    assert together[1] == pytest.approx(alone, rel=1e-5) and np.ptp(together) > 1e-3


@pytest.mark.slow
def test_around_a_controller_it_does_the_same_without_a_step_and_better_with_some() -> None:
    env = Lettuce(episode_days=0.5)
    guided: Any = mpc(env, horizon_hours=6, iterations=10, around="rule-based")
    rules, better = (mean_return(env, each) for each in (make_controller("rule-based", env), guided))
    still = mean_return(env, dataclasses.replace(guided, paces=0.0 * guided.paces))
    assert still == pytest.approx(rules, abs=1e-4) and better > rules + 1e-3


def test_blocks_hold_actions_and_the_plan_moves_along() -> None:
    env = Lettuce(episode_days=1.0)
    controller = mpc(env, horizon_hours=4, block_minutes=60)
    key, params = jax.random.key(0), env.default_params
    observation, state = env.reset(key)
    memory = controller.start(key)
    assert memory.raw.shape == (4, 3)
    act = jax.jit(controller.act)
    _, first = act(key, memory, observation, state, params)
    _, second = act(key, first, observation, state, params)
    assert not np.array_equal(first.raw, second.raw) and int(second.age) == 2


def test_around_a_controller_the_improved_plan_is_followed_until_the_next_decision() -> None:
    env = Lettuce(episode_days=1.0)
    controller: Any = mpc(env, horizon_hours=2, decide_every=2, around="rule-based")
    key = jax.random.key(0)
    observation, state = env.reset(key)
    act = jax.jit(controller.act)
    _, first = act(key, controller.start(key), observation, state, env.default_params)
    _, second = act(key, first, observation, state, env.default_params)
    _, third = act(key, second, observation, state, env.default_params)
    np.testing.assert_array_equal(second.raw, controller._moved_along(first.raw))
    assert not np.array_equal(third.raw, controller._moved_along(second.raw))


@pytest.mark.slow
def test_with_choices_the_field_is_planned_by_search() -> None:
    env = WheatNitrogen()
    starts = some(windows(env), np.array([0]))
    never, found = (mean_return(env, each, starts) for each in (make_controller("off", env), mpc(env)))
    best = next(iter(make_plans(env, starts).values())).value
    assert never < found <= best + 1e-3 and found > never + 0.95 * (best - never)


def test_horizons_and_what_is_refused() -> None:
    assert horizon_steps(TWO_DAYS, None) == 48 and horizon_steps(TWO_DAYS, 1) == 2
    assert horizon_steps(WheatNitrogen(), None) == WheatNitrogen().episode_steps
    with pytest.raises(ValueRangeError, match="horizon_hours"):
        mpc(TWO_DAYS, horizon_hours=100)
    with pytest.raises(ValueRangeError, match="block_minutes"):
        mpc(TWO_DAYS, horizon_hours=5, block_minutes=90)
    with pytest.raises(ValueRangeError, match="iterations"):
        mpc(TWO_DAYS, iterations=0)
    with pytest.raises(PhytotronError, match="around no controller"):
        mpc(WheatNitrogen(), around="off")
    ignored: dict[str, Any] = {"iterations": 2, "first_iterations": 2, "decide_every": 2, "block_minutes": 60}
    for option, value in (ignored | {"begin_from": "off"}).items():
        with pytest.raises(PhytotronError, match=f"planned by search; leave out {option}"):
            mpc(WheatNitrogen(), **{option: value})
    with pytest.raises(PhytotronError, match="knows perfect forecasts only"):
        evaluate(TWO_DAYS, mpc(TWO_DAYS, forecast=0.5))


def test_options_follow_the_name() -> None:
    made: Any = make_controller("mpc(horizon_hours=6, iterations=2)", TWO_DAYS)
    assert (made.horizon, made.iterations, made.forecast) == (12, 2, "perfect")
    with pytest.raises(UnknownNameError, match="horizon_hours"):
        make_controller("mpc(horizon=6)", TWO_DAYS)
    for wrong in ("mpc(6", "mpc(iterations=two)", "mpc(6)", "mpc(6, iterations=2)", "mpc(iterations=2)(scenarios=3)"):
        with pytest.raises(ValueRangeError, match="the options of a controller"):
            make_controller(wrong, TWO_DAYS)
    for given in ("rule-based(x=1)", "rule-based()"):
        with pytest.raises(PhytotronError, match="rule-based, a baseline of phytotron/Lettuce-v0, takes no options"):
            make_controller(given, TWO_DAYS)


def test_a_persistent_forecast_keeps_what_was_and_comes_to_what_is_usual() -> None:
    weather = Greenhouse().default_params.weather
    now = jnp.asarray(9 * 86400 + 3600 * 12, jnp.int32)
    seen = foreseen_weather(jax.random.key(0), weather, now, "persistent")
    for hours in (-3, 0):
        assert np.array_equal(seen.at(9, 3600 * (12 + hours)), weather.at(9, 3600 * (12 + hours)))

    def mean(hour: int) -> Any:
        return np.mean([weather.at(day, 3600 * hour) for day in range(2, 9)], axis=0)

    radiation, temperature = INPUTS.index("global_radiation"), INPUTS.index("outdoor_temperature")
    usual, usual_now, today, forecast = mean(15), mean(12), weather.at(9, 3600 * 12), seen.at(9, 3600 * 15)
    clearer = np.log(forecast[radiation] / usual[radiation]) / np.log(today[radiation] / usual_now[radiation])
    warmer = (forecast - usual)[temperature] / (today - usual_now)[temperature]
    np.testing.assert_allclose([clearer, warmer], np.exp([-3 / 6, -3 / 24]), rtol=1e-4)
    much_later = [INPUTS.index(name) for name in ("global_radiation", "wind_speed", "sky_temperature")]
    np.testing.assert_allclose(seen.at(15, 3600 * 13)[jnp.array(much_later)], mean(13)[much_later], rtol=3e-3)


def test_where_nothing_was_before_a_persistent_forecast_is_as_the_present() -> None:
    weather = Greenhouse().default_params.weather
    seen = foreseen_weather(jax.random.key(0), weather, jnp.asarray(3600 * 9, jnp.int32), "persistent")
    total = INPUTS.index("daily_radiation_sum")
    for hour in (9, 14):
        seen_then, now = np.asarray(seen.at(0, 3600 * hour)), np.asarray(weather.at(0, 3600 * 9))
        np.testing.assert_allclose(np.delete(seen_then, total), np.delete(now, total), rtol=1e-6)


def test_a_persistent_forecast_depends_on_nothing_that_is_still_to_come() -> None:
    weather = Greenhouse().default_params.weather
    now = 9 * 86400 + 3600 * 12
    rows = np.arange(len(weather.values))
    total = INPUTS.index("daily_radiation_sum")
    other = np.where(rows[:, None] * weather.interval > now, 0.5 * weather.values, weather.values)
    other[rows * weather.interval // 86400 == 9, total] *= 0.7  # all of the day, as its sum is not known before its end
    changed = dataclasses.replace(weather, values=other)
    seen, again = (
        foreseen_weather(jax.random.key(0), each, jnp.asarray(now, jnp.int32), "persistent")
        for each in (weather, changed)
    )
    for hours in (1, 11, 13, 36):
        then = jnp.asarray(now + 3600 * hours)
        assert np.array_equal(seen.at(0, then), again.at(0, then))


def test_the_radiation_sum_of_a_day_is_what_was_measured_of_it_and_what_is_expected() -> None:
    weather = Greenhouse().default_params.weather
    radiation, total = INPUTS.index("global_radiation"), INPUTS.index("daily_radiation_sum")
    evening, morning = (9 * 86400 + 3600 * hour for hour in (23, 4))
    late, early = (
        foreseen_weather(jax.random.key(0), weather, jnp.asarray(now, jnp.int32), "persistent")
        for now in (evening, morning)
    )
    known = float(weather.at(9, 0)[total])
    assert float(late.at(9, 3600 * 23 + 600)[total]) == pytest.approx(known, rel=1e-5)
    expected = early.at(9, 300 * jnp.arange(288))[:, radiation]
    assert float(early.at(9, 3600 * 12)[total]) == pytest.approx(float(expected.sum()) * 300e-6, rel=1e-5)
    week = [float(weather.at(day, 0)[total]) for day in range(3, 10)]
    assert float(late.at(10, 3600 * 5)[total]) == pytest.approx(np.mean(week), rel=1e-5)


def test_an_uncertain_forecast_is_right_now_and_strays_with_the_lead() -> None:
    weather = Greenhouse().default_params.weather
    now = jnp.asarray(5 * 86400, jnp.int32)
    keys = jax.random.split(jax.random.key(1), 200)

    def missed(hours: int) -> np.ndarray[Any, Any]:
        def one(key: Any) -> Any:
            seen = foreseen_weather(key, weather, now, 1.0)
            assert isinstance(seen, UncertainWeather)
            return seen.at(5, 3600 * hours) - weather.at(5, 3600 * hours)

        return np.asarray(jax.vmap(one)(keys))[:, 1]  # outdoor temperature

    assert np.all(missed(0) == 0.0)
    assert missed(24).std() == pytest.approx(2.0, rel=0.2)
    assert missed(6).std() == pytest.approx(1.0, rel=0.2)
    with pytest.raises(ValueRangeError, match="forecast"):
        foreseen_weather(keys[0], weather, now, "sunny")


@pytest.mark.slow
def test_scenarios_of_weather_and_parameters_are_planned_for_in_the_greenhouse() -> None:
    env = Greenhouse(reward="additive", episode_days=1.0, randomise={"tauRfPar": Uniform(0.5, 0.6)})
    controller = mpc(env, horizon_hours=1, forecast=0.5, scenarios=3, first_iterations=3)
    key = jax.random.key(0)
    observation, state = env.reset(key)
    action, _ = jax.jit(controller.act)(key, controller.start(key), observation, state, env.default_params)
    assert np.all(np.isfinite(action)) and np.all(np.abs(action) <= 1.0)


@pytest.mark.slow
def test_scenarios_draw_parameters_that_the_planner_cannot_know() -> None:
    wheat = WheatNitrogen(randomise={"TNSOILI": Uniform(2.0, 15.0)})
    _, state = wheat.reset(jax.random.key(0))
    supposed = wheat.supposed(jax.random.key(1), state, wheat.default_params)
    ((name, known),) = state.drawn.items()
    assert float(supposed.drawn[name]) != float(known)
    assert not np.array_equal(supposed.zero_grain["grain"], state.zero_grain["grain"])

    env = Greenhouse(randomise={"tauRfPar": Uniform(0.5, 0.6)})
    controller: Any = mpc(env, scenarios=3, forecast=0.5)
    _, state = env.initial(jax.random.key(0), env.default_params)
    states, params = controller._scenarios(jax.random.key(2), state, env.default_params)
    ((name, known),) = state.drawn.items()
    drawn = [float(each) for each in states.drawn[name]]
    assert len({*drawn, float(known)}) == 4 and all(0.5 <= each <= 0.6 for each in drawn)
    assert len({float(each) for each in params.weather.walk[:, 0, 0]}) == 3


class Graded(Aiming):
    """Gives gradients, and says nothing of the length of its steps."""

    differentiable = True


@pytest.mark.parametrize("option", ["horizon_hours", "block_minutes"])
def test_times_mean_nothing_where_steps_have_no_length(option: str) -> None:
    words = rf"steps of .* have no length, as it has no `presentation.timeline`; leave out {option}, or give"
    given: dict[str, Any] = {option: 1440.0}
    with pytest.raises(PhytotronError, match=words):
        mpc(Graded(), **given)
