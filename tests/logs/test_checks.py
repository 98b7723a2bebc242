"""What a check finds in logs with known faults."""

from __future__ import annotations

import json

import numpy as np
import pytest
from greenhouse_logs import made_log
from shared_data import shared
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.logs import check_log, shared_columns
from phytotron.logs.checks import clock_offset


def kinds(**changes: object) -> set[tuple[str, str]]:
    return {(each.kind, each.quantity) for each in check_log(made_log(days=3, **changes))}  # type: ignore[arg-type]


def test_nothing_is_found_in_a_good_log() -> None:
    assert kinds() == set()


def test_the_sun_tells_the_clock() -> None:
    assert clock_offset(made_log(days=3)) == 1.0
    assert ("clock", "global_radiation") in kinds(utc_offset=-4.0)
    dark = np.zeros(3 * 288)
    assert kinds(global_radiation=dark) == {("clock", "global_radiation")}


def test_units_that_look_wrong_and_a_clock_that_is_changed_are_found() -> None:
    log = made_log(days=3)
    shares = 0.01 * log["thermal_screen"] * np.where(np.arange(864) % 3, 1.0, 0.5)
    assert kinds(thermal_screen=shares) == {("unit", "thermal_screen")}
    assert ("unit", "global_radiation") in kinds(global_radiation=np.minimum(3.0 * log["global_radiation"], 1599.0))
    assert kinds(outdoor_par=log["global_radiation"]) == {("unit", "outdoor_par")}
    sun = made_log(days=8)["global_radiation"].copy()
    sun[1152:] = np.roll(sun[1152:], 12)  # from the fifth day on the clock is an hour ahead
    changed = check_log(made_log(days=8, global_radiation=sun))
    assert {(each.kind, each.quantity) for each in changed} == {("clock", "global_radiation")}


def test_temperatures_in_fahrenheit_are_found_where_they_could_be_celsius() -> None:
    outdoors = 1.8 * made_log(days=3)["outdoor_temperature"] + 32.0
    assert kinds(outdoor_temperature=outdoors) == {("unit", "outdoor_temperature")}


def test_rows_that_are_missing_for_hours_are_said_once() -> None:
    log = made_log(days=3)
    found = check_log(log.rows(np.abs(np.arange(log.size) - 400) > 40))
    assert [(each.kind, each.quantity) for each in found] == [("gap", "time")]
    assert "6.8 h" in found[0].message


def test_gaps_of_hours_stuck_sensors_and_missing_quantities_are_found() -> None:
    log = made_log(days=3)
    gap, stuck = log["co2"].copy(), log["air_temperature"].copy()
    gap[100:150] = np.nan
    stuck[300:400] = 17.0
    assert kinds(co2=gap) == {("gap", "co2")}
    assert kinds(air_temperature=stuck) == {("stuck", "air_temperature")}
    assert kinds(wind_speed=np.full(log.size, np.nan)) == {("missing", "wind_speed")}


def test_actuators_that_never_move_in_many_days_and_co2_in_another_unit_are_found() -> None:
    still = {(each.kind, each.quantity) for each in check_log(made_log(days=11))}
    assert still == {("stuck", name) for name in ("pipe_temperature", "vent_lee", "wind_speed")}
    assert kinds(co2=1.83 * made_log(days=3)["co2"]) == {("unit", "co2")}


def test_second_sensors_that_disagree_or_belong_to_another_house_are_found() -> None:
    log = made_log(days=3)
    second = {"air_temperature_second": log["air_temperature"] + 2.0}
    assert kinds(**second) == {("disagreement", "air_temperature")}
    both = [made_log(days=3, air_temperature=log["air_temperature"] + shift, **second) for shift in (0.0, 1.5)]
    repeated = {each.quantity for each in shared_columns(both)}
    assert "air_temperature_second" in repeated
    assert "air_temperature" not in repeated


@pytest.mark.slow
def test_the_command_checks_the_four_compartments() -> None:
    folder = shared("greenhouse_logs", "agc2022")
    result = CliRunner().invoke(app, ["log", "check", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [log["utc_offset_by_sun"] for log in found["logs"]] == [1.0] * 4
    assert {each["quantity"] for each in found["findings"]} >= {"air_temperature_second"}


def test_the_command_shows_a_compartment() -> None:
    folder = shared("greenhouse_logs", "agc2022")
    result = CliRunner().invoke(app, ["log", "check", str(folder), "--name", "Reference"])
    assert result.exit_code == 0, result.output
    assert "clock: read as UTC+1 h, by the sun UTC+1 h" in result.stdout
    assert "warning: disagreement" in result.stdout
