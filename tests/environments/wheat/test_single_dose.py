"""Ceres, Standard Practice and doses on dates."""

from __future__ import annotations

import json

import jax
import numpy as np
import pytest
from field_files import power_weather
from shared_data import shared

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.environments.wheat.single_dose import ceres, schedule, single_dose, standard_practice, three_dates
from phytotron.models.lintul3 import DEFAULT_SET, PLAIN_SET, load_parameters
from phytotron.weather.field_weather import FieldWeather, concatenated, named_field_weather

SETS = {"patched": DEFAULT_SET, "unpatched": PLAIN_SET}
# The reference is rounded to two decimals of the return, to 0.1 kg/ha of the dose and of the grain.
RETURN_ROUNDING, DOSE_ROUNDING = 0.005, 0.05
DOSE_TOLERANCE = 0.5  # kg/ha


@pytest.fixture(scope="module")
def weather() -> FieldWeather:
    return named_field_weather("embedded_wheat:test").of([1, 2, 4])  # 1980, 1984, 1992


@pytest.mark.parametrize("variant", SETS)
def test_ceres_finds_the_doses_of_the_reference(variant: str) -> None:
    path = shared("reference", "lintul3", "ceres_nl515_5.json")
    rows = [row for row in json.loads(path.read_text()) if row["variant"] == variant]
    parameters = load_parameters(SETS[variant])
    weather = power_weather("lat51.5_lon5", *(row["year"] for row in rows))
    best, usual = ceres(weather, parameters), single_dose(weather, 170.7, parameters)
    for number, row in enumerate(rows):
        assert best.episode_return[number] >= row["ret"] - RETURN_ROUNDING
        assert abs(best.dose[number] - row["N_opt_kg_ha"]) <= DOSE_TOLERANCE
        assert best.zero_grain[number] == pytest.approx(row["WSO0"], abs=DOSE_ROUNDING)
        assert usual.episode_return[number] == pytest.approx(row["ret_sp17"], abs=RETURN_ROUNDING)


def test_no_single_dose_is_better_than_that_of_ceres(weather: FieldWeather) -> None:
    best = ceres(weather)
    for dose in np.linspace(0.0, 400.0, 41):
        assert np.all(best.episode_return >= single_dose(weather, dose).episode_return)
    for change in (-0.3, 0.3):
        near = single_dose(weather, np.maximum(best.dose + change, 0.0))
        assert np.all(best.episode_return >= near.episode_return)
    assert np.all(best.episode_return >= 0.0)  # no dose is one of the doses


@pytest.mark.slow
def test_the_standard_practice_is_the_best_on_average(weather: FieldWeather) -> None:
    usual = standard_practice(weather)
    assert np.ptp(usual.dose) == 0.0
    for dose in (usual.dose[0] - 1.0, usual.dose[0] + 1.0, 0.0, 170.7):
        assert usual.episode_return.mean() >= single_dose(weather, dose).episode_return.mean()
    assert np.all(usual.episode_return <= ceres(weather).episode_return)


def test_the_dearer_the_nitrogen_the_smaller_the_dose(weather: FieldWeather) -> None:
    assert np.all(ceres(weather, beta=2.0).dose >= ceres(weather, beta=10.0).dose)
    assert np.all(ceres(weather, beta=1000.0).dose == 0.0)


@pytest.mark.slow
def test_in_float32_the_doses_are_nearly_the_same(weather: FieldWeather) -> None:
    exact = ceres(weather)
    with jax.enable_x64(False):
        rough = ceres(weather)
    assert rough.grain.dtype == np.float32
    assert rough.episode_return == pytest.approx(exact.episode_return, abs=0.01)


def test_three_dates_are_dates_of_every_year(weather: FieldWeather) -> None:
    weather = concatenated([weather.of([0, 1]), named_field_weather("embedded_wheat:train").of([0])])
    leap = np.asarray(weather.leap)
    assert leap.tolist() == [True, True, False]
    third = 50.0
    dated = three_dates(weather, 150.0)
    by_hand = schedule(weather, [(54, third), (84 + leap, third), (118 + leap, third)])
    assert np.array_equal(dated.grain, by_hand.grain) and np.all(dated.dose == 150.0)
    assert dated.tonnes == pytest.approx(dated.grain / 100.0)


def test_doses_that_cannot_be_are_refused(weather: FieldWeather) -> None:
    with pytest.raises(ValueRangeError, match="0 kg ha-1 or more"):
        single_dose(weather, -1.0)
    with pytest.raises(ShapeError, match="one per season"):
        single_dose(weather, [1.0, 2.0])
