from __future__ import annotations

import json
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from weather_files import SHARED, SITE, day_values, hour_values, knmi_daily, knmi_hourly, knmi_json, knmi_script

from phytotron.core.errors import DataFileError
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.radiation import sky_temperature_from_cloud
from phytotron.weather.sources import detect_format, read_weather
from phytotron.weather.surface import wind_at_2m


def written(folder: Path, text: str, name: str = "uurgeg_240_2001-2010.txt") -> Path:
    path = folder / name
    path.write_text(text, newline="")
    return path


def test_hours_of_a_decade_file_get_their_units_and_the_beginning_of_their_interval(tmp_path: Path) -> None:
    path = written(tmp_path, knmi_hourly())
    table = read_weather(path)
    assert detect_format(path) == "knmi"
    assert table.start == datetime(2010, 3, 1, tzinfo=UTC) and table.size == 48 and table.interval == 3600
    assert table.site.name == "Schiphol" and table.site.latitude == 52.318
    for row in (0, 5, 13, 47):
        raw = hour_values(row)
        assert table["global_radiation"][row] == pytest.approx(raw["Q"] * 1e4 / 3600)
        assert table["air_temperature"][row] == pytest.approx(raw["T"] / 10)
        assert table["dew_point"][row] == pytest.approx(raw["TD"] / 10)
        assert table["wind_speed"][row] == pytest.approx(raw["FH"] / 10)
        assert table["relative_humidity"][row] == raw["U"]
        assert table["vapour_pressure"][row] == pytest.approx(vapour_pressure(np.float64(raw["T"] / 10), raw["U"]))
        assert table["cloud_cover"][row] == min(raw["N"], 8) / 8
        sky = sky_temperature_from_cloud(np.float64(raw["T"] / 10), raw["N"] / 9)
        assert table["sky_temperature"][row] == pytest.approx(sky)
    assert table["rain"][5] == 0.025 and table["rain"][6] == pytest.approx(0.3)
    assert "KNMI" in table.provenance.source and "CC BY 4.0" in table.provenance.licence


def test_pressure_is_that_at_the_station(tmp_path: Path) -> None:
    path = written(tmp_path, knmi_hourly(stations=(380,)))
    table = read_weather(path)
    drop = hour_values(0)["P"] * 10.0 - table["air_pressure"][0]
    assert drop == pytest.approx(114.3 * 9.80665 * 1.25, rel=0.03)  # weight of 114 m of air of 1.25 kg m-3


def test_script_replies_name_their_stations_and_either_hour_column(tmp_path: Path) -> None:
    for hour_name in ("HH", "H"):
        table = read_weather(written(tmp_path, knmi_script(hour_name=hour_name)))
        assert table.site.name == "Nowhere" and table.site.elevation == 11.5 and table.size == 48


def test_a_zip_archive_reads_like_its_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "uurgeg.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("uurgeg_240_2001-2010.txt", knmi_hourly())
    assert read_weather(tmp_path / "uurgeg.zip").size == 48


def test_days_get_their_units(tmp_path: Path) -> None:
    table = read_weather(written(tmp_path, knmi_daily(), "etmgeg_356.txt"))
    raw = day_values(4)
    assert table.interval == 86400 and table.site.name == "Herwijnen"
    assert table["irradiation"][4] == raw["Q"] * 1e4
    assert table["minimum_temperature"][4] == pytest.approx(raw["TN"] / 10)
    assert table["maximum_temperature"][4] == pytest.approx(raw["TX"] / 10)
    assert table["wind_speed_2m"][4] == pytest.approx(wind_at_2m(raw["FG"] / 10))
    assert table["vapour_pressure"][4] == pytest.approx(vapour_pressure(np.float64(raw["TG"] / 10), raw["UG"]))
    assert table["rain"][1] == 0.025


def test_json_replies_give_the_same_as_text(tmp_path: Path) -> None:
    first = date(2024, 2, 28)
    text = read_weather(written(tmp_path, knmi_hourly(first=first, stations=(260,))))
    reply = read_weather(written(tmp_path, knmi_json(first=first), "reply.json"))
    assert reply.names == text.names and reply.start == text.start and reply.site == text.site
    for name in reply.names:
        np.testing.assert_array_equal(reply[name], text[name])


