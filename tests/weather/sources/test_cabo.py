from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from weather_files import SITE, cabo

from phytotron.core.errors import DataFileError
from phytotron.weather.sources import detect_format, read_cabo_station, read_weather
from phytotron.weather.table import WeatherTable


def read(folder: Path, text: str, **arguments: Any) -> WeatherTable:
    (folder / "NW1.976").write_text(text)
    return read_weather(folder / "NW1.976", **arguments)


def test_a_year_of_days_gets_its_units(tmp_path: Path) -> None:
    table = read(tmp_path, cabo())
    assert detect_format(tmp_path / "NW1.976") == "cabo"
    assert table.start == datetime(1976, 1, 1, tzinfo=UTC) and table.size == 366
    assert table.site.name == "Nowhere, made up" and table.site.angstrom == (0.18, 0.55)
    assert table["irradiation"][9] == 5010e3 and table["vapour_pressure"][0] == 800.0
    assert table["wind_speed_2m"][0] == 3.5 and table["rain"][2] == pytest.approx(3.1)
    assert table["air_temperature"][0] == pytest.approx((3.0 + 12.5) / 2)


def test_a_place_that_is_named_keeps_the_coefficients_of_the_station(tmp_path: Path) -> None:
    assert read(tmp_path, cabo(), site=SITE).site == dataclasses.replace(SITE, angstrom=(0.18, 0.55))
    own = dataclasses.replace(SITE, angstrom=(0.2, 0.5))
    assert read(tmp_path, cabo(), site=own).site == own


def test_status_lines_mark_days_whose_values_are_estimates(tmp_path: Path) -> None:
    table = read(tmp_path, cabo(days=8, status=True))
    assert table["filled"].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]


def test_a_status_line_that_bears_the_number_of_the_station_is_recognised(tmp_path: Path) -> None:
    text = cabo(days=8).replace(
        "   1 1976   4 ", "   1 1976   4     1.   1.0   1.0   3.000   1.0   3.0\n   1 1976   4 ", 1
    )
    table = read(tmp_path, text)
    assert table.size == 8 and table["filled"].tolist() == [0, 0, 0, 1, 1, 1, 1, 1]


def test_missing_values_are_gaps(tmp_path: Path) -> None:
    text = cabo(days=8).replace("0.800", "-99.0", 3)
    assert "vapour_pressure" not in read(tmp_path, text)
    with pytest.raises(DataFileError, match=r"irradiation \(irradiation\) has missing values"):
        read(tmp_path, cabo(days=8).replace(" 5004.", "  -99."))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-0.18 -0.55", "0.18 0.55", "hours of sunshine; only files with radiation"),
        ("-0.18 -0.55", "-0.18", "longitude, latitude, elevation, A and B is missing|no format"),
        ("   1 1976   4 ", "   1 1976   3 ", "line 12 repeats the time 1976-01-03"),
        ("   1 1976   4 ", "   1 1976 367 ", "1976 has no day 367"),
        ("   1 1976   4 ", "   1 1976   x ", "'x' is not a number"),
        ("   1 1976   4 ", "   1 1976 ", "line 12 has 8 fields, expected 9"),
        ("   1 1976   4 ", "   1 1976   5 ", "repeats the time|rows are missing"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = cabo(days=8)
    assert old in text
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, text.replace(old, new, 1))


def test_a_last_number_that_was_cut_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="the last, is cut off"):
        read(tmp_path, cabo(days=8).rstrip()[:-1])


def test_all_years_of_a_station_are_one_table(tmp_path: Path) -> None:
    for year, days in ((1976, 366), (1977, 365), (1978, 300)):
        (tmp_path / f"NW1.{year - 1000}").write_text(cabo(year, days, status=year == 1977))
    (tmp_path / "NW10.976").write_text("another station")
    table = read_cabo_station(tmp_path, "NW1")
    assert table.size == 366 + 365 + 300 and table["filled"].sum() == 2
    assert read_cabo_station(tmp_path, "NW1", first=date(1977, 1, 1), end=date(1978, 1, 1)).size == 365
    (tmp_path / "NW1.979").write_text(cabo(1979, 10))
    with pytest.raises(DataFileError, match=r"NW1.\*: rows are missing in 1 place: 1978-10-28"):
        read_cabo_station(tmp_path, "NW1")
    (tmp_path / "NW1.979").write_text(cabo(1979, 10).replace("52.00", "53.00"))
    with pytest.raises(DataFileError, match=r"NW1.979: the place differs from that of NW1.976"):
        read_cabo_station(tmp_path, "NW1")


def test_a_folder_without_the_station_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"no files NW1\.NNN"):
        read_cabo_station(tmp_path, "NW1")
    with pytest.raises(DataFileError, match="the folder cannot be read"):
        read_cabo_station(tmp_path / "missing", "NW1")
