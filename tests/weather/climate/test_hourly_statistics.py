"""Statistics of hours and years."""

from __future__ import annotations

import numpy as np
import pytest

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.weather.climate.hourly_statistics import COLUMNS, hourly_statistics

DATES = np.arange("2001-01-01", "2003-01-01", dtype="datetime64[D]")


def hours() -> dict[str, np.ndarray]:
    made = {name: np.zeros((DATES.size, 24)) for name in COLUMNS}
    made["air_temperature"] = np.broadcast_to(15.0 + 16.0 * np.sin(np.arange(24) * np.pi / 12.0), (DATES.size, 24))
    made["sky_temperature"] = made["air_temperature"] - 5.0
    return made


def test_hours_are_counted_and_changes_measured() -> None:
    table = hours()
    table["relative_humidity"][0, :12] = 98.6  # reads 99
    table["vapour_pressure"][:, ::2] = 10.0
    table["wind_speed"][365:] = 2.0
    found = hourly_statistics(DATES, table)
    assert found.damp_hours == pytest.approx(100.0 * 12 / (730 * 24))
    assert found.vapour_change == pytest.approx(10.0, rel=1e-3)
    assert found.sky_depression == pytest.approx(0.0, abs=1e-9)
    assert found.other_minimum == 100.0  # it is at 18 h
    assert found.hot_days == 365.0
    assert found.annual_wind == pytest.approx(2.0 / 2**0.5)
    assert found.annual_temperature == pytest.approx(0.0, abs=1e-9)


def test_days_that_are_apart_have_no_change_between_them() -> None:
    table, apart = hours(), DATES.copy()
    table["vapour_pressure"][365:] = 1e6
    apart[365:] += 365
    assert hourly_statistics(apart, table).vapour_change == 0.0
    assert hourly_statistics(DATES, table).vapour_change > 0.0


def test_what_is_missing_is_named() -> None:
    table = hours()
    with pytest.raises(ShapeError, match="wind_speed"):
        hourly_statistics(DATES, table | {"wind_speed": np.zeros((3, 24))})
    del table["sky_temperature"]
    with pytest.raises(ValueRangeError, match="sky_temperature"):
        hourly_statistics(DATES, table)
