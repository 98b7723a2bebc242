"""The parts of the wheat task that a user can swap: actions, observations, rewards, measurements, random parameters."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_episodes import KEY, Played, play

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import names
from phytotron.environments.distributions import Relative, Uniform
from phytotron.environments.field.doses import ActionProcessing
from phytotron.environments.wheat import (
    OBSERVABLES,
    REWARDS,
    Continuous,
    Measurement,
    Outcome,
    Prices,
    RewardParameters,
    WeightedSum,
    WheatNitrogen,
)
from phytotron.environments.wheat.observations import CROP, PAPER, Situation, choose_observer
from phytotron.models.crops import load_crop
from phytotron.models.lintul3 import State, load_parameters

STEPS = 34
ONE = {"years": 1991, "precision": "float64"}
SPRING = np.isin(np.arange(STEPS), (8, 11, 14))


@pytest.fixture(scope="module")
def everything() -> WheatNitrogen:
    """All options at once: water, paid measurements with errors, all observables, random soil."""
    return WheatNitrogen(
        irrigation=(0, 25),
        measurement=Measurement(price=5.0, noise=0.1),
        observation=["paper", "farming", "nitrogen_index", "previous_irrigation", "total_irrigation", "state", "mean"],
        randomise={"TNSOILI": Uniform(2, 15), "WCI": Uniform(0.2, 0.4), "TSUM1": Relative(0.05)},
        **ONE,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def measured(everything: WheatNitrogen) -> Played:
    """Measured every second week; 40 kg/ha and 25 mm three times in spring."""
    processing = everything.processing
    actions = [processing.action(40.0 * wet, 25.0 * wet, float(week % 2)) for week, wet in enumerate(SPRING)]
    return play(everything, jnp.stack(actions))


def test_choices_count_nitrogen_fastest_then_water_then_measuring() -> None:
    ladder = ActionProcessing((0.0, 20.0, 40.0), (0.0, 25.0), True)
    space = ladder.space("float32")
    assert space.names[:4] == ("0 kg/ha, 0 mm", "20 kg/ha, 0 mm", "40 kg/ha, 0 mm", "0 kg/ha, 25 mm")
    assert space.names[11] == "40 kg/ha, 25 mm, measured"
    numbers = jnp.arange(12)
    decided = ladder.decision(numbers, "float32")
    assert np.asarray(decided.nitrogen).tolist() == [0, 20, 40] * 4
    assert np.asarray(decided.irrigation).tolist() == [0, 0, 0, 25, 25, 25] * 2
    assert np.asarray(decided.measure).tolist() == [0] * 6 + [1] * 6
    assert np.array_equal(ladder.action(*decided), numbers)


def test_continuous_amounts_are_clipped_and_nan_is_nothing() -> None:
    free = ActionProcessing(Continuous(100), Continuous(30), True)
    assert free.space("float32").high.tolist() == [100.0, 30.0, 1.0]
    decided = free.decision(jnp.array([[50.0, -3.0, 0.7], [900.0, jnp.nan, 0.2]]), "float32")
    assert [np.asarray(each).tolist() for each in decided] == [[50.0, 100.0], [0.0, 0.0], [1.0, 0.0]]
    assert np.asarray(free.action(50.0, 40.0, 1.0)).tolist() == [50.0, 30.0, 1.0]
    with pytest.raises(ValueRangeError, match="above 0"):
        Continuous(-1)


@pytest.fixture(scope="module")
def plain() -> WheatNitrogen:
    """Continuous doses, compulsory measurements, a user's reward."""
    measurement = Measurement(price=5.0, noise=0.1, optional=False)
    return WheatNitrogen(
        doses=Continuous(100),
        measurement=measurement,
        reward=lambda outcome: outcome.state.stage,
        **ONE,  # type: ignore[arg-type]
    )


def test_inside_jit_an_action_that_is_not_finite_is_flagged(plain: WheatNitrogen) -> None:
    _, state = plain.reset(KEY)
    _, after, reward, *_, info = jax.jit(plain.step)(KEY, state, jnp.array([jnp.nan]))
    assert info["action_invalid"] and info["dose"] == 0.0
    assert float(reward) == float(after.model.stage) > 0.0
    with pytest.raises(ValueRangeError, match=r"action\[nitrogen\]"):
        plain.step(KEY, state, np.array([np.nan]))


