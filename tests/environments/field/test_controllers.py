"""Controllers that give doses by rule, in the tasks themselves."""

from __future__ import annotations

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.controllers.base import Schedule
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.environments.field.controllers import DatedDoses, SingleDose, schedule, split_practice
from phytotron.environments.intercrop import Intercrop, IntercropField
from phytotron.environments.wheat import Continuous, WheatNitrogen
from phytotron.environments.wheat.single_dose import ceres
from phytotron.episodes.recording import Episodes, run_episodes


@pytest.fixture(scope="module")
def env() -> WheatNitrogen:
    return WheatNitrogen(weather="embedded_wheat:test", years=(1980, 1992), doses=Continuous(1000), precision="float64")


def run(env: WheatNitrogen, controller: object) -> Episodes:
    params, axes, labels = env.starts()
    keys = jax.random.split(jax.random.key(0), len(labels))
    return run_episodes(env, controller, keys, env.episode_steps, params, axes)  # type: ignore[arg-type]


@pytest.mark.slow
def test_ceres_in_the_task_gets_the_return_that_was_computed_for_it(env: WheatNitrogen) -> None:
    best = ceres(env.seasons)
    played = run(env, SingleDose(env, best.dose))
    assert played.reward.sum(axis=1) == pytest.approx(best.episode_return, abs=1e-9)
    assert played.final.model.grain_mass == pytest.approx(best.grain, abs=1e-9)
    assert played.final.model.day == pytest.approx(best.harvest)


@pytest.mark.slow
def test_dated_doses_fall_on_the_last_decisions_up_to_their_dates(env: WheatNitrogen) -> None:
    dated = run(env, DatedDoses(env))
    given = np.argwhere(dated.info["dose"] > 0.0)
    days = np.asarray(dated.state.model.day)[given[:, 0], given[:, 1]]
    # 24 February, 26 March and 29 April of two leap years, days 54, 85 and 119.
    assert days.tolist() == [48, 83, 118] * 2
    assert dated.info["dose"].sum(axis=1) == pytest.approx(170.7)


def test_dates_before_the_first_decision_are_given_at_it(env: WheatNitrogen) -> None:
    dated, params = DatedDoses(env, 90.0, ((1, 2), (1, 3), (2, 24))), env.default_params
    given = []
    for day in range(env.first_day, 60, env.interval):
        state = SimpleNamespace(day=jnp.asarray(day), season=jnp.asarray(0))
        given.append(float(dated.act(jax.random.key(0), None, None, state, params)[0][0]))  # type: ignore[arg-type]
    assert given == [60.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0, 0.0]


def test_a_dose_that_the_ladder_does_not_hold_is_refused(env: WheatNitrogen) -> None:
    ladder = WheatNitrogen(years=1991)
    with pytest.raises(ValueRangeError, match="Continuous"):
        SingleDose(ladder, 170.7)
    assert SingleDose(ladder, 40.0)
    with pytest.raises(ShapeError, match="one per season"):
        SingleDose(env, [1.0, 2.0, 3.0])
    with pytest.raises(ValueRangeError, match="month, day"):
        DatedDoses(env, dates=((13, 1),))
    with pytest.raises(ValueRangeError, match="0 kg ha-1 or more"):
        DatedDoses(env, dose=-1.0)


def test_split_practice_gives_three_equal_parts_at_the_last_decisions_up_to_their_dates() -> None:
    env = Intercrop(years=1991)
    doses = np.asarray(env.processing.decision(split_practice(env).actions, "float32").nitrogen)
    given = np.flatnonzero(doses)
    assert doses.sum() == 120.0 and np.all(doses[given] == 40.0)
    assert [7 * (decision + 1) for decision in given] == [49, 84, 112]  # 24 February, 26 March, 29 April: 54, 84, 118
    with pytest.raises(PhytotronError, match="0 kg ha-1 or more"):
        split_practice(env, -1.0)


def test_split_practice_of_doses_per_crop_gives_each_crop_half() -> None:
    env = IntercropField(years=1991, doses_per_crop=True)
    doses = np.asarray(env.processing.decision(split_practice(env).actions, "float32").nitrogen)
    assert doses.shape == (env.episode_steps, 2) and np.all(doses.sum(0) == 60.0)
    assert np.flatnonzero(doses[:, 0]).tolist() == [6, 11, 15] and set(doses.ravel()) == {0.0, 20.0}


def test_a_schedule_holds_its_last_action() -> None:
    chosen = Schedule(jnp.asarray([3, 1]))
    memory, seen = chosen.start(jax.random.key(0)), []
    for _ in range(4):
        action, memory = chosen.act(jax.random.key(0), memory, jnp.zeros(1), None, None)
        seen.append(int(action))
    assert seen == [3, 1, 1, 1]
    smooth = Intercrop(years=1991, doses=Continuous(100.0))
    assert schedule(smooth, [10.0, 0.0]).actions.shape == (2, 1)
