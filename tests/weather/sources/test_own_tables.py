"""Phytotron's own tables: CSV and Parquet."""

from __future__ import annotations

import builtins
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from weather_files import SHARED, SITE, shared_hourly, table

from phytotron.core.errors import DataFileError
from phytotron.weather.humid_air import co2_mole_fraction
from phytotron.weather.site import Site
from phytotron.weather.sources import detect_format, read_weather, write_weather
from phytotron.weather.table import WeatherTable
from phytotron.weather.variables import VARIABLES

SUFFIXES = (".csv", ".csv.gz", ".parquet")


def assert_same(one: WeatherTable, other: WeatherTable) -> None:
    assert (one.start, one.interval, one.site, one.provenance) == (
        other.start,
        other.interval,
        other.site,
        other.provenance,
    )
    assert one.names == other.names
    for name in one.names:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("interval", [300, 3600, 86400])
def test_what_is_written_reads_back_exactly(tmp_path: Path, suffix: str, interval: int) -> None:
    whole, path = table(interval), tmp_path / f"table{suffix}"
    write_weather(whole, path)
    assert detect_format(path) == ("parquet" if suffix == ".parquet" else "csv")
    assert_same(read_weather(path), whole)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_table_with_few_columns_or_days_that_start_at_noon_reads_back(tmp_path: Path, suffix: str) -> None:
    few = table(names=("air_temperature",))
    write_weather(few, tmp_path / f"few{suffix}")
    assert_same(read_weather(tmp_path / f"few{suffix}"), few)
    noon = table(3600, 96).window(datetime(2012, 2, 28, 12), datetime(2012, 3, 1, 12))
    write_weather(noon, tmp_path / f"noon{suffix}")
    assert_same(read_weather(tmp_path / f"noon{suffix}"), noon)


def test_device_arrays_are_written_too(tmp_path: Path) -> None:
    write_weather(jax.device_put(table()), tmp_path / "table.csv")
    assert_same(read_weather(tmp_path / "table.csv").select(table().names), table())


def test_the_csv_says_what_it_is(tmp_path: Path) -> None:
    write_weather(table(86400), tmp_path / "table.csv")
    lines = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# phytotron weather table: 1"
    assert "# interval: 86400" in lines and "# source: made up" in lines and "# rows: 48" in lines
    assert next(line for line in lines if not line.startswith("#")).startswith("date,air_temperature_c,")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# rows: 48\n", "# rows: 49\n", "has 48 rows, its header says 49"),
        ("# rows: 48\n", "", "the header has no line '# rows: ...'"),
        ("# latitude: ", "# breadth: ", "names a site but no latitude"),
        ("# latitude: ", "# latitude: x", "the header is wrong"),
        ("# interval: 3600", "# interval: 7", "the interval is 7 s"),
        ("table: 1", "table: 2", "reads tables of version 1"),
        ("# longitude: ", "# longitude: 999", "longitude of site"),
    ],
)
def test_a_header_that_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "table.csv"
    write_weather(table(), path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError, match=message):
        read_weather(path)


def test_every_cut_of_a_written_table_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_weather(table(rows=3), path)
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(DataFileError):
            read_weather(path)


def test_a_table_without_header_needs_a_site(tmp_path: Path) -> None:
    path = tmp_path / "weather.csv"
    path.write_text(shared_hourly())
    with pytest.raises(DataFileError, match=r"name the place: --place"):
        read_weather(path)
    read = read_weather(path, site=SITE)
    assert read.start == datetime(2012, 2, 28, tzinfo=UTC) and read.size == 48
    assert read["air_pressure"][0] == 101250.0 and read["cloud_cover"][8] == 1.0 and read["sky_temperature"][0] == -2.5
    (tmp_path / "knmi_240_made_up.csv").write_text(shared_hourly())
    assert read_weather(tmp_path / "knmi_240_made_up.csv").site.name == "Schiphol"


