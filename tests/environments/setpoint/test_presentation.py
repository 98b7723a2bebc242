"""How the set-point task is shown, and whom its agents are compared with."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from phytotron.controllers import controller_names, make_competitor
from phytotron.environments.setpoint import GreenhouseSetpoint
from phytotron.evaluation.examination import examine

KEY = jax.random.key(0)


@pytest.fixture(scope="module")
def spring() -> GreenhouseSetpoint:
    return GreenhouseSetpoint(first_day=100, years=2009, episode_days=1.0, mature=True, hold=300, solver="euler")


def test_all_that_is_shown_is_recorded(spring: GreenhouseSetpoint) -> None:
    shown, channels = spring.presentation, {each.name for each in spring.channels}
    measures = {each.quantity.name for each in spring.measures} | {"return"}
    assert {*shown.zoomed, *shown.day} <= channels
    assert {*shown.headline, *shown.learning, *shown.resources, shown.product} <= measures
    assert {name.removeprefix("sum of ") for name, *_ in shown.curves} <= measures
    assert set(shown.compare) <= set(spring.baselines) <= set(controller_names(spring))
    assert shown.title == "Heating set-points of a tomato greenhouse"


@pytest.mark.slow
def test_the_rule_based_controller_sets_the_nearest_set_points_by_day_and_night(spring: GreenhouseSetpoint) -> None:
    env = GreenhouseSetpoint(
        first_day=100, years=2009, episode_days=1.0, mature=True, hold=300, solver="euler",
        rules={"tSpDay": 20.8, "tSpNight": 16.5},
    )  # fmt: skip
    found = examine(env, make_competitor("rule-based", env).controllers)
    day, night = found.series["day_set_point"][0, 0], found.series["night_set_point"][0, 0]
    assert day[0] == pytest.approx(20.8) and day[-1] == 21.0  # set by the first action in daylight
    assert np.all(night == 18.0)  # the lowest that there is


@pytest.mark.slow
@pytest.mark.parametrize(("name", "temperature"), [("coolest", 18.0), ("warmest", 28.0)])
def test_constant_baselines_hold_their_temperature(spring: GreenhouseSetpoint, name: str, temperature: float) -> None:
    found = examine(spring, make_competitor(name, spring).controllers)
    assert np.all(found.series["night_set_point"][0, 0] == temperature)
    assert found.series["day_set_point"][0, 0, -1] == temperature


@pytest.mark.slow
def test_series_show_climate_energy_and_harvest_and_sum_to_the_measures(spring: GreenhouseSetpoint) -> None:
    found = examine(spring, make_competitor("warmest", spring).controllers)
    series = {name: values[0, 0] for name, values in found.series.items()}
    assert np.all((series["humidity"] > 20.0) & (series["humidity"] < 110.0))
    assert np.all((series["co2"] > 200.0) & (series["co2"] < 2000.0))
    assert series["air_temperature"][0] == 16.5
    energy = series["lamp_energy"] + series["boiler_energy"]
    assert series["sum of energy"][-1] == pytest.approx(energy.sum(), rel=1e-5)
    assert series["sum of harvest"][-1] == pytest.approx(series["harvest"].sum(), rel=1e-5)
