"""Farmers of the wheat task, in the task itself."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from phytotron.controllers import make_controller
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import Continuous, WheatNitrogen
from phytotron.environments.wheat.controllers import DatedDoses, SingleDose
from phytotron.environments.wheat.single_dose import ceres
from phytotron.episodes.recording import Episodes, run_episodes


@pytest.fixture(scope="module")
def env() -> WheatNitrogen:
    return WheatNitrogen(weather="embedded_wheat:test", years=(1980, 1992), doses=Continuous(1000), precision="float64")


def run(env: WheatNitrogen, controller: object) -> Episodes:
    params, axes, labels = env.starts()
    keys = jax.random.split(jax.random.key(0), len(labels))
    return run_episodes(env, controller, keys, env.episode_steps, params, axes)  # type: ignore[arg-type]


def test_ceres_in_the_task_gets_the_return_that_was_computed_for_it(env: WheatNitrogen) -> None:
    best = ceres(env.seasons)
    played = run(env, SingleDose(env, best.dose))
    assert played.reward.sum(axis=1) == pytest.approx(best.episode_return, abs=1e-9)
    assert played.final.model.grain_mass == pytest.approx(best.grain, abs=1e-9)
    assert played.final.model.day == pytest.approx(best.harvest)


def test_the_named_practices_do_what_they_are_called(env: WheatNitrogen) -> None:
    usual = make_controller("standard-practice", env)
    assert isinstance(usual, SingleDose) and usual.dose == 170.7
    dated = run(env, make_controller("three-dates", env))
    given = np.argwhere(dated.info["dose"] > 0.0)
    days = np.asarray(dated.state.model.day)[given[:, 0], given[:, 1]]
    # 24 February, 26 March and 29 April of two leap years, days 54, 85 and 119.
    assert days.tolist() == [48, 83, 118] * 2
    assert dated.info["dose"].sum(axis=1) == pytest.approx(170.7)


def test_a_dose_that_the_ladder_does_not_hold_is_refused(env: WheatNitrogen) -> None:
    ladder = WheatNitrogen(years=1991)
    with pytest.raises(ValueRangeError, match="Continuous"):
        make_controller("standard-practice", ladder)
    assert SingleDose(ladder, 40.0)
    with pytest.raises(ShapeError, match="one per season"):
        SingleDose(env, [1.0, 2.0, 3.0])
    with pytest.raises(ValueRangeError, match="month, day"):
        DatedDoses(env, dates=((13, 1),))
    with pytest.raises(ValueRangeError, match="0 kg ha-1 or more"):
        DatedDoses(env, dose=-1.0)
    with pytest.raises(PhytotronError, match="no field of wheat"):
        make_controller("three-dates", Greenhouse())
    with pytest.raises(PhytotronError, match="no rule-based grower"):
        make_controller("rule-based", env)
