"""NASA POWER and Open-Meteo."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weather_files import SHARED, open_meteo, open_meteo_daily, power_csv, power_json

from phytotron.core.errors import DataFileError
from phytotron.weather.humid_air import tetens_vapour_pressure
from phytotron.weather.sources import detect_format, read_weather
from phytotron.weather.table import WeatherTable


def read(folder: Path, content: Any, **arguments: Any) -> WeatherTable:
    path = folder / "reply"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_weather(path, **arguments)


def changed(reply: dict[str, Any], value: Any, *keys: str | int) -> dict[str, Any]:
    """The reply with another value under some keys."""
    inner: Any = reply
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    return reply


def test_power_gives_the_same_from_json_and_both_kinds_of_csv(tmp_path: Path) -> None:
    tables = [read(tmp_path, held) for held in (power_json(), power_csv(), power_csv(by_month=True))]
    assert detect_format(tmp_path / "reply") == "nasa_power"
    for table in tables:
        assert table.start == datetime(2019, 2, 26, tzinfo=UTC) and table.size == 5
        assert (table.site.latitude, table.site.longitude, table.site.elevation) == (52.0, 5.5, 11.5)
        assert table["irradiation"][1] == pytest.approx(12.1e6)
        assert table["extraterrestrial_irradiation"][0] == 30e6
        assert table["vapour_pressure"][0] == pytest.approx(tetens_vapour_pressure(np.float64(5.0)))
        assert table["air_pressure"][0] == 101000.0 and table["rain"][2] == 1.0
        assert table["wind_speed_2m"][0] == 3.0 and "wind_speed" not in table
        assert table.names == tables[0].names and "POWER" in table.provenance.licence


def test_power_in_kilowatt_hours_is_converted(tmp_path: Path) -> None:
    table = read(tmp_path, changed(power_json(), "kW-hr/m^2/day", "parameters", "ALLSKY_SFC_SW_DWN", "units"))
    assert table["irradiation"][0] == pytest.approx(12.0 * 3.6e6)


def test_power_marks_missing_values_by_the_fill_value_of_its_header(tmp_path: Path) -> None:
    reply = changed(power_json(), -99.5, "header", "fill_value")
    reply = changed(reply, -99.5, "properties", "parameter", "T2M_MIN", "20190228")
    with pytest.raises(DataFileError, match=r"T2M_MIN \(minimum_temperature\) has missing values: 2019-02-28"):
        read(tmp_path, reply)
    assert read(tmp_path, reply, fill_gaps=24)["filled"].tolist() == [0, 0, 1, 0, 0]


def test_older_names_of_power_are_known(tmp_path: Path) -> None:
    text = power_csv().replace("PRECTOTCORR", "PRECTOT").replace("TOA_SW_DWN", "ALLSKY_TOA_SW_DWN")
    assert {"rain", "extraterrestrial_irradiation"} <= set(read(tmp_path, text).names)


def test_power_csv_that_was_cut_is_noticed_by_the_last_day_in_its_header(tmp_path: Path) -> None:
    lines = power_csv().splitlines(keepends=True)
    with pytest.raises(DataFileError, match="the rows end on 2019-03-01, the header says 2019-03-02"):
        read(tmp_path, "".join(lines[:-1]))
    assert read(tmp_path, "".join(lines[:-1]), end=date(2019, 3, 2)).size == 4


@pytest.mark.parametrize(
    ("value", "keys", "message"),
    [
        ("furlong", ("parameters", "T2M", "units"), "T2M has the unit 'furlong'; expected one of"),
        (None, ("parameters", "ALLSKY_SFC_SW_DWN", "units"), "ALLSKY_SFC_SW_DWN has no unit"),
        ("5", ("properties", "parameter", "T2M", "20190227"), "entry 20190227 of T2M: '5' is not a number"),
        (True, ("properties", "parameter", "T2M", "20190227"), "entry 20190227 of T2M: True is not a number"),
        (10**400, ("properties", "parameter", "T2M", "20190227"), "is not a number"),
        (5.0, ("properties", "parameter", "T2M", "20190229"), "T2M has other days than ALLSKY_SFC_SW_DWN"),
        ({"2019022601": 1.0}, ("properties", "parameter"), "the reply holds no values"),
        ({"T2M": {"2019022601": 1.0}}, ("properties", "parameter"), "'2019022601' is an hour; expected daily"),
        ({"T2M": {"20190229": 1.0}}, ("properties", "parameter"), "2019-02-29 is not a day of the calendar"),
        ([5.5, 52.0], ("geometry", "coordinates"), "expected longitude, latitude and elevation"),
        ([5.5, 95.0, 0.0], ("geometry", "coordinates"), "latitude of site.*expected -90 to 90"),
        ("-999", ("header", "fill_value"), "header.fill_value is '-999'"),
    ],
)
def test_power_json_that_is_wrong_is_named(tmp_path: Path, value: Any, keys: tuple[str, ...], message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, changed(power_json(), value, *keys))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2019,57,", "2019,366,", "line 20: 2019 has no day 366"),
        ("YEAR,DOY,", "YEAR,DAY,", "expected daily values: YEAR,DOY or YEAR,MO,DY"),
        ("-END HEADER-", "", "the header between -BEGIN HEADER- and -END HEADER- is missing"),
        ("latitude  52.0", "", "the header does not name the place; name the place: --place"),
        ("(MJ/m^2/day)", "(lux)", "ALLSKY_SFC_SW_DWN has the unit 'lux'"),
    ],
)
def test_power_csv_that_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in power_csv()
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, power_csv().replace(old, new, 1))


def test_open_meteo_hours_go_to_the_row_that_begins_an_hour_before_their_stamp(tmp_path: Path) -> None:
    table = read(tmp_path, open_meteo(first=datetime(2022, 6, 1, 1)))
    assert detect_format(tmp_path / "reply") == "open_meteo"
    assert table.start == datetime(2022, 6, 1, tzinfo=UTC) and table.interval == 3600
    assert table["global_radiation"][12] == 120.0
    assert table["wind_speed"][0] == pytest.approx(5.0)
    assert table["cloud_cover"][47] == pytest.approx(0.47) and table["air_pressure"][0] == 101250.0
    assert table.site.elevation == 11.5 and "CC BY 4.0" in table.provenance.licence


@pytest.mark.parametrize(
    ("name", "unit", "scale", "shift"),
    [
        ("wind_speed_10m", "m/s", 1.0, 0.0),
        ("wind_speed_10m", "mp/h", 0.44704, 0.0),
        ("wind_speed_10m", "kn", 0.514444, 0.0),
        ("temperature_2m", "°F", 5.0 / 9.0, -32.0 * 5.0 / 9.0),
        ("precipitation", "inch", 25.4, 0.0),
    ],
)
def test_open_meteo_units_are_converted(tmp_path: Path, name: str, unit: str, scale: float, shift: float) -> None:
    reply = changed(open_meteo(), unit, "hourly_units", name)
    column = {"wind_speed_10m": "wind_speed", "temperature_2m": "air_temperature", "precipitation": "rain"}[name]
    np.testing.assert_allclose(
        read(tmp_path, reply)[column], np.array(reply["hourly"][name]) * scale + shift, rtol=1e-6
    )


def test_open_meteo_local_and_unix_times_are_the_same_moments(tmp_path: Path) -> None:
    local = read(tmp_path, open_meteo(first=datetime(2022, 6, 1, 3), offset=7200))
    reply = open_meteo(first=datetime(2022, 6, 1, 3), offset=7200)
    start = int(datetime(2022, 6, 1, 1, tzinfo=UTC).timestamp())
    reply["hourly"]["time"] = [start + 3600 * hour for hour in range(48)]
    unix = read(tmp_path, changed(reply, "unixtime", "hourly_units", "time"))
    assert local.start == unix.start == datetime(2022, 6, 1, tzinfo=UTC)


def test_open_meteo_days_keep_their_date(tmp_path: Path) -> None:
    table = read(tmp_path, open_meteo_daily())
    assert table.start == datetime(2023, 5, 28, tzinfo=UTC) and table["irradiation"][2] == 22e6
    assert table["air_temperature"][0] == pytest.approx(15.5)
    assert "columns that are not used: windspeed_10m_max" in table.provenance.notes
    assert "days of a local time, UTC+2 h" in table.provenance.notes
    reply = open_meteo_daily()
    midnight = int(datetime(2023, 5, 27, 22, tzinfo=UTC).timestamp())
    reply["daily"]["time"] = [midnight + 86400 * day for day in range(5)]
    assert read(tmp_path, changed(reply, "unixtime", "daily_units", "time")).start == table.start


def test_open_meteo_hours_are_taken_where_a_reply_has_days_as_well(tmp_path: Path) -> None:
    assert read(tmp_path, open_meteo_daily() | open_meteo()).interval == 3600


def test_open_meteo_missing_values_are_gaps(tmp_path: Path) -> None:
    reply = changed(open_meteo(), None, "hourly", "temperature_2m", 7)
    with pytest.raises(DataFileError, match=r"temperature_2m \(air_temperature\) has missing values"):
        read(tmp_path, reply)
    assert read(tmp_path, reply, fill_gaps=1)["filled"].sum() == 1


@pytest.mark.parametrize(
    ("value", "keys", "message"),
    [
        ("furlong/h", ("hourly_units", "wind_speed_10m"), "wind_speed_10m has the unit 'furlong/h'"),
        ({}, ("hourly_units",), "the unit None|has no unit"),
        ("days", ("hourly_units", "time"), "the time has the unit 'days'"),
        ("2022-02-29T00:00", ("hourly", "time", 3), "entry 4, column hourly.time: '2022-02-29T00:00' is not a date"),
        ("x", ("hourly", "temperature_2m", 3), "entry 4 of temperature_2m: 'x'"),
        ([1.0], ("hourly", "temperature_2m"), "hourly.temperature_2m is not a list of 48 values"),
        (99999999, ("utc_offset_seconds",), "utc_offset_seconds is 99999999"),
        (None, ("elevation",), "does not name latitude, longitude and elevation"),
        ([], ("hourly",), "no hourly or daily values with their units"),
    ],
)
def test_open_meteo_that_is_wrong_is_named(tmp_path: Path, value: Any, keys: tuple[str, ...], message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, changed(open_meteo(), value, *keys))


def test_what_the_service_refused_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="the service refused: 'no such day'"):
        read(tmp_path, {"error": True, "reason": "no such day"})
    with pytest.raises(DataFileError, match="2 places; ask for one"):
        read(tmp_path, [open_meteo(), open_meteo()])


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared weather")
def test_recorded_replies_read() -> None:
    samples = SHARED / "samples"
    for name in ("nasa_power_daily_point.csv", "nasa_power_daily_point.json"):
        assert "air_temperature" in read_weather(samples / name, require=("air_temperature",))
    assert read_weather(samples / "open_meteo_daily_excerpt.json").size == 3
