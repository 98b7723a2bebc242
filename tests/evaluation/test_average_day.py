"""The average day: the same numbers as from whole series."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from phytotron.controllers import Random
from phytotron.core.errors import PhytotronError
from phytotron.environments.greenhouse import Greenhouse, RuleBased
from phytotron.environments.setpoint import GreenhouseSetpoint
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.recording import Part, run_episodes
from phytotron.evaluation.examination import average_day, no_days, with_part

NAMES = ("air_temperature", "boiler")


@pytest.mark.slow
def test_it_is_the_mean_over_days_and_windows_of_whole_series() -> None:
    # Which solver it is makes no difference here, and this one is compiled soonest.
    env = Greenhouse(weather="embedded:test", episode_days=1.5, control_interval=900, solver="euler")
    found = average_day(env, RuleBased(env), NAMES)
    params, axes, labels = env.starts()
    keys = jax.random.split(jax.random.key(0), len(labels))
    known = run_episodes(env, RuleBased(env), keys, env.episode_steps, params, axes)
    series = np.asarray(known.state.model.air_temperature, np.float64)
    times = env.clock.steps_per_day
    assert found.hours.size == times == 96 and found.hours[-1] == pytest.approx(23.75)
    first = np.concatenate([series[:, : times // 2], series[:, times:]])
    np.testing.assert_allclose(found.mean("air_temperature")[0, : times // 2], first.mean(axis=0), rtol=1e-5)
    error = first.std(axis=0, ddof=1) / np.sqrt(len(first))
    np.testing.assert_allclose(found.error("air_temperature")[0, : times // 2], error, rtol=1e-3, atol=1e-6)
    assert found.count[0].tolist() == [12.0] * 48 + [6.0] * 48
    assert np.all((found.mean("boiler") >= 0.0) & (found.mean("boiler") <= 1.0))


def test_steps_after_the_end_do_not_count_and_rows_can_be_pooled() -> None:
    active = np.array([[[True, True, True], [True, False, False]], [[True, True, True], [True, True, True]]])
    values = np.arange(12.0).reshape(2, 2, 3)
    day = with_part(no_days(2, 2, ["x"]), Part(1, active, {"x": values}, {}, {}))
    np.testing.assert_allclose(day.count, [[1.0, 3.0], [2.0, 4.0]])
    np.testing.assert_allclose(day.mean("x"), [[1.0, (0 + 2 + 3) / 3], [8.5, (6 + 8 + 9 + 11) / 4]])
    assert day.error("x")[0, 0] == 0.0
    np.testing.assert_allclose(day.pooled().mean("x"), [[(1 + 7 + 10) / 3, (5 + 34) / 7]])


def test_episodes_that_start_after_midnight_are_averaged_by_their_time_of_day() -> None:
    part = Part(0, np.ones((1, 1, 4), bool), {"x": np.array([[[6.0, 12.0, 18.0, 24.0]]])}, {}, {})
    day = with_part(no_days(1, 4, ["x"]), part, before=1)
    np.testing.assert_allclose(day.mean("x"), [[24.0, 6.0, 12.0, 18.0]])
    env = GreenhouseSetpoint(first_step=6)
    timeline = env.presentation.timeline
    assert timeline is not None and timeline.steps_before == 6
    with pytest.raises(PhytotronError, match="start 6 steps after"):
        average_day(env, Random(env), ["sum of harvest"])


def test_unknown_quantities_are_named() -> None:
    env = Greenhouse(weather="embedded:test")
    with pytest.raises(PhytotronError, match="air_temperature"):
        average_day(env, RuleBased(env), ["air_temperatur"])


def test_a_task_without_hours_has_no_average_day() -> None:
    with pytest.raises(PhytotronError, match="WheatNitrogen-v0 has no average day"):
        average_day(WheatNitrogen(), Random(WheatNitrogen()))