def test_water_reaches_the_soil_and_the_grain(everything: WheatNitrogen, measured: Played) -> None:
    assert measured.state.farming.total_irrigation[-1] == 75.0
    assert measured.state.model.irrigation_sum[-1] == pytest.approx(60.0)  # at an efficiency of 0.8
    assert measured.info["irrigation"][:STEPS].tolist() == (25.0 * SPRING).tolist()


def test_what_is_not_measured_reads_zero_and_measuring_is_paid(everything: WheatNitrogen, measured: Played) -> None:
    seen = dict(zip(everything.observation_space.names, measured.observation.T, strict=True))
    flag = seen["measured"][: measured.steps]
    assert flag.tolist() == [week % 2 for week in range(measured.steps)]
    leaves = seen["leaf_area_index"][: measured.steps]
    true = seen["state.leaf_area_index"][: measured.steps]
    assert not leaves[flag == 0].any()
    errors = leaves[flag == 1] / true[flag == 1] - 1.0
    assert 0.0 < np.abs(errors).max() < 0.5
    assert np.array_equal(seen["stage"], seen["state.stage"])
    assert measured.info["measurement_cost"][: measured.steps].tolist() == (5.0 * flag).tolist()
    first, _ = everything.reset(KEY)
    assert first[-1] == 1.0 and first[2] > 0.0


def test_a_compulsory_measurement_has_no_choice_and_no_price(plain: WheatNitrogen) -> None:
    assert plain.action_space.shape == (1,)
    _, state = plain.reset(KEY)
    observation, after, *_, info = plain.step(KEY, state, np.array([20.0]))
    assert observation[-1] == 1.0 and info["measurement_cost"] == 0.0
    assert 0.0 < abs(float(observation[5] / after.model.soil_nitrogen) - 1.0) < 0.5
    with pytest.raises(UnknownNameError, match="feature to measure"):
        WheatNitrogen(measurement=Measurement(features=("roots",)))
    with pytest.raises(ValueRangeError, match="at least 0"):
        Measurement(price=-1.0)


def test_random_parameters_count_against_their_own_run_without_nitrogen(
    everything: WheatNitrogen, measured: Played
) -> None:
    keys = jax.random.split(KEY, 3)
    runs = [play(everything, np.zeros(STEPS, np.int32), key=key) for key in keys]
    assert max(np.abs(run.reward).max() for run in runs) < 1e-9
    drawn = [run.start.drawn for run in runs]
    assert len({float(each["initial_soil_nitrogen"]) for each in drawn}) == 3
    assert all(2.0 <= each["initial_soil_nitrogen"] <= 15.0 for each in drawn)
    assert len({float(run.state.model.day[-1]) for run in runs}) > 1  # other temperature sums, other harvests
    assert runs[0].state.model.grain_mass[-1] == pytest.approx(runs[0].state.zero_grain["grain"][-1, -1])
    assert not measured.truncated.any()


def test_observables_go_by_name_symbol_and_group() -> None:
    assert [q.name for q in choose_observer("paper", 7).quantities] == list(PAPER)
    symbols = ["DVS", "TGROWTH", "LAI", "NUPTT", "TRAN", "TNSOIL", "TRAIN", "TRANRF", "WSO", "IRRAD", "TMIN", "RAIN"]
    assert [q.symbol for q in choose_observer("paper", 7).quantities] == symbols
    assert [q.name for q in choose_observer(symbols, 7).quantities] == list(PAPER)
    assert [q.name for q in choose_observer(["WRT", "TMAX", "day"], 7).quantities] == [
        "state.root_mass", "weather.maximum_temperature", "day",
    ]  # fmt: skip
    raw = choose_observer("raw", 7).quantities
    assert len(raw) == 30 and [q.name for q in raw[:9]] == list(CROP)
    assert [q.name for q in raw[9:13]] == ["irradiation[-6]", "minimum_temperature[-6]", "rain[-6]", "irradiation[-5]"]
    assert {f"state.{name}" for name in names(State)} <= set(OBSERVABLES)
    with pytest.raises(PhytotronError, match="observed twice: stage"):
        choose_observer(["paper", "DVS"], 7)
    with pytest.raises(PhytotronError, match="empty"):
        choose_observer([], 7)
    with pytest.raises(PhytotronError, match="expected a name"):
        choose_observer(3, 7)  # type: ignore[arg-type]


