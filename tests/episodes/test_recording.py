"""Episodes under controllers: the batch is its episodes, and the totals add up."""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Corridor, Countdown

from phytotron.controllers import (
    CONTROLLERS,
    Constant,
    FromFunction,
    Random,
    Replay,
    controller_names,
    make_controller,
)
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.outcomes import Measure, total
from phytotron.environments.greenhouse import ControlProcessing, Greenhouse, RuleBased
from phytotron.episodes.engine import window
from phytotron.episodes.recording import Episodes, record, run_episodes
from phytotron.evaluation.scores import evaluate
from phytotron.models.greenlight.rules import load_rule_settings

# Which solver it is makes no difference here, and this one is compiled soonest.
HOUR: dict[str, Any] = {
    "weather": "schiphol",
    "years": 2010,
    "start_day": (59, 61),
    "episode_days": 1 / 24,
    "solver": "euler",
}
KEYS = jax.random.split(jax.random.key(0), 3)


@pytest.fixture(scope="module")
def env() -> Greenhouse:
    return Greenhouse(precision="float64", **HOUR)


@pytest.fixture(scope="module")
def ruled(env: Greenhouse) -> Episodes:
    params, axes, labels = env.starts()
    return run_episodes(env, RuleBased(env), KEYS[: len(labels)], 14, params, axes, chunk=7)


def test_every_start_day_has_its_episode_in_order(env: Greenhouse, ruled: Episodes) -> None:
    starts = env.windows[0].dates[np.asarray(ruled.state.start_day)[:, 0]]
    assert starts.tolist() == [date(2010, 3, day) for day in (1, 2, 3)]


def test_an_episode_ends_after_its_last_step_and_earns_nothing_more(ruled: Episodes) -> None:
    assert ruled.active.tolist() == [[True] * 12 + [False] * 2] * 3
    assert np.all(ruled.reward[:, 12:] == 0.0) and np.all(ruled.reward[:, :12] > 0.0)
    assert np.all(ruled.final.step == 12)


def test_the_batch_is_what_single_steps_give(env: Greenhouse, ruled: Episodes) -> None:
    pick = lambda tree, *index: jax.tree.map(lambda leaf: leaf[index], tree)  # noqa: E731
    for episode in range(3):
        state = pick(ruled.state, episode, 0)
        for step in range(12):
            control = env.rule_based(state)
            action = env.processing.action(control, state.control)
            assert np.asarray(action) == pytest.approx(ruled.action[episode, step], rel=1e-12, abs=1e-12)
            _, state, reward, *_ = env.step(jax.random.key(5), state, np.asarray(ruled.action[episode, step]))
            assert float(reward) == pytest.approx(float(ruled.reward[episode, step]), rel=1e-12)


def test_the_order_of_the_batch_does_not_matter(env: Greenhouse, ruled: Episodes) -> None:
    params, axes, _ = env.starts()
    turned = dataclasses.replace(params, start_days=params.start_days[::-1])
    other = run_episodes(env, RuleBased(env), KEYS, 14, turned, axes, chunk=7)
    assert other.observation[::-1] == pytest.approx(ruled.observation, rel=1e-12, abs=1e-15)


class Pushed(Countdown):
    """Counts down, with measures that are made of one step and not of a series of steps."""

    measures = (
        total("youth", "y", "-", "steps to go", lambda info: jnp.stack([4 - info["age"], 0]).max()),
        total("pushed", "p", "-", "first component of the pair", lambda info: info["pair"][0]),
    )


def test_measures_of_a_recording_are_those_of_its_steps() -> None:
    episodes = run_episodes(Pushed(), Constant(jnp.array([0.5, -1.0])), jax.random.split(jax.random.key(0), 8), 4)
    age, active = episodes.info["age"], episodes.active
    measures = episodes.measures()
    assert list(measures) == ["return", "youth", "pushed"]
    assert np.array_equal(measures["return"], np.where(active, episodes.reward, 0.0))
    assert np.array_equal(measures["youth"], np.where(active, 4 - age, 0.0))
    assert np.array_equal(measures["pushed"], np.where(active, 1.0, 0.0)) and not active.all()


def test_progress_is_told_after_every_chunk_and_the_last_may_be_shorter() -> None:
    told: list[tuple[int, int]] = []
    env = Countdown()
    parts = run_episodes(env, Random(env), KEYS, 7, chunk=3, progress=lambda *now: told.append(now))
    assert told == [(3, 7), (6, 7), (7, 7)]
    for part, whole in zip(parts, run_episodes(env, Random(env), KEYS, 7), strict=True):
        jax.tree.map(np.testing.assert_array_equal, part, whole)


def test_a_recording_has_positions_weather_measures_and_costs_of_the_same_steps(
    env: Greenhouse, ruled: Episodes
) -> None:
    parts = list(record(env, [RuleBased(env)], env.channels, chunk=5))
    assert [part.first for part in parts] == [0, 5, 10] and [part.active.shape[-1] for part in parts] == [5, 5, 2]

    def series(group: str, name: str) -> np.ndarray:
        return np.concatenate([getattr(part, group)[name][0] for part in parts], axis=-1)

    assert series("channels", "boiler") == pytest.approx(0.5 * (ruled.action[:, :12, 0] + 1.0))
    assert series("channels", "air_temperature") == pytest.approx(ruled.state.model.air_temperature[:, :12])
    later = dataclasses.replace(jax.tree.map(lambda leaf: leaf[1, 0], ruled.state), step=jnp.asarray(7, jnp.int32))
    assert series("channels", "outdoor_temperature")[1, 7] == float(env.weather_at(later).outdoor_temperature)
    assert series("measures", "return") == pytest.approx(ruled.reward[:, :12])
    assert series("costs", "humidity") == pytest.approx(ruled.info["costs"]["humidity"][:, :12])


