"""Windows of a log: what drives a replay, and which windows are left out."""

from __future__ import annotations

import numpy as np
import pytest
from greenhouse_logs import made_log

from phytotron.calibration.baselines import linear_model, persistence
from phytotron.calibration.inputs import OPEN_GROWTH, dry_weight, windows
from phytotron.calibration.installation import Installation, installation_of, screen_transmission
from phytotron.calibration.judgement import errors
from phytotron.logs import GreenhouseLog, LogError
from phytotron.models.greenlight import load_parameters
from phytotron.weather.sun import diffuse_share, sun_height

STEPS = 288


def two_days(log: GreenhouseLog) -> object:
    return windows(log, log.times[0], log.times[-1], 24.0)


def test_windows_follow_each_other_and_compare_only_what_is_measured() -> None:
    log = made_log(days=2)
    given = windows(log, log.times[0], log.moment("2022-02-02T12:00", "end"), 24.0)
    assert given.measured.shape == (STEPS, 2, 3)
    assert given.starts.tolist() == log.times[[0, STEPS]].tolist()
    assert given.measured[0, 0, 0] == log["air_temperature"][1]
    assert np.isfinite(given.measured[:144, 1]).all()
    assert np.isnan(given.measured[144:, 1]).all()


def test_screens_that_are_nearly_closed_are_closed_and_the_pipe_is_prescribed_while_the_pump_runs() -> None:
    pipe = np.full(2 * STEPS, 40.0)
    pipe[100:200] = np.nan
    log = made_log(days=2, pipe_temperature=pipe, heating_pump=np.isfinite(pipe).astype(float))
    given = windows(log, log.times[0], log.times[-1], 24.0)
    assert np.max(given.drive.thermal_screen) == 1.0
    pump = given.drive.pump[given.spin_up :, 0]
    assert pump[50] == 1.0
    assert (pump[101:199] == 0.0).all()
    assert np.isfinite(given.drive.pipe_temperature).all()


def test_a_pipe_that_is_measured_while_the_pump_stands_is_not_prescribed() -> None:
    running = (np.arange(2 * STEPS) < 100).astype(float)
    log = made_log(days=2, pipe_temperature=np.full(2 * STEPS, 40.0), heating_pump=running)
    given = windows(log, log.times[0], log.times[-1], 24.0)
    pump = given.drive.pump[given.spin_up :, 0]
    assert pump[50] == 1.0 and (pump[101:] == 0.0).all()


def test_a_window_with_a_gap_of_hours_among_its_inputs_is_left_out_and_named() -> None:
    wind = np.full(2 * STEPS, 4.0)
    wind[400:450] = np.nan
    given = windows(made_log(days=2, wind_speed=wind), made_log().times[0], made_log().times[-1], 24.0)
    assert given.starts.size == 1
    assert "wind_speed" in given.skipped[0]
    with pytest.raises(LogError, match="every window"):
        two_days(made_log(days=2, vent_lee=np.where(np.arange(2 * STEPS) % 250 < 100, np.nan, 1.0)))


def test_a_log_without_a_needed_quantity_or_outside_its_time_is_refused() -> None:
    with pytest.raises(LogError, match="wind_speed"):
        two_days(made_log(wind_speed=np.full(2 * STEPS, np.nan)))
    log = made_log()
    with pytest.raises(LogError, match="holds"):
        windows(log, log.times[-1] + np.timedelta64(1, "D"), log.times[-1] + np.timedelta64(2, "D"), 24.0)


def grown(days: int, density: float, weights: dict[int, float]) -> np.ndarray:
    """Dry weight per area by the day of heads that were weighed on some days."""
    sampled = np.full(days * STEPS, np.nan)
    sampled[[day * STEPS for day in weights]] = list(weights.values())
    log = made_log(days=days, head_dry_weight=sampled, plant_density=np.full(days * STEPS, density))
    return dry_weight(log, log.times)[::STEPS]