def test_weekly_means_are_those_of_the_days_in_the_raw_form() -> None:
    days = np.random.default_rng(0).uniform(1.0, 20.0, (7, 7))
    nothing: Any = None
    state = State(**dict.fromkeys(names(State), jnp.asarray(0.1)))
    situation = Situation(state, jnp.asarray(days), nothing, load_parameters(), KEY)
    raw = choose_observer("raw", 7).observe(situation)[9:].reshape(7, 3)
    assert np.asarray(raw) == pytest.approx(days[:, [0, 1, 4]] * [1.0, 1.0, 0.1])
    assert np.asarray(choose_observer(["IRRAD", "TMIN", "RAIN"], 7).observe(situation)) == pytest.approx(
        raw.mean(axis=0)
    )


def outcome(**changes: Any) -> Outcome:
    state = State(**dict.fromkeys(names(State), jnp.asarray(0.0)))
    state = State(**vars(state) | {"grain_mass": jnp.asarray(900.0), "grain_nitrogen": jnp.asarray(15.0), "day": 200.0})
    given = {
        "growth": 50.0, "zero_growth": 20.0, "dose": 2.0, "irrigation": 10.0, "total_dose": 17.0, "grain_nitrogen": 1.5,
        "zero_grain": 560.0,
    } | changes  # fmt: skip
    values = {name: jnp.asarray(value) for name, value in given.items()}
    rest = {"state": state, "parameters": load_parameters(), "reward": RewardParameters()}
    prices = Prices(application=15.0, irrigation=2.0)
    return Outcome(**{"terminated": jnp.asarray(True)} | values, **rest, prices=prices)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cropgym", 50 - 20 - 10 * 2),
        ("without_baseline", 50 - 10 * 2),
        ("growth", 50),
        ("economic", 10 * (0.2 * 50 - 0.4 * 2) - 15 - 2 * 10),
        ("nitrogen_surplus", 1.5 - 2),
        ("nitrogen_use_efficiency", 15 / (17 + 7.7 + 0.03 * 200)),
        ("agronomic_efficiency", (900 - 560) / 17),
        ("applications", -1),
    ],
)
def test_rewards_are_what_they_say(name: str, expected: float) -> None:
    assert float(REWARDS[name](outcome())) == pytest.approx(expected)
    if name.endswith("efficiency"):
        assert float(REWARDS[name](outcome(terminated=False))) == 0.0
    assert float(REWARDS[name](outcome(dose=0.0, total_dose=0.0))) < 1e6


def test_rewards_can_be_added_up_and_written_by_users() -> None:
    combined = WeightedSum((1.0, "cropgym"), (10.0, "applications"), (0.1, lambda o: -o.irrigation))
    assert float(combined(outcome())) == pytest.approx(10.0 - 10.0 - 1.0)
    with pytest.raises(UnknownNameError, match="cropgym"):
        WeightedSum((1.0, "cropgim"))
    with pytest.raises(ValueRangeError, match="finite"):
        WeightedSum((float("nan"), "cropgym"))
    with pytest.raises(PhytotronError, match="at least one"):
        WeightedSum()
    with pytest.raises(PhytotronError, match="function of an Outcome"):
        WheatNitrogen(reward=3)  # type: ignore[arg-type]


def test_another_crop_grows_on_the_same_field() -> None:
    bean, wheat = WheatNitrogen(crop="faba_bean", **ONE), WheatNitrogen(**ONE)
    plant = load_crop("faba_bean").plant
    assert bean.default_params.model.nitrogen_fixation == plant.nitrogen_fixation > 0.0
    assert bean.default_params.model.field_capacity == wheat.default_params.model.field_capacity
    assert float(bean.default_params.zero_grain.max()) != float(wheat.default_params.zero_grain.max())
    assert bean.presentation.title == "Field of faba bean" and bean.presentation.compare == ("none",)
    with pytest.raises(UnknownNameError, match="unknown crop 'bean'"):
        WheatNitrogen(crop="bean", **ONE)


def test_plans_of_the_task_without_another_crop_are_those_from_before_it_took_one() -> None:
    wheat = WheatNitrogen(**ONE)
    assert "crop" in wheat.plans_ignore
    assert "crop" not in dataclasses.replace(wheat, crop="winter_wheat").plans_ignore