def test_fewer_steps_than_the_episode_has_leave_the_state_where_they_end(env: Greenhouse) -> None:
    params, axes, labels = env.starts()
    few = run_episodes(env, RuleBased(env), KEYS[: len(labels)], 7, params, axes, chunk=7)
    assert few.reward.shape == (3, 7) and few.active.all() and np.all(few.final.step == 7)


def test_one_window_is_found_by_its_label_or_by_a_part_of_it(env: Greenhouse) -> None:
    assert window(env).labels == ("2010-03-01",)
    found = window(env, "2010-03-03")
    assert found.labels == ("2010-03-03",) and found.params.start_days.shape == (1, 1)
    assert window(env, "03-02").labels == ("2010-03-02",)
    with pytest.raises(ValueRangeError, match=r"'2010-04-01'; expected one of 2010-03-01 to 2010-03-03 \(3 in all\)"):
        window(env, "2010-04-01")
    assert window(Countdown()).labels == ("episode 0",)


# Controllers


def first_actions(env: Environment[Any, Any], controller: Any, steps: int = 3) -> np.ndarray:
    return np.asarray(run_episodes(env, controller, KEYS[:1], steps, chunk=steps).action[0])


def first_action(env: Greenhouse, controller: Any) -> np.ndarray:
    observation, state = env.reset(KEYS[0])
    memory = controller.start(KEYS[0])
    return np.asarray(controller.act(KEYS[0], memory, observation, state, env.default_params)[0])


def test_a_schedule_is_replayed_and_its_last_row_holds() -> None:
    env = Countdown()
    schedule = np.array([[0.125, 0.25], [-0.5, 0.5]])
    assert first_actions(env, Replay(env, schedule)).tolist() == [*schedule.tolist(), schedule[1].tolist()]
    with pytest.raises(ShapeError, match=r"\(steps, 2\)"):
        Replay(env, np.zeros((3, 5)))
    with pytest.raises(ValueRangeError, match="finite"):
        Replay(env, np.full((3, 2), np.nan))


@pytest.mark.parametrize("choice", [0.5, 3.0, -1.0])
def test_a_choice_that_does_not_exist_is_not_replayed(choice: float) -> None:
    assert Replay(Corridor(), np.array([2.0, 0.0])).actions.tolist() == [2, 0]
    with pytest.raises(ValueRangeError, match=f"^a recorded action is {choice}; expected a whole number from 0 to 2$"):
        Replay(Corridor(), np.array([2.0, choice]))


def test_random_actions_differ_and_a_function_sees_the_observation(env: Greenhouse) -> None:
    drawn = first_actions(Countdown(), Random(Countdown()))
    assert np.all(np.abs(drawn) <= 1.0) and len(np.unique(drawn)) == drawn.size
    seen = first_action(env, FromFunction(lambda observation: jnp.full(4, observation[0] / 100.0)))
    assert seen == pytest.approx(np.full(4, 0.165))
    ages = first_actions(Countdown(), FromFunction(lambda observation: jnp.full(2, observation[1] / 100.0)))
    assert ages[:, 0] == pytest.approx([0.0, 0.01, 0.02])


def test_other_set_points_change_what_the_grower_does(env: Greenhouse) -> None:
    cool = RuleBased(env, load_rule_settings("greenlight_gym_1p4ha_led", temperature_day=5.0))
    assert first_action(env, cool)[0] < -0.9 < 0.9 < first_action(env, RuleBased(env))[0]


@pytest.mark.slow
def test_the_grower_steers_limited_actuators_towards_its_set_points() -> None:
    slow = Greenhouse(actuators=ControlProcessing(("boiler",), "rate", max_change=0.1), **HOUR)
    boiler = np.asarray(run_episodes(slow, RuleBased(slow), KEYS[:1], 5).state.control.boiler[0])
    assert np.all(np.abs(np.diff(boiler)) <= 0.1 + 1e-6) and boiler[0] == 0.0 < boiler[-1]


def test_controllers_go_by_name(env: Greenhouse) -> None:
    assert isinstance(make_controller("rule-based", env), RuleBased)
    assert first_action(env, make_controller("off", env)).tolist() == [-1.0] * 4
    assert first_actions(Countdown(), make_controller("off", Countdown())).tolist() == [[-1.0] * 2] * 3
    mine = Constant(np.zeros(4))
    assert make_controller(mine, env) is mine
    with pytest.raises(UnknownNameError, match="did you mean 'rule-based'"):
        make_controller("rulebased", env)
    assert set(CONTROLLERS) >= {"random", "off"} and controller_names(env) == ["rule-based", *CONTROLLERS]
    assert issubclass(UnknownNameError, PhytotronError)


class Mismeasured(Countdown):
    """Counts down, with a measure by the name of something that may not be in `info`, or not one number."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (total(self.name, "m", "-", "a measure"),)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("lost", "the measure 'lost' of test/Countdown-v0 needs 'lost' of info, which has costs, age, pair"),
        ("pair", r"the measure 'pair' of test/Countdown-v0 has shape \(2,\); expected one number"),
    ],
)
def test_a_measure_that_a_step_does_not_give_is_named(name: str, words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        evaluate(Mismeasured(name), Constant(jnp.zeros(2)))