def test_heads_grow_exponentially_while_they_stand_apart_and_linearly_once_they_cover_the_ground() -> None:
    apart = grown(5, 0.01, {1: 1.0, 2: 2.0})
    assert apart == pytest.approx([0.005, 0.01, 0.02, 0.04, 0.08], rel=0.01)
    closed = grown(5, 100.0, {1: 2.0, 2: 3.0})
    assert closed[1:] == pytest.approx([200.0, 300.0, 400.0, 500.0], rel=0.01)
    assert not dry_weight(made_log(), made_log().times).any()


def test_heads_that_were_weighed_once_are_a_crop_that_grows() -> None:
    once = grown(4, 0.01, {1: 1.0})
    assert once[1] == pytest.approx(0.01)
    assert np.diff(np.log(once)) == pytest.approx(OPEN_GROWTH, rel=0.01)


def test_the_light_in_a_log_tells_lamps_and_the_share_of_the_sun() -> None:
    log = made_log()
    lamps = np.where(log["global_radiation"] > 0.0, 0.0, 250.0)
    outdoor = 2.0 * log["global_radiation"]
    share = diffuse_share(log["global_radiation"], sun_height(log.times, log.site.latitude, log.site.longitude))
    parameters = load_parameters("katzin2020_144m2")
    screens = screen_transmission(0.01 * log["thermal_screen"], 0.0, parameters)
    inside = screens * outdoor * (0.4 * share + 0.1 * (1.0 - share)) + lamps
    log = made_log(par_above_crop=inside, outdoor_par=outdoor)
    found = installation_of(log, parameters)
    assert found.lamp_light == pytest.approx(250.0)
    assert found.direct_share == Installation().direct_share  # the sky is never clear
    dull = made_log(days=3, global_radiation=0.2 * made_log(days=3)["global_radiation"])
    outdoor = 2.0 * dull["global_radiation"]
    told = installation_of(made_log(days=3, global_radiation=dull["global_radiation"], outdoor_par=outdoor,
                                    par_above_crop=0.4 * outdoor + 250.0), parameters)  # fmt: skip
    assert told.sun_share == pytest.approx(0.4, rel=0.05)


def test_a_blackout_screen_counts_as_closed_where_the_light_does_not_follow_the_sun() -> None:
    sun = made_log(days=2)["global_radiation"]
    light = np.where(np.arange(2 * STEPS) < STEPS, 250.0, 250.0 + 0.3 * sun)
    given = windows(made_log(days=2, par_above_crop=light), made_log().times[0], made_log(days=2).times[-1], 24.0)
    closed = given.drive.blackout_screen[given.spin_up :]
    assert closed[120:170, 0].min() == 1.0
    assert closed[:, 1].max() == 0.0
    assert "blackout_screen" in given.notes[0]


def test_persistence_is_the_day_before_and_a_linear_model_finds_linear_dynamics() -> None:
    log = made_log(days=5)
    given = windows(log, log.times[4 * STEPS], log.times[-1], 24.0)
    periodic = errors(persistence(log, given), given)
    assert periodic["air_temperature"]["mae"] == pytest.approx(0.0, abs=0.05)
    linear = linear_model(windows(log, log.times[0], log.times[4 * STEPS], 24.0), given)
    assert errors(linear, given)["air_temperature"]["mae"] < 1.0
    few = windows(log, log.times[0], log.times[STEPS], 24.0)
    assert linear_model(few, given) is None


def test_errors_are_those_of_the_differences() -> None:
    given = windows(made_log(), made_log().times[0], made_log().times[-1], 24.0)
    found = errors(given.measured + np.array([1.0, -2.0, 3.0]), given)
    assert found["air_temperature"] == pytest.approx({"mae": 1.0, "rmse": 1.0, "bias": 1.0})
    assert found["relative_humidity"]["bias"] == pytest.approx(-2.0)
