"""The wheat task: episodes, rewards, batches and what is refused."""

from __future__ import annotations

import dataclasses
import pickle
from datetime import date
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_episodes import KEY, Played, in_season, play, season

import phytotron
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.environments.distributions import Uniform
from phytotron.environments.field.seasons import choose_seasons, dated
from phytotron.environments.wheat import Continuous, WheatNitrogen, WheatParams
from phytotron.environments.wheat.single_dose import schedule
from phytotron.models.lintul3 import load_parameters
from phytotron.weather.archive import MissingWeatherError
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.table import WeatherError

ID = "phytotron/WheatNitrogen-v0"
STEPS = 34
# The same operations, fused differently by the compiler.
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def env() -> WheatNitrogen:
    return WheatNitrogen(precision="float64")


@pytest.fixture(scope="module")
def actions() -> Any:
    return np.random.default_rng(3).integers(0, 3, STEPS, np.int32)


@pytest.fixture(scope="module")
def played(env: WheatNitrogen, actions: Any) -> Played:
    return play(env, actions)


def equal(one: Any, other: Any) -> bool:
    return all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


def test_decisions_fall_on_7_january_and_every_week_from_there(env: WheatNitrogen, played: Played) -> None:
    observation, start = env.reset(KEY)
    assert str(env.date(start))[4:] == "-01-07"
    assert played.state.model.day[: played.steps - 1].tolist() == [6.0 + 7.0 * k for k in range(1, played.steps)]
    assert env.observation_space.contains(observation) and env.observation_space.names[8] == "grain_mass"
    assert all(map(env.observation_space.contains, played.observation))


def test_the_season_ends_terminated_at_maturity_and_then_stands_still(env: WheatNitrogen, played: Played) -> None:
    last = played.steps - 1
    assert played.state.model.stage[last] == 2.0 and played.state.model.stage[last - 1] < 2.0
    assert played.terminated.tolist() == [k >= last for k in range(STEPS)] and not played.truncated.any()
    assert 28 <= played.steps <= env.episode_steps
    assert not played.reward[played.steps :].any()
    assert np.all(played.state.farming.total_dose[last:] == played.state.farming.total_dose[last])


def test_without_nitrogen_every_reward_is_zero(env: WheatNitrogen) -> None:
    for number in range(3):
        zero = play(env, np.zeros(STEPS, np.int32), in_season(env, number))
        assert np.abs(zero.reward).max() < ROUNDING
        assert zero.info["growth"][: zero.steps].sum() > 400.0


def test_the_return_is_the_gain_in_grain_less_beta_times_all_nitrogen(env: WheatNitrogen, played: Played) -> None:
    harvest = played.state.model.grain_mass[-1]
    zero = play(env, np.zeros(STEPS, np.int32)).state.model.grain_mass[-1]
    nitrogen = played.state.farming.total_dose[-1] / 10.0
    assert played.episode_return == pytest.approx(harvest - zero - 10.0 * nitrogen, abs=ROUNDING)


def test_single_steps_compiled_loops_and_batches_agree(env: WheatNitrogen, actions: Any, played: Played) -> None:
    observation, state = env.reset(KEY)
    for step in range(8):
        observation, state, reward, *_ = env.step(KEY, state, actions[step])
        assert np.asarray(observation) == pytest.approx(played.observation[step], rel=ROUNDING, abs=ROUNDING)
        assert float(reward) == pytest.approx(played.reward[step], abs=ROUNDING)
    both = jnp.stack([actions, actions[::-1]])
    axes = (None, 0, None)
    batch = jax.jit(jax.vmap(lambda params, actions, key: season(env, params, actions, key), axes))
    observations, _, rewards, *_ = batch(env.default_params, both, KEY)
    assert np.asarray(observations[0]) == pytest.approx(played.observation, rel=ROUNDING, abs=ROUNDING)
    assert np.asarray(rewards[1]) == pytest.approx(play(env, actions[::-1]).reward, abs=ROUNDING)


def test_the_same_key_and_actions_give_the_same_episode_to_the_bit(
    env: WheatNitrogen, actions: Any, played: Played
) -> None:
    assert equal(play(env, actions), played)
    copy = pickle.loads(pickle.dumps(env))
    assert equal(copy.reset(KEY), env.reset(KEY))


def test_a_season_goes_on_from_a_state_that_was_kept(env: WheatNitrogen, actions: Any, played: Played) -> None:
    kept = pickle.loads(pickle.dumps(jax.tree.map(lambda leaf: leaf[14], played.state)))
    for step in range(15, 19):
        _, kept, reward, *_ = env.step(KEY, jax.tree.map(jnp.asarray, kept), actions[step])
        assert float(reward) == pytest.approx(played.reward[step], abs=ROUNDING)
    assert float(kept.model.grain_mass) == pytest.approx(played.state.model.grain_mass[18], abs=ROUNDING)


