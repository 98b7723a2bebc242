"""The modules of the greenhouse task: actions, observations, rewards, prices, parameters, pictures."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import names, unstack
from phytotron.environments.greenhouse import (
    Choice,
    ControlProcessing,
    Forecast,
    Greenhouse,
    Normal,
    Relative,
    Uniform,
    WeightedSum,
)
from phytotron.environments.greenhouse.observations import GROUPS, OBSERVABLES, PAPER
from phytotron.environments.greenhouse.reward import Prices, load_prices
from phytotron.models.greenlight import Control, State

KEY = jax.random.key(0)
# Which solver it is makes no difference here, and this one is compiled soonest.
MARCH: dict[str, Any] = {
    "weather": "schiphol",
    "years": 2010,
    "first_day": 60,
    "episode_days": 1 / 24,
    "solver": "euler",
}
RULED = unstack(Control, jnp.linspace(0.1, 0.8, 8))
BEFORE = unstack(Control, jnp.full(8, 0.5))
CLEAR: dict[str, Any] = {"parameter_overrides": {"rhoRfPar": 0.05}}  # a roof that reflects little may let 0.95 pass


def small(**options: Any) -> Greenhouse:
    return Greenhouse(**(MARCH | options))


def one_step(env: Greenhouse, action: Any, key: Any = KEY) -> tuple[Any, ...]:
    return env.step(key, env.reset(key)[1], action)


# Control processing


def test_learned_actuators_follow_the_action_and_the_others_the_rules() -> None:
    control = ControlProcessing(("lamp", "roof_vent")).control(jnp.array([-1.0, 0.5]), BEFORE, RULED)
    assert (float(control.lamp), float(control.roof_vent)) == (0.0, 0.75)
    assert float(control.boiler) == float(RULED.boiler)
    assert float(control.interlamp) == float(control.grow_pipe_boiler) == 0.0


def test_rate_limited_actions_move_from_where_the_actuator_was() -> None:
    processing = ControlProcessing(("boiler",), "rate", max_change=0.2)
    moved = [float(processing.control(jnp.array([a]), BEFORE, RULED).boiler) for a in (-1.0, 0.0, 1.0)]
    assert moved == pytest.approx([0.3, 0.5, 0.7])
    top = dataclasses.replace(BEFORE, boiler=jnp.asarray(0.95))
    assert float(processing.control(jnp.array([1.0]), top, RULED).boiler) == 1.0


def test_bounds_hold_for_learned_and_ruled_actuators() -> None:
    processing = ControlProcessing(("boiler",), bounds={"boiler": (0.2, 0.6), "lamp": (0.0, 0.3)})
    control = processing.control(jnp.array([1.0]), BEFORE, RULED)
    assert (float(control.boiler), float(control.lamp)) == pytest.approx((0.6, 0.3))
    assert float(processing.control(jnp.array([-9.0]), BEFORE, RULED).boiler) == pytest.approx(0.2)


@pytest.mark.parametrize("mode", ["absolute", "rate"])
def test_an_action_reaches_the_positions_that_it_was_made_for(mode: str) -> None:
    processing = ControlProcessing(("boiler", "roof_vent"), mode, max_change=1.0, bounds={"boiler": (0.1, 0.9)})
    wanted = dataclasses.replace(BEFORE, boiler=jnp.asarray(0.3), roof_vent=jnp.asarray(0.8))
    reached = processing.control(processing.action(wanted, BEFORE), BEFORE, RULED)
    assert (float(reached.boiler), float(reached.roof_vent)) == pytest.approx((0.3, 0.8))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"actuators": ("boler",)}, UnknownNameError, "did you mean 'boiler'"),
        ({"actuators": ()}, ValueRangeError, "one or more names"),
        ({"actuators": "boiler"}, PhytotronError, "a list of names"),
    ],
)
def test_wrong_actuators_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        small(**options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "relative"}, "did you mean 'rate'"),
        ({"max_change": 0.0}, "above 0"),
        ({"bounds": {"lamp": (0.6, 0.4)}}, "0 <= low < high <= 1"),
        ({"bounds": {"lmap": (0.0, 0.4)}}, "did you mean 'lamp'"),
    ],
)
def test_contradictory_control_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        ControlProcessing(**arguments)


# Observations


def test_any_list_of_names_is_observed_with_the_names_kept() -> None:
    env = small(observation=("wind_speed", "state.pipe_temperature", "control"))
    observation, *_ = one_step(env, np.ones(4))
    assert env.observation_space.names == ("wind_speed", "state.pipe_temperature", *GROUPS["control"])
    assert observation.shape == (10,)
    assert float(observation[2]) == 1.0  # the boiler, as the action put it


def test_the_full_state_is_the_state() -> None:
    env = small(observation="state")
    observation, state, *_ = one_step(env, np.zeros(4))
    assert np.asarray(observation) == pytest.approx([float(getattr(state.model, name)) for name in names(State)])


def test_every_observable_can_be_observed_and_is_finite() -> None:
    env = small(observation=tuple(OBSERVABLES))
    observation, state, *_ = one_step(env, np.zeros(4))
    assert observation.shape == (len(OBSERVABLES),) and np.isfinite(np.asarray(observation)).all()
    assert env.observation_space.contains(observation)
    seen = dict(zip(OBSERVABLES, np.asarray(observation), strict=True))
    leaves = env.default_params.model.specific_leaf_area * float(state.model.leaf_carbohydrate)
    assert seen["leaf_area_index"] == pytest.approx(leaves, rel=1e-5) and 0.0 <= seen["photosynthesis"] < 2.0


def test_a_perfect_forecast_is_the_weather_that_comes() -> None:
    env = small(observation=Forecast(hours=3, variables=("outdoor_temperature", "wind_speed")))
    observation, state = env.reset(KEY)
    for hour in (1, 2, 3):
        later = env.weather_at(dataclasses.replace(state, step=jnp.asarray(12 * hour, jnp.int32)))
        assert float(observation[hour - 1]) == pytest.approx(float(later.outdoor_temperature))
        assert float(observation[2 + hour]) == pytest.approx(float(later.wind_speed))
    assert env.observation_space.names[0] == "forecast.outdoor_temperature+1h"


def test_a_forecast_may_give_means_over_hours() -> None:
    hourly, means = (
        small(observation=Forecast(hours=6, variables=("outdoor_temperature", "wind_speed"), means_until=until))
        for until in ((), (1, 3, 6))
    )
    each = np.asarray(hourly.reset(KEY)[0]).reshape(2, 6)
    expected = np.stack([each[:, 0], each[:, 1:3].mean(axis=1), each[:, 3:].mean(axis=1)], axis=1)
    assert np.asarray(means.reset(KEY)[0]) == pytest.approx(expected.reshape(-1), rel=1e-6)
    assert [name.split("+")[1] for name in means.observation_space.names[:3]] == ["1h", "2-3h", "4-6h"]


@pytest.mark.slow
def test_the_error_of_a_forecast_grows_with_the_square_root_of_the_lead() -> None:
    perfect, fuzzy = (
        small(observation=Forecast(hours=16, variables=("outdoor_temperature", "global_radiation"), error=error))
        for error in (0.0, 1.0)
    )
    keys = jax.random.split(KEY, 4000)
    exact = np.asarray(perfect.reset(KEY)[0])
    errors = np.asarray(jax.vmap(lambda key: fuzzy.reset(key)[0])(keys)) - exact
    assert errors[:, :16].std(axis=0) == pytest.approx(2.0 * np.sqrt(np.arange(1, 17) / 24.0), rel=0.06)
    assert np.all(np.asarray(fuzzy.reset(KEY)[0])[16:] >= 0.0)
    assert np.all(errors[:, 16:21] == 0.0)  # no sun, no error


@pytest.mark.parametrize(
    ("observation", "message"),
    [
        ("papper", "did you mean 'paper'"),
        (("air_temperature", "air_temperature"), "observed twice: air_temperature"),
        ((), "is empty"),
        (7, "expected a name"),
    ],
)
def test_wrong_observations_are_refused(observation: Any, message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        small(observation=observation)


@pytest.mark.parametrize(
    "options",
    [
        {"hours": 0},
        {"hours": 2.5},
        {"hours": 3, "error": -1.0},
        {"hours": 3, "variables": ("rain",)},
        {"hours": 3, "means_until": (1, 2)},
        {"hours": 3, "means_until": (2, 2, 3)},
    ],
)
def test_wrong_forecasts_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(PhytotronError):
        Forecast(**options)


# Rewards and prices


@pytest.mark.slow
def test_a_weighted_sum_adds_its_terms_and_users_add_their_own() -> None:
    action = np.array([1.0, -1.0, -1.0, 1.0])
    parts = [one_step(small(reward=name), action)[2] for name in ("additive", "movement")]
    mine = WeightedSum((2.0, "additive"), (0.5, "movement"), (3.0, lambda outcome: outcome.flows.gas))
    _, _, total, _, _, info = one_step(small(reward=mine), action)
    assert float(parts[1]) == -2.0  # boiler and vent from 0 to 1
    assert float(total) == pytest.approx(
        2.0 * float(parts[0]) + 0.5 * float(parts[1]) + 3.0 * float(info["gas"]), rel=1e-5
    )


@pytest.mark.parametrize(
    ("terms", "message"), [((), "at least one"), (((np.nan, "profit"),), "finite"), (((1.0, "proft"),), "'profit'")]
)
def test_wrong_sums_are_refused(terms: Any, message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        WeightedSum(*terms)


@pytest.mark.slow
def test_electricity_is_charged_when_it_has_a_price() -> None:
    lit = {"actuators": ("lamp",), "reward": "profit"}
    free, charged = (one_step(small(prices=prices, **lit), np.ones(1)) for prices in ({}, {"electricity": 0.3}))
    used = float(free[5]["electricity"])
    assert used == pytest.approx(66.7 * 300 / 3.6e6, rel=1e-2)
    assert float(free[2]) - float(charged[2]) == pytest.approx(0.3 * used, rel=1e-3)


def test_a_daily_tariff_is_the_price_of_the_hour_and_a_table_that_of_the_hour_of_the_year() -> None:
    day, year = np.arange(24.0), np.arange(8784.0)
    prices = load_prices({"gas": day, "cEl": year})
    for time, hour in ((59.0, 0), (59.0 + 13.5 / 24, 13), (59.0 + 23.9 / 24, 23)):
        now = prices.at(jnp.asarray(time, jnp.float32))
        assert float(now.gas) == hour
        assert float(now.electricity) == 59 * 24 + hour
        assert now.fruit == 1.6
    for step in range(288):  # float32 must not fetch the hour before
        assert float(prices.at(jnp.asarray(300.0 + step / 288, jnp.float32)).gas) == step // 12
    assert float(prices.mean().gas) == 11.5
    with pytest.raises(ValueRangeError, match="number of prices of gas is 12"):
        load_prices({"gas": np.ones(12)})
    with pytest.raises(UnknownNameError, match="'gas'"):
        load_prices({"gaz": 1.0})
    with pytest.raises(ValueRangeError, match="finite"):
        load_prices(Prices()) and load_prices({"gas": np.nan})


@pytest.mark.parametrize(("hours", "sample"), [(8760, 2009), (8784, 2012)])
def test_prices_of_a_year_keep_their_dates_in_leap_years_and_in_common_ones(hours: int, sample: int) -> None:
    start = np.datetime64(f"{sample}-01-01T00")
    named = {str(start + n)[5:]: n for n in range(hours)}  # month, day and hour -> number of the price
    prices = load_prices({"gas": np.arange(float(hours))})
    year = np.datetime64("2012-01-01T00")
    for hour in (*range(58 * 24, 61 * 24), 364 * 24, 365 * 24 + 23, 366 * 24, (366 + 58) * 24, (366 + 59) * 24):
        date = str(year + hour)[5:]
        expected = named.get(date, named.get(date.replace("02-29", "02-28")))
        found = prices.at(jnp.asarray(hour / 24, jnp.float32), jnp.asarray(2012))
        assert float(found.gas) == expected, date
    common = prices.at(jnp.asarray(59.0, jnp.float32), jnp.asarray(2009))
    assert float(common.gas) == named["03-01T00"]


def test_contradictory_bounds_of_the_climate_are_refused() -> None:
    with pytest.raises(ValueRangeError, match=r"humidity_minimum is 95.*below humidity_maximum"):
        small(reward_parameters={"humidity_minimum": 95.0})


# Parameters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("distribution", "low", "high"),
    [
        (Uniform(0.6, 0.8), 0.6, 0.8),
        (Normal(0.7, 0.02), 0.64, 0.76),
        (Relative(0.1), 0.765, 0.935),
        (Choice((0.5, 0.6)), 0.5, 0.6),
    ],
)
def test_parameters_are_drawn_anew_in_every_episode_and_kept_within_it(
    distribution: Any, low: float, high: float
) -> None:
    env = small(randomise={"tauRfPar": distribution}, **CLEAR)
    drawn = np.asarray(
        jax.vmap(lambda key: env.reset(key)[1].drawn["roof_par_transmission"])(jax.random.split(KEY, 500))
    )
    assert low - 1e-6 <= drawn.min() < drawn.max() <= high + 1e-6
    assert drawn.std() > 0.2 * (high - low) / 3.5
    _, state = env.reset(KEY)
    (*_,) = env.step(KEY, state, np.zeros(4))
    assert env.step(KEY, state, np.zeros(4))[1].drawn == state.drawn


@pytest.mark.slow
def test_what_is_drawn_matters() -> None:
    noon = {"first_day": 151, "years": 2010}
    env = small(randomise={"tauRfPar": Choice((0.2, 0.9))}, observation="par", **noon, **CLEAR)
    _, state = env.reset(KEY)
    state = dataclasses.replace(state, step=jnp.asarray(144, jnp.int32))
    light = []
    for value in (0.2, 0.9):
        drawn = {"roof_par_transmission": jnp.asarray(value, jnp.float32)}
        light.append(float(env.step(KEY, dataclasses.replace(state, drawn=drawn), -np.ones(4))[0][0]))
    assert light[1] > 3.0 * light[0] > 0.0


@pytest.mark.parametrize(
    ("randomise", "message"),
    [
        ({"tauRfPar": Uniform(0.5, 1.5)}, "0 to 1"),
        ({"tauRfPor": Relative(0.1)}, "did you mean 'tauRfPar'"),
        ({"tauRfPar": 0.1}, "Uniform, Normal, Relative or Choice"),
        ({"tauRfPar": Relative(0.1), "roof_par_transmission": Relative(0.1)}, "given twice"),
    ],
)
def test_wrong_randomisation_is_refused(randomise: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        small(randomise=randomise)


def test_overrides_reach_the_model_by_symbol() -> None:
    env = small(parameter_overrides={"pBoil": 0.0}, observation="gas_use")
    assert float(one_step(env, np.ones(4))[0][0]) == 0.0


# The end


def test_a_state_beyond_the_possible_ends_the_episode_with_its_name_and_no_nan() -> None:
    env = small(solver="euler", substep=60.0)  # far beyond its stability
    _, state = env.reset(KEY)
    for _ in range(12):
        observation, state, reward, terminated, truncated, info = env.step(KEY, state, np.ones(4))
        assert np.isfinite(np.asarray(observation)).all() and np.isfinite(float(reward))
        assert all(np.isfinite(np.asarray(leaf)).all() for leaf in jax.tree.leaves(state.model))
        if terminated:
            break
    assert terminated and not truncated and float(reward) == 0.0
    assert " has left what is possible (" in env.reason(info)
    assert env.reason({"left": -1}) == ""


@pytest.mark.slow
def test_within_long_intervals_the_weather_moves_on() -> None:
    morning = {"weather": "schiphol", "years": 2010, "first_day": 151, "episode_days": 1.0, "precision": "float64"}
    hour, minutes = Greenhouse(control_interval=3600, **morning), Greenhouse(control_interval=300, **morning)
    state, fine = hour.reset(KEY)[1], minutes.reset(KEY)[1]
    for _ in range(7):
        observation, state, *_ = hour.step(KEY, state, np.zeros(4))
        for _ in range(12):
            wanted, fine, *_ = minutes.step(KEY, fine, np.zeros(4))
    assert hour.clock.pieces == 12
    # the lamp's rule is asked once an hour or every five minutes; in full daylight it stays off
    assert np.asarray(observation[:3]) == pytest.approx(np.asarray(wanted[:3]), rel=0.02)


# Pictures


@pytest.mark.slow
def test_a_picture_shows_the_house_and_its_last_day() -> None:
    env = dataclasses.replace(small(), record_last_day=True)
    _, state = env.reset(KEY)
    first = env.render(state, env.default_params)
    for _ in range(3):
        _, state, *_ = env.step(KEY, state, np.ones(4))
    later = env.render(state, env.default_params)
    assert first.shape == later.shape == (540, 960, 3) and later.dtype == np.uint8
    assert not np.array_equal(first, later)
    assert np.asarray(state.last_day["boiler"])[:4].tolist() == [1.0, 1.0, 1.0, 0.0]
    assert len(PAPER) == 18
