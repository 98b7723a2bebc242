"""The checks that all formats share, on tables without header, whose rows are easy to change."""

from __future__ import annotations

import gzip
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weather_files import SITE, knmi_daily, knmi_hourly, shared_hourly

from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.weather.sources import FORMATS, detect_format, read_weather
from phytotron.weather.sources import text as text_module
from phytotron.weather.table import WeatherTable


def read(folder: Path, text: str | bytes, **arguments: Any) -> WeatherTable:
    path = folder / "weather.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_weather(path, **({"site": SITE} | arguments))


def without(text: str, *lines: int) -> str:
    """The text without some of its lines, counted from 1."""
    return "".join(line for number, line in enumerate(text.splitlines(keepends=True), 1) if number not in lines)


def with_blank(text: str, lines: range | tuple[int, ...], column: str) -> str:
    """The text without the values of a column in some lines."""
    rows = [line.split(",") for line in text.splitlines()]
    for number in lines:
        rows[number - 1][rows[0].index(column)] = ""
    return "\n".join(",".join(row) for row in rows) + "\n"


def test_missing_rows_are_refused_until_filling_is_asked_for(tmp_path: Path) -> None:
    text = without(shared_hourly(), 10, 11, 20)
    message = r"missing in 2 places: 2012-02-28T08:00:00 UTC \(2 h\), 2012-02-28T18:00:00 UTC \(1 h\); fill_gaps=2 "
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, text)
    with pytest.raises(DataFileError, match="fill_gaps=2"):
        read(tmp_path, text, fill_gaps=1)
    whole, filled = read(tmp_path, shared_hourly()), read(tmp_path, text, fill_gaps=2)
    assert filled.size == whole.size == 48
    np.testing.assert_array_equal(np.flatnonzero(filled["filled"]), [8, 9, 18])
    before, after = whole["air_temperature"][[7, 10]]
    expected = [before + (after - before) / 3, before + 2 * (after - before) / 3]
    np.testing.assert_allclose(filled["air_temperature"][8:10], expected)
    assert (filled["rain"][[8, 9, 18]] == 0.0).all()
    assert any("3 of 48 rows were filled" in note for note in filled.provenance.notes)


def test_a_required_column_must_be_complete_and_another_is_left_out_with_a_note(tmp_path: Path) -> None:
    text = with_blank(with_blank(shared_hourly(), (12, 13), "air_temp_c"), range(5, 30), "dew_point_c")
    with pytest.raises(DataFileError, match=r"column air_temp_c \(air_temperature\) has missing values: 2012-02-28T10"):
        read(tmp_path, text)
    table = read(tmp_path, text, fill_gaps=6)
    assert "dew_point" not in table and table["filled"].sum() == 2
    assert any(note == "column dew_point_c left out: missing in 25 of 48 rows" for note in table.provenance.notes)
    with pytest.raises(DataFileError, match=r"dew_point_c \(dew_point\) has missing values: .*25 h"):
        read(tmp_path, text, fill_gaps=6, require=("dew_point",))


def test_values_missing_at_an_end_cannot_be_filled_and_the_error_offers_a_window(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="at the end; read what is there with end=2012-02-29T20:00:00"):
        read(tmp_path, with_blank(shared_hourly(), range(46, 50), "wind_m_s"), fill_gaps=24)
    late = with_blank(shared_hourly(), range(2, 5), "wind_m_s")
    with pytest.raises(DataFileError, match="at the start; begin with first=2012-02-28T03:00:00"):
        read(tmp_path, late, fill_gaps=24)
    assert read(tmp_path, late, first=datetime(2012, 2, 28, 3)).size == 45


def test_the_window_is_cut_before_anything_is_judged(tmp_path: Path) -> None:
    text = with_blank(without(shared_hourly(), 45), (3,), "wind_m_s").replace(",80,", ",800,", 1)
    table = read(tmp_path, text, first=datetime(2012, 2, 28, 4), end=date(2012, 2, 29))
    assert table.size == 20 and table.provenance.notes == ()


def test_a_window_outside_the_file_is_refused(tmp_path: Path) -> None:
    for arguments in ({"first": date(2011, 1, 1)}, {"end": date(2013, 1, 1)}, {"first": date(2012, 3, 1)}):
        with pytest.raises(DataFileError, match="covers 2012-02-28T00:00:00 to 2012-03-01T00:00:00 UTC"):
            read(tmp_path, shared_hourly(), **arguments)
    with pytest.raises(DataFileError, match="covers"):
        read(tmp_path, shared_hourly(), first=date(2012, 2, 29), end=date(2012, 2, 29))