def test_costs_count_what_is_above_the_limits(env: WheatNitrogen, actions: Any) -> None:
    params = dataclasses.replace(
        env.default_params, limits=dataclasses.replace(env.default_params.limits, nitrogen=90.0)
    )
    made = play(env, actions, params)
    total = made.state.farming.total_dose
    assert made.info["costs"]["nitrogen"] == pytest.approx(np.maximum(total - 90.0, 0.0))
    events = np.cumsum(np.array([0.0, 20.0, 40.0])[actions] > 0)[: made.steps]
    assert made.info["costs"]["applications"][: made.steps] == pytest.approx(np.maximum(events - 8.0, 0.0))


@pytest.mark.parametrize("interval", [1, 14])
def test_a_dose_enters_the_day_after_the_decision_at_any_interval(interval: int) -> None:
    env = WheatNitrogen(interval=interval, doses=(0, 60), years=1991, precision="float64")
    chosen = 90 // interval
    actions = np.zeros(-(-245 // interval), np.int32)
    actions[chosen] = 1
    made = play(env, actions)
    day = interval - 1 + chosen * interval + 1
    direct = schedule(env.seasons, [(day, 60.0)])
    assert made.state.model.grain_mass[-1] == pytest.approx(direct.grain[0], abs=ROUNDING)
    assert made.episode_return == pytest.approx(direct.episode_return[0], abs=ROUNDING)
    assert made.steps <= env.episode_steps


def agrees_with_small_changes(function: Any, at: tuple[float, ...], changes: tuple[float, ...]) -> bool:
    both = jax.jit(jax.value_and_grad(function, tuple(range(len(at)))))
    gradient = np.array([float(each) for each in both(*at)[1]])
    steps = np.diag(changes)
    slopes = [float(both(*(at + step))[0] - both(*(at - step))[0]) / (2 * step.sum()) for step in steps]
    return gradient == pytest.approx(np.array(slopes), rel=1e-4)


def test_gradients_go_through_a_step() -> None:
    env = WheatNitrogen(doses=Continuous(100), years=1991, precision="float64")
    _, start = env.reset(KEY)

    def after(dose: Any) -> Any:
        _, state, reward, *_ = env.step(KEY, start, dose)
        return reward + 100.0 * state.model.soil_nitrogen

    # In January a dose costs beta and lies in the soil, less what is never recovered.
    assert np.asarray(jax.grad(after)(jnp.array([20.0]))) == pytest.approx([(-10.0 + 100.0 * 0.7) / 10.0])


@pytest.mark.slow
def test_gradients_go_through_seasons_parameters_and_their_run_without_nitrogen() -> None:
    env = WheatNitrogen(doses=Continuous(100), years=1991, precision="float64")
    model = jax.tree.map(jnp.asarray, load_parameters())

    def total(dose: Any, efficiency: Any) -> Any:
        params = env.params(dataclasses.replace(model, light_use_efficiency=efficiency))
        return season(env, params, jnp.full((26, 1), dose), KEY)[2].sum()

    assert agrees_with_small_changes(total, (6.0, 2.7), (1e-5, 1e-6))


def test_parameters_may_differ_within_a_batch(env: WheatNitrogen, actions: Any) -> None:
    betas = jnp.array([0.0, 10.0])
    params = env.default_params
    many = dataclasses.replace(params, reward=dataclasses.replace(params.reward, nitrogen_penalty=betas))
    none: Any = jax.tree.map(lambda _: None, params)
    axes = dataclasses.replace(none, reward=dataclasses.replace(none.reward, nitrogen_penalty=0))
    assert isinstance(axes, WheatParams)
    rewards = jax.jit(jax.vmap(lambda params: season(env, params, actions, KEY)[2], (axes,)))(many)
    given = play(env, actions).info["dose"]
    assert np.asarray(rewards[0] - rewards[1]) == pytest.approx(given, abs=ROUNDING)


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_everything_has_the_precision_that_was_asked_for(precision: str) -> None:
    made = WheatNitrogen(precision=precision, randomise={"TNSOILI": Uniform(2, 15)}, years=1991)
    _, state = jax.eval_shape(made.reset, KEY)
    outcome = jax.eval_shape(made.step, KEY, state, np.int32(0))
    assert {str(leaf.dtype) for leaf in jax.tree.leaves((state, outcome))} == {precision, "int32", "bool"}


def test_float64_has_to_be_switched_on() -> None:
    with jax.enable_x64(False), pytest.raises(PhytotronError, match="jax_enable_x64"):
        WheatNitrogen(precision="float64")


def test_seasons_come_from_splits_tables_and_years() -> None:
    def years(**options: Any) -> list[int]:
        chosen = {"weather": "embedded_wheat:train", "years": None, "folder": None} | options
        return choose_seasons(**chosen).year.tolist()

    assert years() == list(range(1977, 2000, 2))
    assert years(weather="embedded_wheat:test", years=(1980, 1996)) == [1980, 1996]
    table = embedded_weather("wageningen").window(date(1980, 6, 1), date(1983, 9, 2))
    assert years(weather=table) == [1981, 1982, 1983]
    assert years(weather=[table, table], years=1982) == [1982, 1982]
    assert len(years(weather="generated:wageningen")) == 100


def test_weather_may_end_when_the_crop_is_ripe_and_not_before(tmp_path: Path) -> None:
    table = embedded_weather("wageningen")
    august = table.window(date(1991, 1, 1), date(1991, 8, 20))
    ripe = WheatNitrogen(weather=august, years=1991)
    whole = WheatNitrogen(years=1991)
    assert equal(ripe.default_params.zero_grain[0, -1], whole.default_params.zero_grain[0, -1])
    with pytest.raises(WeatherError, match="1991 ends on 1991-07-15; the season, up to 1991-"):
        WheatNitrogen(weather=table.window(date(1991, 1, 1), date(1991, 7, 16)), years=1991)
    with pytest.raises(WeatherError, match="1991 ends on 1991-08-19; the season, up to 1991-09-01"):
        WheatNitrogen(
            weather=table.window(date(1991, 1, 1), date(1991, 8, 20)),
            years=1991,
            randomise={"TSUM1": Uniform(900, 1200)},
        )
    with pytest.raises(MissingWeatherError, match=r"--latitude 52 --longitude 5\.5"):
        WheatNitrogen(weather="cropgym:test", weather_folder=tmp_path)


def test_in_a_leap_year_the_latest_harvest_keeps_its_date() -> None:
    leap = np.array([True, False])
    for latest, expected in ((243.0, [244.0, 243.0]), (58.0, [58.0, 58.0])):  # 1 September, 28 February
        parameters = dated(load_parameters(latest_harvest=latest), leap)
        assert np.asarray(parameters.latest_harvest).tolist() == expected


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"doses": (-20, 0, 20)}, ValueRangeError, "amounts from 0"),
        ({"doses": (20, 40)}, ValueRangeError, "the first of them 0"),
        ({"irrigation": (10, 20)}, ValueRangeError, "the first of them 0"),
        ({"doses": (0, 40, 20)}, ValueRangeError, "each larger than the one before"),
        ({"doses": (0, 20, 20)}, ValueRangeError, "each larger than the one before"),
        ({"doses": (0, np.nan)}, ValueRangeError, "amounts from 0"),
        ({"doses": ()}, ValueRangeError, "amounts from 0"),
        ({"doses": "0, 20"}, ValueRangeError, "amounts from 0"),
        ({"doses": 20}, ValueRangeError, "amounts from 0"),
        ({"doses": Continuous(40), "irrigation": (0, 10)}, PhytotronError, "both be ladders"),
        ({"irrigation": (0, 10), "parameters": "pcse_winter_wheat"}, PhytotronError, "ignore irrigation"),
        ({"interval": 0}, ValueRangeError, "1 to 14"),
        ({"interval": 15}, ValueRangeError, "1 to 14"),
        ({"interval": 7.0}, ValueRangeError, "expected a whole number"),
        ({"parameters": "cropgym_wheat"}, UnknownNameError, "cropgym_winter_wheat"),
        ({"parameter_overrides": {"LUEE": 3.0}}, UnknownNameError, "LUE"),
        ({"parameter_overrides": {"LUE": -3.0}}, ValueRangeError, "at least 0"),
        ({"randomise": {"LUE": 3.0}}, PhytotronError, "expected Uniform"),
        ({"randomise": {"FRTTB": Uniform(0, 1)}}, PhytotronError, "is a table"),
        ({"randomise": {"WCI": Uniform(0, 2)}}, ValueRangeError, "0 to 1"),
        (
            {"randomise": {"WCFC": Uniform(0.1, 0.4)}},
            PhytotronError,
            "randomised Parameters.wilting_point must be smaller",
        ),
        ({"reward": "cropgim"}, UnknownNameError, "did you mean 'cropgym'"),
        ({"reward_parameters": {"beta": -1.0}}, ValueRangeError, "0 to"),
        ({"observation": "papers"}, UnknownNameError, "did you mean 'paper'"),
        ({"weather": "schipol"}, UnknownNameError, "generated:schiphol"),
        ({"weather": "embedded:train"}, PhytotronError, "is hourly, .* did you mean 'embedded_wheat:train'"),
        ({"weather": 3}, PhytotronError, "expected a name"),
        ({"years": 1978}, ValueRangeError, "1977, 1979"),
        ({"precision": "float16"}, UnknownNameError, "float32"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        phytotron.make(ID, **options)


def test_actions_that_are_not_on_the_ladder_are_refused(env: WheatNitrogen) -> None:
    _, state = env.reset(KEY)
    for action in (3, -1, 0.5):
        with pytest.raises(ValueRangeError, match="from 0 to 2"):
            env.step(KEY, state, action)
