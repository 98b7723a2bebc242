"""Farmers of the intercrops, and the best fixed doses."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.controllers import make_controller
from phytotron.core.errors import PhytotronError
from phytotron.environments.intercrop import Intercrop
from phytotron.environments.intercrop.controllers import Schedule, schedule, split_practice
from phytotron.environments.wheat import Continuous, WheatNitrogen
from phytotron.papers.intercropgym.experiments.fixed_doses import (
    best_by_season,
    best_constant_dose,
    best_fixed_dose,
    evaluate_schedules,
    fixed_doses,
)


@pytest.fixture(scope="module")
def env() -> Intercrop:
    """Two years, a coarse ladder, and cheap nitrogen, so that some of it pays."""
    return Intercrop(years=(1977, 1991), doses=(0, 60), interval=14, reward_parameters={"beta": 1.0})


def test_split_practice_gives_three_equal_parts_at_the_last_decisions_up_to_their_dates() -> None:
    env = Intercrop(years=1991)
    doses = np.asarray(env.processing.decision(split_practice(env).actions, "float32").nitrogen)
    given = np.flatnonzero(doses)
    assert doses.sum() == 120.0 and np.all(doses[given] == 40.0)
    assert [7 * (decision + 1) for decision in given] == [49, 84, 112]  # 24 February, 26 March, 29 April: 54, 84, 118
    named = make_controller("split-practice", env)
    assert isinstance(named, Schedule) and np.array_equal(named.actions, split_practice(env).actions)


def test_a_schedule_holds_its_last_action() -> None:
    chosen = Schedule(jnp.asarray([3, 1]))
    memory, seen = chosen.start(jax.random.key(0)), []
    for _ in range(4):
        action, memory = chosen.act(jax.random.key(0), memory, jnp.zeros(1), None, None)
        seen.append(int(action))
    assert seen == [3, 1, 1, 1]


def test_the_best_fixed_doses_are_the_best_of_all_that_are_tried(env: Intercrop) -> None:
    fixed, constant = best_fixed_dose(env), best_constant_dose(env)
    tried = [Schedule(jnp.asarray(row)) for row in fixed_doses(env)]
    returns = evaluate_schedules(env, tried).values["return"]
    assert fixed.returns.mean() == pytest.approx(returns.mean(axis=1).max())
    assert fixed.dose == 60.0 and np.array_equal(np.flatnonzero(fixed.schedule.actions), fixed.decisions)
    assert np.array_equal(best_by_season(env), returns.max(axis=0))
    assert fixed.returns.mean() > constant.returns.mean()
    assert not np.any(tried[0].actions)


def test_what_does_not_go_together_is_named() -> None:
    with pytest.raises(PhytotronError, match="no intercrop"):
        make_controller("split-practice", WheatNitrogen())
    with pytest.raises(PhytotronError, match="0 kg ha-1 or more"):
        split_practice(Intercrop(years=1991), -1.0)
    smooth = Intercrop(years=1991, doses=Continuous(100.0))
    with pytest.raises(PhytotronError, match="continuous doses"):
        best_constant_dose(smooth)
    assert schedule(smooth, [10.0, 0.0]).actions.shape[0] == 2