def test_local_times_need_their_distance_from_utc(tmp_path: Path) -> None:
    lines = ["time_local_start,glob_rad_w_m2,air_temp_c,vap_press_pa,wind_m_s,co2_mg_m3"]
    lines += [f"2010-01-01 {hour:02d}:00:00,0.0,5.0,700.0,3.0,750.0" for hour in range(24)]
    path = tmp_path / "local.csv"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataFileError, match="utc_offset="):
        read_weather(path, site=SITE)
    read = read_weather(path, site=SITE, utc_offset=1)
    assert read.start == datetime(2009, 12, 31, 23, tzinfo=UTC)
    assert read["co2"][0] == pytest.approx(co2_mole_fraction(5.0, 750.0))


def test_times_with_a_zone_become_utc(tmp_path: Path) -> None:
    path = tmp_path / "zone.csv"
    rows = [f"2010-01-01T{hour:02d}:00:00+01:00,5.0" for hour in range(5)]
    path.write_text("time,air_temperature_c\n" + "\n".join(rows) + "\n")
    read = read_weather(path, site=SITE, require=("air_temperature",))
    assert read.start == datetime(2009, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("offset", [None, 1.0])
def test_local_times_with_a_zone_need_no_offset_and_are_not_shifted_twice(
    tmp_path: Path, suffix: str, offset: float | None
) -> None:
    path, hours = tmp_path / f"zone{suffix}", np.arange("2009-12-31T23", "2010-01-01T04", dtype="datetime64[h]")
    if suffix == ".csv":
        rows = [f"2010-01-01T{hour:02d}:00:00+01:00,5.0" for hour in range(5)]
        path.write_text("time_local_start,air_temperature_c\n" + "\n".join(rows) + "\n")
    else:
        arrow = pytest.importorskip("pyarrow")
        times = arrow.array(hours.astype("datetime64[s]"), arrow.timestamp("s", "Europe/Amsterdam"))
        held = arrow.table({"time_local_start": times, "air_temperature_c": np.full(5, 5.0)})
        pytest.importorskip("pyarrow.parquet").write_table(held, path)
    read = read_weather(path, site=SITE, require=("air_temperature",), utc_offset=offset)
    assert read.start == datetime(2009, 12, 31, 23, tzinfo=UTC) and read.size == 5


@pytest.mark.parametrize(
    ("kind", "remedy"), [("time", "time_local_start"), ("time_utc_end", "time_local_end"), ("date", "leave it out")]
)
def test_an_offset_of_times_that_are_not_local_is_refused(tmp_path: Path, kind: str, remedy: str) -> None:
    path = tmp_path / "utc.csv"
    rows = [f"2010-01-0{day},5.0" for day in range(1, 5)]
    path.write_text(f"{kind},air_temperature_c\n" + "\n".join(rows) + "\n")
    with pytest.raises(DataFileError, match=remedy):
        read_weather(path, site=SITE, require=("air_temperature",), utc_offset=1)
    assert read_weather(path, site=SITE, require=("air_temperature",), utc_offset=0).size == 4


def test_days_with_other_names_read(tmp_path: Path) -> None:
    names = "date,irrad_j_m2_d,tmin_c,tmax_c,tmean_c,vap_kpa,wind2_m_s,rain_mm,flag,rain_missing"
    path = tmp_path / "days.csv"
    rows = [f"2010-02-{day:02d},5000000.0,-1.0,8.0,3.0,0.7,2.5,1.5,0,0" for day in range(1, 29)]
    path.write_text("\n".join([names, *rows]))
    read = read_weather(path, site=SITE)
    assert read.interval == 86400 and read["vapour_pressure"][0] == 700.0 and read["irradiation"][0] == 5e6
    assert "columns that are not used: rain_missing" in read.provenance.notes
    path.write_text("\n".join([names, rows[0].replace("02-01", "02-01T06:00:00")]))
    with pytest.raises(DataFileError, match="line 2: the date has a time of day"):
        read_weather(path, site=SITE)


def test_parquet_of_others_reads_given_a_site(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    times = np.arange("2010-01-01", "2010-01-02", dtype="datetime64[h]").astype("datetime64[ns]")
    columns: dict[str, Any] = {"time": times, "air_temperature_c": [None, *[4] * 23], "rain_mm": [0.1] * 24}
    parquet.write_table(pyarrow.table(columns), tmp_path / "other.parquet")
    read = read_weather(tmp_path / "other.parquet", site=SITE, require=("rain",))
    assert read.names == ("rain",) and read.start == datetime(2010, 1, 1, tzinfo=UTC)
    with pytest.raises(DataFileError, match="at the start"):
        read_weather(tmp_path / "other.parquet", site=SITE, require=("air_temperature",))
    for wrong, message in (
        ({"time": [None, *times[1:]]}, "row 1 has no time"),
        ({"rain_mm": ["x"] * 24}, "not a readable Parquet table"),
        ({"rain_mm": [float("inf")] * 24}, "row 1, column rain_mm: inf is not a number"),
        ({"time": [f"2010-01-01T{hour:02d}:61" for hour in range(24)]}, "row 1, column time: '2010-01-01T00:61'"),
    ):
        parquet.write_table(pyarrow.table(columns | wrong), tmp_path / "other.parquet")
        with pytest.raises(DataFileError, match=message):
            read_weather(tmp_path / "other.parquet", site=SITE)


def test_parquet_without_pyarrow_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_weather(table(), tmp_path / "table.parquet")
    imported = builtins.__import__

    def refuse(name: str, *rest: Any, **others: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return imported(name, *rest, **others)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(DataFileError, match=r"pip install 'phytotron\[weather\]'"):
        read_weather(tmp_path / "table.parquet")
    with pytest.raises(DataFileError, match=r"pip install 'phytotron\[weather\]'"):
        write_weather(table(), tmp_path / "another.parquet")


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    write_weather(table(), path)
    before = path.read_bytes()

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(DataFileError, match=r"cannot be written \(No space left on device\); free some space"):
        write_weather(table(rows=3), path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_name_or_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"use .csv, .csv.gz or .parquet"):
        write_weather(table(), tmp_path / "table.xlsx")
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DataFileError, match="cannot be written"):
        write_weather(table(), tmp_path / "file" / "table.csv")


def test_every_variable_has_a_column_name_of_its_own() -> None:
    from phytotron.weather.sources.vocabulary import HEADINGS, heading

    names = [heading(name) for name in VARIABLES]
    assert len(set(names)) == len(names) and set(names) <= set(HEADINGS)
    assert heading("irradiation") == "irradiation_j_m2" and heading("air_temperature") == "air_temperature_c"


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared weather")
@pytest.mark.parametrize("path", sorted((*SHARED.glob("hourly/*.csv*"), *SHARED.glob("daily/*.csv"))), ids=str)
def test_all_shared_tables_read(path: Path) -> None:
    local = 1.0 if "bleiswijk" in path.name else None
    # The rows of September 1987 hold status codes in place of values: minimum 3, maximum 1.
    end = date(1978, 8, 31) if "haarweg" in path.name else None
    site = None if path.name.startswith("knmi") else Site(path.stem, 52.0, 5.0)
    read = read_weather(path, site=site, utc_offset=local, end=end)
    assert all(np.isfinite(column).all() for column in read.columns.values())
    assert read.interval == (3600 if path.parent.name == "hourly" else 86400)


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared weather")
def test_eighteen_years_of_hours_read_in_seconds() -> None:
    began = time.perf_counter()
    read = read_weather(SHARED / "hourly" / "knmi_240_schiphol_hourly_2008_2025.csv.gz")
    assert read.size > 150_000
    assert time.perf_counter() - began < 20.0  # 2 s on a quiet core
