"""Beginnings, objectives, and how good the plans are that are found."""

import itertools
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from toy_environments import Aiming

from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import Measure, Starts
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.engine import one_start, some, windows
from phytotron.episodes.open_loop import follow
from phytotron.evaluation.scores import evaluate
from phytotron.planning.gradients import ByGradients, equal_batches
from phytotron.planning.hindsight import first_actions, make_plans
from phytotron.planning.objective import Objective
from phytotron.planning.oracle import following
from phytotron.planning.plans import Plan, load_plans, save_plans
from phytotron.planning.problem import Problem

ONE_DAY = Lettuce(episode_days=1.0)


@pytest.fixture(scope="module")
def made() -> dict[str, Plan]:
    return make_plans(ONE_DAY, iterations=60)


@pytest.mark.slow
def test_lettuce_plans_from_different_beginnings_come_to_the_same() -> None:
    noise = np.random.default_rng(0).uniform(-1.0, 1.0, (ONE_DAY.episode_steps, 3))
    problem = Problem(ONE_DAY, windows(ONE_DAY), Objective())
    climb = ByGradients(problem, 400)
    values = [climb(first_actions(problem, each), None)[0].value for each in ("rule-based", "off", noise)]
    assert max(values) - min(values) < 0.01 * abs(max(values)) + 1e-3


def test_plans_of_changes_are_followed_to_the_value_that_they_were_found_to_have(
    made: dict[str, Plan], tmp_path: Path
) -> None:
    save_plans(tmp_path / "plans.npz", made, ONE_DAY.action_space)
    plans = load_plans(tmp_path / "plans.npz", ONE_DAY.action_space)
    scores = evaluate(ONE_DAY, following(ONE_DAY, plans))
    assert scores.values["return"][0, 0] == pytest.approx(next(iter(plans.values())).value, abs=1e-5)


def test_plans_begin_from_others_and_from_actions(made: dict[str, Plan]) -> None:
    label, plan = next(iter(made.items()))
    again = make_plans(ONE_DAY, iterations=10, beginnings=[made])[label]
    assert again.history[0] >= plan.value - 1e-3
    problem = Problem(ONE_DAY, windows(ONE_DAY), Objective())
    for same in (plan.actions, plan.actions[None]):
        assert np.array_equal(first_actions(problem, same), plan.actions[None])
    with pytest.raises(ShapeError, match="actions to begin from"):
        first_actions(problem, plan.actions[:5])
    with pytest.raises(PhytotronError, match="1 starts have no plan to begin from"):
        first_actions(problem, {})
    with pytest.raises(PhytotronError, match="nothing to begin from"):
        make_plans(ONE_DAY, beginnings=[])


@pytest.mark.slow
def test_a_measure_is_raised_in_place_of_the_return(made: dict[str, Plan]) -> None:
    (of_return,) = made.values()
    (of_growth,) = make_plans(ONE_DAY, objective=Objective("growth"), iterations=60).values()
    env = ONE_DAY
    label = windows(env).labels[0]
    growth = [evaluate(env, following(env, {label: plan})).values["growth"][0, 0] for plan in (of_return, of_growth)]
    assert growth[1] > growth[0] and of_growth.value == pytest.approx(growth[1], rel=1e-3)


@pytest.mark.slow
def test_a_price_keeps_violations_small() -> None:
    env, label = ONE_DAY, windows(ONE_DAY).labels[0]
    free, bounded = (
        make_plans(env, objective=Objective("profit", penalties=penalties), iterations=100)
        for penalties in ({}, {"temperature": 1.0, "co2": 0.1})
    )
    scores = [evaluate(env, following(env, plans)).values for plans in (free, bounded)]
    assert scores[1]["temperature_in_bounds"] > scores[0]["temperature_in_bounds"] + 0.1
    assert free[label].value > bounded[label].value