def test_the_29th_of_february_may_not_be_missing_in_a_leap_year(tmp_path: Path) -> None:
    text = knmi_daily(first=date(2012, 2, 1)).replace("\r\n", "\n")
    lines = [line for line in text.splitlines(keepends=True) if "20120229" not in line]
    with pytest.raises(DataFileError, match=r"2012-02-29T00:00:00 UTC \(24 h\) \(29 February of a leap year\)"):
        read(tmp_path, "".join(lines))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",7.5,", ",nan,", "line 8, column air_temp_c: 'nan' is not a number; expected a finite number"),
        (",7.5,", ",1e999,", "line 8, column air_temp_c: '1e999' is not a number"),
        (",7.5,", ",1_0,", "line 8, column air_temp_c: '1_0' is not a number"),
        (",7.5,", ",٧,", "line 8, column air_temp_c: '٧' is not a number"),
        (",7.5,", ",75,", r"line 8, column air_temp_c: '75' means 75 °C of air temperature.*expected -90 to 60 °C"),
        (",7.5,", ",7.5,3,", "line 8 has 15 fields, expected 14"),
        ("T07:00:00Z,7", "T07:30:00Z,7", "line 8: 2012-02-28T06:30:00 comes 5400 s after the row before it"),
        ("2012-02-28T07", "2012-02-30T07", "line 8, column time_utc_end: '2012-02-30T07:00:00Z' is not a date"),
        ("2012-02-28T07", "2012-02-28T06", "line 8 repeats the time 2012-02-28T05:00:00 of line 7"),
        (
            "air_temp_c",
            "air_temperature_k",
            "'air_temperature_k' does not name a unit.*expected air_temperature_c, in °C",
        ),
        ("air_temp_c", "air_temperature", "'air_temperature' does not name a unit"),
        ("air_temp_c", "dew_point_c", "names the column 'dew_point_c' twice"),
        ("air_temp_c", "tmean_c,air_temp_c", "line 2 has 14 fields, expected 15"),
        (
            "air_temp_c",
            "warmth",
            "gives no air_temperature .*; its columns are .*--column air_temperature=HEADING",
        ),
        ("sky_temp_c", "tmean_c", "the columns air_temp_c and tmean_c both give air_temperature"),
        ("time_utc_end", "time_local_end", "name its distance from UTC in hours by --utc-offset"),
        ("time_utc_end", "when", "no column of times that is known; its columns are .when."),
    ],
)
def test_the_error_names_line_column_text_and_remedy(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = shared_hourly()
    assert old in text
    with pytest.raises(DataFileError, match=message) as error:
        read(tmp_path, text.replace(old, new, 1))
    assert str(tmp_path / "weather.csv") in str(error.value)


def test_a_minimum_above_the_maximum_is_refused(tmp_path: Path) -> None:
    text = knmi_daily()
    first_row = text.splitlines()[5]
    swapped = first_row.replace("   40,  150,", "  150,   40,")
    assert swapped != first_row
    with pytest.raises(DataFileError, match=r"line 6: the minimum 15 °C \(column TN\) is above the maximum 4 °C"):
        read(tmp_path, text.replace(first_row, swapped))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \r\n \n", "the file is empty"),
        (bytes(range(256)), "binary data"),
        (b"\xff\xfet\x00i\x00", "UTF-16"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "a web page or XML"),
        (b"  <HTML><HEAD>", "a web page or XML"),
        (b'{"latitude": 52.0, "hourly": {"time": ["2020', "JSON is broken or incomplete"),
        (b'{"latitude": NaN}', "the JSON holds NaN"),
        (b'{"error": 1, "error": 2}', "the key 'error' twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"1" * 5000 + b"]", "of no format that is known"),
        (b"\x1f\x8b\x08garbage", "cannot be unpacked"),
        (gzip.compress(b"date,rain_mm\n" * 99, mtime=0)[:-12], "cannot be unpacked"),
        (b"PK\x03\x04 not an archive", "cannot be unpacked"),
        (b"PAR1 not a table", "not a readable Parquet table"),
        (b"a;b\n1;2\n", "no column of times that is known; its columns are .a., .b."),
    ],
)
def test_what_is_not_weather_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, content)


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.csv", tmp_path, "null\x00character"):
        with pytest.raises(DataFileError, match="cannot be"):
            read_weather(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "LARGEST", 1000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csv", b"0" * 10_000)
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"0" * 10_000))
    (tmp_path / "bomb.csv").write_bytes(b"0" * 10_000)
    for name in ("bomb.zip", "bomb.csv.gz", "bomb.csv"):
        with pytest.raises(DataFileError, match="holds more than"):
            read_weather(tmp_path / name)


def test_an_archive_with_several_files_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("one.txt", "1")
        archive.writestr("two.txt", "2")
    with pytest.raises(DataFileError, match=r"2 files \(one.txt, two.txt\); unpack it"):
        read_weather(tmp_path / "two.zip")


def test_what_is_asked_for_is_checked(tmp_path: Path) -> None:
    for arguments in (
        {"fill_gaps": -1},
        {"fill_gaps": float("nan")},
        {"require": ("warmth",)},
        {"first": "2012-02-28"},
        {"year": 12},
        {"utc_offset": 99},
    ):
        with pytest.raises(PhytotronError, match="expected"):
            read(tmp_path, shared_hourly(), **arguments)
    with pytest.raises(UnknownNameError, match="did you mean 'csv'"):
        read(tmp_path, shared_hourly(), format="cvs")


def test_formats_are_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "anything"
    path.write_text(knmi_hourly())
    assert detect_format(path) == "knmi"
    path.write_text(shared_hourly())
    assert detect_format(path) == "csv"
    assert set(FORMATS) == {"knmi", "nasa_power", "open_meteo", "epw", "cabo", "glgym", "csv", "parquet"}
