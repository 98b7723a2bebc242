"""Rows that a fit does not believe."""

from __future__ import annotations

import numpy as np
from greenhouse_logs import made_log

from phytotron.logs import trusted


def test_rows_in_which_two_sensors_disagree_become_gaps_of_temperature_and_humidity() -> None:
    log = made_log()
    second = log["air_temperature"].copy()
    second[100:150] -= 4.0
    found, said = trusted(made_log(air_temperature_second=second))
    assert np.isnan(found["air_temperature"][100:150]).all()
    assert np.isnan(found["relative_humidity"][100:150]).all()
    assert np.isfinite(found["co2"]).all()
    assert np.isfinite(found["air_temperature"][:100]).all()
    assert [each.kind for each in said] == ["doubtful"]
    assert "50 of 576" in said[0].message


def test_sensors_that_agree_or_stand_in_another_house_change_nothing() -> None:
    log = made_log()
    assert trusted(log) == (log, ())
    agreeing = made_log(air_temperature_second=log["air_temperature"] + 1.0)
    assert trusted(agreeing) == (agreeing, ())
    second = {"air_temperature_second": log["air_temperature"] + 5.0}
    here, there = made_log(**second), made_log(air_temperature=log["air_temperature"] + 4.0, **second)
    there = type(there)(**{**vars(there), "name": "other"})
    assert trusted(here, [here, there]) == (here, ())
    shorter = here.before(here.times[300])
    assert trusted(shorter, [here, there]) == (shorter, ())
