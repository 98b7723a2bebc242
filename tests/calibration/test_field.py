"""LINTUL-3 fitted to synthetic observations of fields."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import numpy as np
import pytest
from wheat_seasons import doses, made_up_weather

from phytotron.calibration.field import FieldObjective, FieldSeason, Observation, calibrate_field
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.models.lintul3 import load_parameters, season

# The extinction of light is not among them: observations of mass tell its product with the light use efficiency.
TRUTH = {
    "vegetative_temperature_sum": 1000.0,
    "reproductive_temperature_sum": 950.0,
    "light_use_efficiency": 2.4,
    "specific_leaf_area": 0.025,
    "juvenile_leaf_growth": 0.0105,
}
ERRORS = {"stage": 0.01, "leaf_area_index": 0.02, "leaf_mass": 3.0, "stem_mass": 6.0, "grain_mass": 6.0}
DAYS = np.arange(10, 200, 6)


def observed(seed: int, **replaced: Any) -> list[FieldSeason]:
    """Two seasons of a field with the true parameters, and the errors of measurements."""
    random, truth = np.random.default_rng(seed), dataclasses.replace(load_parameters(), **TRUTH)
    seasons = []
    for year in range(2):
        weather, management = made_up_weather(seed + year), doses(seed + year)
        states = season(weather, management, truth).states
        seen = []
        for name, error in ERRORS.items():
            measured = np.asarray(getattr(states, name))[DAYS] + random.normal(0.0, error, DAYS.size)
            seen.append(Observation(name, DAYS, measured, error))
        seasons.append(FieldSeason(weather, management, [dataclasses.replace(each, **replaced) for each in seen]))
    return seasons


def test_days_are_those_of_the_season_that_was_observed() -> None:
    whole, other = observed(0)
    cut = jax.tree.map(lambda each: each[:100], other.weather)
    FieldObjective(load_parameters(), (), [whole, dataclasses.replace(other, weather=cut, observations=())])
    with pytest.raises(ValueRangeError, match="0 to 99"):
        FieldObjective(load_parameters(), (), [whole, dataclasses.replace(other, weather=cut)])


@pytest.mark.slow
def test_parameters_of_the_crop_come_back_within_two_percent() -> None:
    made = calibrate_field(load_parameters(), observed(seed=0), list(TRUTH))
    for name, value in TRUTH.items():
        assert float(getattr(made.parameters, name)) == pytest.approx(value, rel=0.02), name
    low, high = made.found.intervals["light_use_efficiency"]
    assert low < 2.4 < high


def test_mistakes_in_observations_name_themselves() -> None:
    with pytest.raises(UnknownNameError, match="leaf_area_index"):
        calibrate_field(load_parameters(), observed(0, quantity="leaf_area"))
    with pytest.raises(ValueRangeError, match="days of stage"):
        calibrate_field(load_parameters(), observed(0, days=DAYS + 1000))
    with pytest.raises(UnknownNameError, match="light_use_efficiency"):
        calibrate_field(load_parameters(), observed(0), ["light_use"])
