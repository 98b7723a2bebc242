"""Replays and fits: what acts on the simulated climate, and parameters that come back from synthetic logs."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from greenhouse_logs import made_log

from phytotron.calibration.adjustable import chosen, prior_centre, value_of, with_values
from phytotron.calibration.calibrate import calibrate
from phytotron.calibration.fit import SUBSTEPS, House, fit
from phytotron.calibration.inputs import Windows, windows
from phytotron.calibration.judgement import judge, replayed
from phytotron.calibration.laplace import Laplace
from phytotron.calibration.replay import Twin, simulate
from phytotron.calibration.twin_file import DEFAULT_BASE, published_twin
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import find
from phytotron.models.greenlight import Parameters

pytestmark = pytest.mark.slow  # the greenhouse has to be compiled


@pytest.fixture(scope="module")
def given() -> Windows:
    log = dataclasses.replace(made_log(days=3), floor_area=96.0)
    return windows(log, log.times[288], log.times[-1], 24.0)


@pytest.fixture(scope="module")
def twin() -> Twin:
    return published_twin(dataclasses.replace(made_log(), floor_area=96.0))


def test_the_simulated_climate_follows_pipes_dosing_and_walls(given: Windows, twin: Twin) -> None:
    plain = np.asarray(simulate(twin, given))
    assert plain.shape == given.measured.shape
    assert np.isfinite(plain).all()
    warmer = np.asarray(simulate(with_values(twin, {"pipe_length": 4.0}), given))
    assert (warmer[20:, :, 0] > plain[20:, :, 0]).all()
    richer = np.asarray(simulate(with_values(twin, {"co2_supply": 2000.0}), given))
    assert (richer[-1, :, 2] > plain[-1, :, 2]).all()
    beside = {"side_wall_conductance": 5.0, "neighbour_temperature": 40.0}
    assert (np.asarray(simulate(with_values(twin, beside), given))[20:, :, 0] > plain[20:, :, 0]).all()


def test_warm_wet_surfaces_moisten_the_air_and_cold_ones_dry_it(given: Windows, twin: Twin) -> None:
    plain = np.asarray(simulate(twin, given))[20:, :, 1]
    warm, cold = ({"surface_exchange": 1e-3, "surface_temperature": each} for each in (30.0, -10.0))
    assert (np.asarray(simulate(with_values(twin, warm), given))[20:, :, 1] > plain).all()
    assert (np.asarray(simulate(with_values(twin, cold), given))[20:, :, 1] < plain).all()


def test_parameters_come_back_from_a_synthetic_log(given: Windows, twin: Twin) -> None:
    truth = {"pipe_length": 2.0, "co2_supply": 250.0, "wet_area": 0.1}
    synthetic = np.asarray(simulate(with_values(twin, truth), given, SUBSTEPS))
    found = fit([House(twin, dataclasses.replace(given, measured=synthetic))], chosen(list(truth), 96.0))
    for name, value in truth.items():
        assert value_of(found.twins[0], name) == pytest.approx(value, rel=0.05), name


def test_white_noise_of_sensors_leaves_values_within_two_percent_and_their_intervals_hold_them(
    given: Windows, twin: Twin
) -> None:
    truth = {"pipe_length": 2.0, "co2_supply": 250.0, "wet_area": 0.1}
    clean = np.asarray(simulate(with_values(twin, truth), given, SUBSTEPS))
    noise = np.random.default_rng(1).normal(size=clean.shape) * np.array([0.2, 1.0, 10.0])
    choice = chosen(list(truth), 96.0)
    found = fit([House(twin, dataclasses.replace(given, measured=clean + noise))], choice)
    held = Laplace(choice, found.best.coordinates, found.covariance).intervals
    for name, value in truth.items():
        assert value_of(found.twins[0], name) == pytest.approx(value, rel=0.02), name
    assert sum(low <= truth[name] <= high for name, (low, high) in held.items()) >= 2


def test_a_fit_that_was_stopped_in_any_round_ends_at_the_same_values(given: Windows, twin: Twin) -> None:
    truth = {"pipe_length": 2.0, "co2_supply": 250.0, "wet_area": 0.1}
    synthetic = np.asarray(simulate(with_values(twin, truth), given, SUBSTEPS))
    houses, choice = [House(twin, dataclasses.replace(given, measured=synthetic))], chosen(list(truth), 96.0)
    kept: list[list[dict[str, Any]]] = []
    whole = fit(houses, choice, iterations=4, keep=kept.append)
    assert {each["round"] for each in kept[-1]} > {0}
    for stopped in (kept[1], kept[-2]):
        again = fit(houses, choice, iterations=4, kept=stopped)
        assert again.best.coordinates.tolist() == whole.best.coordinates.tolist()


def test_houses_that_are_fitted_together_share_all_but_what_differs(given: Windows, twin: Twin) -> None:
    choice = chosen(["pipe_length", "co2_supply", "wet_area"], 96.0)
    houses = []
    for supply in (200.0, 400.0):
        truth = {"pipe_length": 2.0, "co2_supply": supply, "wet_area": 0.1}
        synthetic = np.asarray(simulate(with_values(twin, truth), given, SUBSTEPS))
        houses.append(House(twin, dataclasses.replace(given, measured=synthetic)))
    first, second = fit(houses, choice).twins
    assert value_of(first, "pipe_length") == value_of(second, "pipe_length") == pytest.approx(2.0, rel=0.05)
    assert value_of(first, "co2_supply") == pytest.approx(200.0, rel=0.05)
    assert value_of(second, "co2_supply") == pytest.approx(400.0, rel=0.05)


def test_a_calibration_says_what_it_found_and_a_judgement_compares(twin: Twin) -> None:
    log = dataclasses.replace(made_log(days=2), floor_area=96.0)
    (made,) = calibrate([log], [log.times[-1]], names=["pipe_length", "co2_supply", "wet_area"], starts=2,
                        iterations=2, scouting=1)  # fmt: skip
    low, high = made.found.intervals["co2_supply"]
    assert low <= made.values["co2_supply"] <= high
    assert len(made.losses) == 2
    drawn = made.found.sample(3, seed=0)
    ensemble = {each.name: each.value(drawn[:, k]) for k, each in enumerate(made.found.choice)}
    replay = replayed(log, made.twin, DEFAULT_BASE, (log.times[288], log.times[-1]), 24.0, ensemble)
    assert replay.members.shape == (3, *replay.simulated.shape)
    result = judge(replay)
    assert set(result["coverage"]["parameters"]) == {"air_temperature", "relative_humidity", "co2"}
    before = result["baselines"]["uncalibrated"]["co2"]["mae"]
    assert result["quantities"]["co2"]["mae"] < before
    assert result["baselines"]["linear"] is None


def test_every_adjustable_parameter_has_a_range_that_its_record_allows(twin: Twin) -> None:
    for each in chosen(None, 96.0):
        assert each.low < each.high
        if hasattr(twin.parameters, each.name):
            quantity = find(Parameters, each.name)
            assert quantity.low <= each.low
            assert each.high <= quantity.high
        assert each.coordinate(each.low) <= prior_centre(twin, each) <= each.coordinate(each.high)
    with pytest.raises(UnknownNameError, match="leakage"):
        chosen(["leakge"], 96.0)


def test_a_judgement_needs_no_windows_before_the_first_one(twin: Twin) -> None:
    """Of a log whose first day has gaps, the second is judged, and there is no linear model."""
    gap = np.full(3 * 288, 4.0)
    gap[:200] = np.nan
    log = dataclasses.replace(made_log(days=3, wind_speed=gap), floor_area=96.0)
    result = judge(replayed(log, twin, DEFAULT_BASE, (log.times[0], log.times[-1]), 24.0))
    assert result["windows"] == 1
    assert result["baselines"]["linear"] is None
    assert "wind_speed" in result["warnings"][0]