def test_names_and_prices_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="measure of phytotron/Lettuce-v0"):
        make_plans(ONE_DAY, objective=Objective("profits"))
    with pytest.raises(UnknownNameError, match="constraint of phytotron/Lettuce-v0"):
        make_plans(ONE_DAY, objective=Objective(penalties={"humidity": 1.0}))
    with pytest.raises(ValueRangeError, match="the penalty of co2"):
        Objective(penalties={"co2": -1.0})
    with pytest.raises(PhytotronError, match="in the unit of the return, not of profit"):
        Objective("profit", terminal=True)


@pytest.mark.slow
def test_search_over_doses_of_wheat_finds_what_exhaustive_search_finds() -> None:
    """Doses every fortnight of a season, of which all sequences with doses in six fortnights of spring are tried."""
    env = WheatNitrogen(interval=14)
    starts = some(windows(env), np.array([0]))
    (plan,) = make_plans(env, starts, iterations=50).values()
    fortnights = np.arange(3, 9)
    every = np.array(list(itertools.product(range(3), repeat=len(fortnights))), np.int32)
    tried = np.zeros((len(every), env.episode_steps), np.int32)
    tried[:, fortnights] = every
    key, params = Problem(env, starts, Objective()).keys[0], one_start(starts, 0)
    values = jax.jit(jax.vmap(lambda actions: follow(env, key, actions, params).total))(tried)
    assert plan.value >= float(np.max(np.asarray(values))) - 1e-3


def test_batches_have_one_size_and_hold_every_number() -> None:
    for count, cores in ((1, 2), (5, 2), (42, 2), (100, 3), (3, 16)):
        batches = equal_batches(count, cores)
        assert len({len(batch) for batch in batches}) == 1 and len(batches[0]) <= 16
        assert sorted({int(n) for batch in batches for n in batch}) == list(range(count))


class Brief(Aiming):
    """Aiming that ends after two of its five steps, with a measure that is 1 in every step."""

    measures = (Measure(Quantity("hit", "h", "-", "mean of 1"), lambda info: 1.0, mean=True),)

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        seen, after, reward, _, truncated, info = super().transition(key, state, action, params)
        return seen, after, reward, after["age"] >= 2, truncated, info


def test_a_mean_is_one_over_the_steps_of_an_episode_that_ends_early() -> None:
    problem = Problem(Brief(), windows(Brief(), episodes=1), Objective("hit"))
    (outcome,) = problem.outcomes(np.zeros((1, 5, 1), np.float32))
    assert int(outcome.length) == 2 and float(problem.value(outcome)) == 1.0


class Undefined(Aiming):
    """Actions cost much, from two starts; from the second, the reward is NaN after actions above a limit."""

    limit = 2.0

    def starts(self, params: Any = None) -> Starts:
        return Starts(jnp.array([np.inf, self.limit], jnp.float32), 0, ("one", "two"))

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        seen, after, reward, *ends = super().transition(key, state, action, 1.0)
        return seen, after, reward - 20.0 * action[0] + jnp.where(action[0] > params, jnp.nan, 0.0), *ends


def test_a_window_without_a_finite_value_is_named_with_the_objective() -> None:
    env = Undefined()
    env.limit = -1.0
    words = "return of test/Aiming-v0 is not finite from the start two for any plan that was tried; let the task"
    with pytest.raises(PhytotronError, match=words):
        make_plans(env, iterations=10)


def test_a_plan_with_a_finite_value_replaces_one_without() -> None:
    undefined, zero = np.full((5, 1), np.nan, np.float32), np.zeros((5, 1), np.float32)
    plans = make_plans(Undefined(), iterations=10, beginnings=[undefined, zero])
    assert all(np.isfinite(plan.value) and np.isfinite(plan.actions).all() for plan in plans.values())


def test_the_history_of_an_ascent_from_where_nothing_is_defined_begins_with_its_first_finite_value() -> None:
    plan = make_plans(Undefined(), iterations=30, beginnings=[np.full((5, 1), 4.0, np.float32)])["two"]
    first, second, third = plan.history
    assert first == second <= third and np.isfinite(first)
