"""Weather tables: time, windows, interpolation, checks, life on a device."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.weather.calendar import days_after, days_since_new_year, years
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherError, WeatherTable, joined, weather_table

SITE = Site("Nowhere", 52.0, 5.0, 3.0)
SOURCE = Provenance("made up", "CC0")


def test_days_are_added_to_dates() -> None:
    assert days_after(np.datetime64("2012-02-28"), 2) == np.datetime64("2012-03-01")
    assert days_after(np.datetime64("2011-12-31"), np.array([0, 1])).astype(str).tolist() == [
        "2011-12-31",
        "2012-01-01",
    ]


def hourly(start: Any = date(2012, 2, 28), hours: int = 72, **columns: Any) -> WeatherTable:
    wave = 10.0 + 5.0 * np.sin(np.arange(hours))
    columns = columns or {"air_temperature": wave, "rain": np.arange(hours) / 10.0}
    return weather_table(columns, start, 3600, SITE, SOURCE)


def test_rows_stand_at_the_beginning_of_their_interval_through_29_february() -> None:
    table = hourly()
    assert table.end == datetime(2012, 3, 2, tzinfo=UTC)
    assert table.times[24] == np.datetime64("2012-02-29T00:00")
    assert table.times[-1] == np.datetime64("2012-03-01T23:00")
    assert table.row(date(2012, 3, 1)) == 48


def test_days_are_counted_from_new_year_in_common_and_leap_years() -> None:
    times = np.array(["2011-12-31T12:00", "2012-12-31T00:00", "2013-01-01T00:00"], "datetime64[s]")
    assert days_since_new_year(times).tolist() == [364.5, 365.0, 0.0]
    assert years(times).tolist() == [2011, 2012, 2013]


def test_a_moment_in_another_time_zone_is_the_same_moment() -> None:
    amsterdam_winter = timezone(timedelta(hours=1))
    assert hourly().row(datetime(2012, 2, 29, 1, tzinfo=amsterdam_winter)) == 24
    assert hourly(datetime(2012, 2, 28, 1, tzinfo=amsterdam_winter)).start == datetime(2012, 2, 28, tzinfo=UTC)


def test_a_window_holds_its_first_moment_and_not_its_end() -> None:
    table = hourly()
    leap_day = table.window(date(2012, 2, 29), date(2012, 3, 1))
    assert (leap_day.size, leap_day.start) == (24, datetime(2012, 2, 29, tzinfo=UTC))
    assert np.array_equal(leap_day["rain"], table["rain"][24:48])
    whole = joined(
        [table.window(date(2012, 2, 29), date(2012, 3, 2)), table.window(date(2012, 2, 28), date(2012, 2, 29))]
    )
    assert all(np.array_equal(whole[name], table[name]) for name in table.names)


@pytest.mark.parametrize(
    ("first", "end", "message"),
    [
        (date(2012, 2, 27), date(2012, 3, 1), "2012-02-27 00:00 is not in the weather of Nowhere"),
        (date(2012, 2, 28), date(2012, 3, 3), "2012-03-03"),
        (datetime(2012, 2, 28, 0, 30), date(2012, 3, 1), "00:30"),
        (date(2012, 3, 1), date(2012, 3, 1), "a moment after"),
    ],
)
def test_a_window_outside_the_table_is_refused(first: Any, end: Any, message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        hourly().window(first, end)


def test_values_run_along_lines_between_rows_and_totals_are_shared_out() -> None:
    table = hourly()
    fine = table.resampled(300)
    assert fine.end == table.end
    assert np.array_equal(fine["air_temperature"][::12], table["air_temperature"])
    middle = 0.5 * (table["air_temperature"][:-1] + table["air_temperature"][1:])
    assert fine["air_temperature"][6:-12:12] == pytest.approx(middle)
    assert np.all(fine["air_temperature"][-12:] == table["air_temperature"][-1])
    assert fine["rain"].sum() == pytest.approx(table["rain"].sum())


def test_averaged_values_are_means_of_what_was_measured_or_interpolated_and_totals_are_sums() -> None:
    table = hourly()
    long = table.averaged(7200)
    assert long.interval == 7200 and long.end == table.end
    assert long["air_temperature"] == pytest.approx(np.asarray(table["air_temperature"]).reshape(-1, 2).mean(axis=1))
    assert long["rain"].sum() == pytest.approx(table["rain"].sum())
    short = table.averaged(1800)
    assert np.array_equal(short["air_temperature"], table.resampled(1800)["air_temperature"])
    odd = table.averaged(5400)  # of half hours, three each
    assert odd["air_temperature"] == pytest.approx(short["air_temperature"].reshape(-1, 3).mean(axis=1))


def test_on_a_device_it_is_a_pytree_that_jit_and_vmap_take() -> None:
    table = hourly().on_device("float32")
    rows, fractions = jnp.array([0, 5, 71, 90]), jnp.array([0.0, 0.25, 0.5, 0.5])
    values = jax.jit(jax.vmap(WeatherTable.at, (None, 0, 0)))(table, rows, fractions)
    expected = np.interp([0.0, 5.25, 71.0, 71.0], np.arange(72), hourly()["air_temperature"])
    assert np.asarray(values["air_temperature"]) == pytest.approx(expected, rel=1e-6)
    assert np.asarray(values["rain"]) == pytest.approx([0.0, 0.5, 7.1, 7.1])
    assert values["rain"].dtype == jnp.float32
    again = jax.tree.map(lambda column: column, table)
    assert (again.start, again.site, again.provenance) == (table.start, table.site, table.provenance)


def test_the_gradient_of_a_value_with_respect_to_time_is_the_slope() -> None:
    table = hourly(air_temperature=np.array([1.0, 4.0, 2.0]))
    slope = jax.grad(lambda fraction: table.at(0, fraction)["air_temperature"])(0.3)
    assert float(slope) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        ({"air_temperature": [1.0, np.nan]}, ValueRangeError, r"Nowhere at 2012-02-28T01:00:00 UTC \(row 2\) is nan"),
        ({"air_temperature": [1.0, np.inf]}, ValueRangeError, "expected -90 to 60 °C"),
        ({"relative_humidity": [101.0]}, ValueRangeError, "0 to 100 %"),
        ({"temperature": [1.0]}, UnknownNameError, "air_temperature"),
        ({"air_temperature": [1.0], "rain": [0.0, 1.0]}, WeatherError, "differ in length"),
        ({"air_temperature": []}, WeatherError, "empty"),
        ({}, WeatherError, "no columns"),
    ],
)  # fmt: skip
def test_impossible_weather_is_refused(columns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        weather_table(columns, date(2012, 2, 28), 3600, SITE, SOURCE)


@pytest.mark.parametrize("interval", [0, 100, 7000, 172800, 3600.0, True])
def test_an_interval_must_divide_a_day_and_last_five_minutes_to_a_day(interval: Any) -> None:
    with pytest.raises(ValueRangeError, match="interval of a weather table"):
        weather_table({"rain": [0.0]}, date(2012, 1, 1), interval, SITE, SOURCE)


@pytest.mark.parametrize(("latitude", "longitude"), [(91.0, 0.0), (0.0, 181.0), (float("nan"), 0.0)])
def test_a_site_is_on_earth(latitude: float, longitude: float) -> None:
    with pytest.raises(ValueRangeError, match="itude of site 'moon'"):
        Site("moon", latitude, longitude)


def test_tables_that_do_not_follow_each_other_are_not_joined() -> None:
    later = hourly(date(2012, 3, 3))
    with pytest.raises(WeatherError, match="leave a gap"):
        joined([hourly(), later])
    with pytest.raises(WeatherError, match="overlap"):
        joined([hourly(), hourly(date(2012, 3, 1))])


def test_a_column_that_one_part_lacks_is_left_out_and_said_so() -> None:
    both = joined([hourly(), hourly(date(2012, 3, 2), air_temperature=np.zeros(24))])
    assert both.names == ("air_temperature",)
    assert "rain" in both.provenance.notes[-1]


def test_a_missing_column_is_answered_with_those_that_are_there() -> None:
    with pytest.raises(WeatherError, match="no column 'wind_speed'; it has air_temperature, rain"):
        hourly()["wind_speed"]