def test_one_of_several_stations_is_chosen(tmp_path: Path) -> None:
    path = written(tmp_path, knmi_hourly(stations=(240, 260)))
    with pytest.raises(DataFileError, match="2 stations: 240, 260; choose one by station="):
        read_weather(path)
    assert read_weather(path, station=260).site.name == "De Bilt"
    with pytest.raises(DataFileError, match="does not hold station 999; it holds 240, 260"):
        read_weather(path, station=999)


def test_a_station_whose_place_is_not_known_needs_a_site(tmp_path: Path) -> None:
    path = written(tmp_path, knmi_hourly(stations=(777,)))
    with pytest.raises(DataFileError, match=r"station 777 is; name the place: --place"):
        read_weather(path)
    assert read_weather(path, site=SITE).site == SITE


def test_a_day_that_is_not_finished_is_a_file_that_was_cut_off(tmp_path: Path) -> None:
    lines = knmi_hourly().splitlines(keepends=True)
    path = written(tmp_path, "".join(lines[:-7]))
    with pytest.raises(DataFileError, match=r"cut off; fetch it again, or read what is there with end=2010-03-02"):
        read_weather(path)
    assert read_weather(path, end=date(2010, 3, 2)).size == 24


@pytest.mark.parametrize("cut", [1, 3, 20])
def test_a_row_that_was_cut_is_named(tmp_path: Path, cut: int) -> None:
    text = knmi_hourly().rstrip()
    path = written(tmp_path, text[:-cut])
    with pytest.raises(DataFileError, match=f"line {len(text.splitlines())}.*cut off"):
        read_weather(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("20100302,    1,", "20100229,    1,", "2010-02-29 is not a day of the calendar"),
        ("20100302,    1,", "20100302,   25,", "the hour is 25; expected 1 to 24"),
        ("20100302,    1,", "20100302,    x,", "column HH: 'x' is not a number"),
        ("20100302,    2,", "20100302,    1,", "repeats the time 2010-03-02T00:00:00 of line"),
        ("20100302,    1,", "20090302,    1,", "goes back in time"),
        ("20100302,    1,", "99990302,    1,", "the year is 9999; expected a year from 1700 to 2999"),
        (
            "20100302,    1,   70,",
            "20100302,    1, 7000,",
            "column FH: ' 7000' means 700 m s-1.*expected 0 to 110 m s-1",
        ),
        ("0.1 graden Celsius) op 1.50 m hoogte\nTD", "graden Fahrenheit)\nTD", "column T in 'graden Fahrenheit'"),
        ("# STN,", "# XXX,", "of no format that is known"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = knmi_hourly()
    assert old in text
    with pytest.raises(DataFileError, match=message):
        read_weather(written(tmp_path, text.replace(old, new)))


def test_json_that_is_wrong_is_named(tmp_path: Path) -> None:
    reply = json.loads(knmi_json())
    for key, value, message in (
        ("T", "67", "entry 4 of T: '67' is not a number"),
        ("hour", 2.5, "entry 4: hour is 2.5"),
        ("date", "2024-02-30T00:00:00.000Z", "entry 4, column date: '2024-02-30T00:00:00.000Z' is not a date"),
        ("date", None, "entry 4, column date: None is not a date"),
        ("date", "2024-02-28T06:00:00.000Z", "is not a midnight"),
    ):
        changed = [dict(entry) for entry in reply]
        changed[3][key] = value
        with pytest.raises(DataFileError, match=message):
            read_weather(written(tmp_path, json.dumps(changed), "reply.json"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared weather")
def test_real_files_read() -> None:
    table = read_weather(SHARED / "samples" / "knmi_uurgeg_240_head.txt", end=date(2011, 1, 2))
    assert table.size == 24 and table["relative_humidity"][0] == 95.0
    with pytest.raises(DataFileError, match="has no values"):
        read_weather(SHARED / "samples" / "knmi_etmgeg_356_head.txt")
    old = SHARED / "samples" / "knmi_script_daily_old_2017.txt"
    rotterdam = read_weather(old, station=344, require=("air_temperature",))
    assert rotterdam.site.name == "Rotterdam" and rotterdam["rain"][4] == 0.025
