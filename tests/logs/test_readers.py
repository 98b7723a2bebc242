"""Logs from files: what is read, and what bad files end in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from greenhouse_logs import CLIMATE, made_log, write_compartment

from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.units import CONVERSIONS
from phytotron.logs import EMBEDDED, LogError, compartment_names, read_compartment, read_csv_log
from phytotron.logs.variables import VARIABLES, conversion
from phytotron.weather.variables import VARIABLES as WEATHER_VARIABLES

MAPPING = """
[log]
name = "house"
source = "own"
licence = "own"
latitude = 52.0
longitude = 4.5
utc_offset = 2.0
time_column = "time"
time_format = "iso"
[columns]
air_temperature = { column = "T", unit = "°F" }
relative_humidity = { column = "RH", unit = "-" }
"""


def test_a_compartment_is_read_in_utc_with_pump_dosing_and_gaps(tmp_path: Path) -> None:
    write_compartment(tmp_path)
    assert compartment_names(tmp_path) == ("House",)
    log = read_compartment(tmp_path, "House")
    assert log.times[0] == np.datetime64("2022-01-31T23:00:00")
    assert log["heating_pump"][:2].tolist() == [0.0, 1.0]
    assert np.isnan(log["pipe_temperature"][0])
    assert log["pipe_temperature"][1] == 40.5
    assert log["co2_dosing"][:2].tolist() == [0.0, 1.0]
    assert all(np.isnan(log[name][2]) for name in ("air_temperature", "co2_dosing", "heating_pump"))
    assert log["net_longwave"][1] == -71.0
    assert log["plant_density"][0] == 90.0


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["2/1/2022 0:04,1,70,600,1,0,0,0,0,2,0,1", "2/1/2022 0:00,1,70,600,1,0,0,0,0,2,0,1"], "goes back"),
        (["2/1/2022 0:04,1,70,600,1,0,0,0,0,2,0,1", "2/1/2022 0:04,1,70,600,1,0,0,0,0,2,0,1"], "repeats"),
        (["2/1/2022 0:00,291,70,600,1,0,0,0,0,2,0,1", "2/1/2022 0:04,291,70,600,1,0,0,0,0,2,0,1"], "unit"),
    ],
)
def test_shuffled_and_repeated_times_and_wrong_units_are_refused(tmp_path: Path, rows: list[str], words: str) -> None:
    write_compartment(tmp_path, climate="\n".join([CLIMATE, *rows]))
    with pytest.raises(LogError, match=words):
        read_compartment(tmp_path, "House")


def test_a_missing_column_a_bad_number_and_a_bad_time_name_themselves(tmp_path: Path) -> None:
    path = write_compartment(tmp_path)
    good = path.read_text(encoding="utf-8")
    path.write_text(good.replace("CO2air", "CO2"), encoding="utf-8")
    with pytest.raises(LogError, match="CO2air"):
        read_compartment(tmp_path, "House")
    path.write_text(good.replace("18.1", "18,1", 1).replace("18,1", "x", 1), encoding="utf-8")
    with pytest.raises(DataFileError, match="Tair of row 2 is 'x'"):
        read_compartment(tmp_path, "House")
    path.write_text(good.replace("2/1/2022 0:04", "noon"), encoding="utf-8")
    with pytest.raises(DataFileError, match="row 3 is 'noon'"):
        read_compartment(tmp_path, "House")
    with pytest.raises(UnknownNameError, match="House"):
        read_compartment(tmp_path, "Hous")


def test_every_quantity_of_logs_and_weather_has_its_unit_in_the_one_table() -> None:
    for each in (*VARIABLES.values(), *WEATHER_VARIABLES.values()):
        assert (1.0, 0.0) in CONVERSIONS[each.unit].values(), each.name
    for name, unit, told in (
        ("air_temperature", "K", (1.0, -273.15)),
        ("par_above_crop", "µmol m-2 s-1", (1.0, 0.0)),
        ("par_above_crop", "umol/m²/s", (1.0, 0.0)),
        ("relative_humidity", "-", (100.0, 0.0)),
        ("wind_speed", "km h-1", (1.0 / 3.6, 0.0)),
        ("plant_density", "m-2", (1.0, 0.0)),
    ):
        assert conversion(name, unit) == pytest.approx(told), (name, unit)


def test_any_csv_is_read_by_a_mapping_with_units(tmp_path: Path) -> None:
    mapping, path = tmp_path / "columns.toml", tmp_path / "log.csv"
    mapping.write_text(MAPPING, encoding="utf-8")
    path.write_text("time,T,RH\n2022-06-01T12:00,68,0.7\n2022-06-01T12:05,,0.71\n", encoding="utf-8")
    log = read_csv_log(path, mapping)
    assert log.times[0] == np.datetime64("2022-06-01T10:00:00")
    assert log["air_temperature"][0] == pytest.approx(20.0)
    assert np.isnan(log["air_temperature"][1])
    assert log["relative_humidity"][1] == pytest.approx(71.0)
    with pytest.raises(LogError, match="co2"):
        log["co2"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("°F", "degrees", "unit of air_temperature"), ('"T"', '"T9"', "T9"), ("licence", "license", "licence"),
     ("air_temperature", "temperature", "air_temperature")],
)  # fmt: skip
def test_mistakes_in_a_mapping_name_themselves(tmp_path: Path, old: str, new: str, words: str) -> None:
    mapping, path = tmp_path / "columns.toml", tmp_path / "log.csv"
    mapping.write_text(MAPPING.replace(old, new, 1), encoding="utf-8")
    path.write_text("time,T,RH\n2022-06-01T12:00,68,0.7\n2022-06-01T12:05,,0.71\n", encoding="utf-8")
    with pytest.raises(PhytotronError, match=words):
        read_csv_log(path, mapping)


def test_a_date_is_a_day_of_the_clock_of_the_log() -> None:
    log = made_log()
    assert log.moment("2022-02-01", "--from") == np.datetime64("2022-01-31T23:00:00")
    assert log.moment("2022-02-01", "--until", end=True) == np.datetime64("2022-02-01T23:00:00")
    assert log.moment("20220201", "--until", end=True) == np.datetime64("2022-02-01T23:00:00")
    assert log.moment("2022-02-01T06:00", "--until", end=True) == np.datetime64("2022-02-01T05:00:00")
    with pytest.raises(ValueRangeError, match="--from"):
        log.moment("1 February", "--from")


def test_the_usual_time_between_rows_is_that_of_most_of_them() -> None:
    log = made_log(days=2)
    assert log.rows(np.arange(log.size) % log.size != 5).interval == log.interval
    early_and_late = (np.arange(log.size) < 20) | (np.arange(log.size) >= log.size - 20)
    assert log.rows(early_and_late).interval == log.interval == 300


def test_times_with_offsets_of_their_own_are_refused(tmp_path: Path) -> None:
    mapping, path = tmp_path / "columns.toml", tmp_path / "log.csv"
    mapping.write_text(MAPPING, encoding="utf-8")
    path.write_text("time,T,RH\n2022-06-01T12:00+02:00,68,0.7\n2022-06-01T12:05+02:00,,0.71\n", encoding="utf-8")
    with pytest.raises(PhytotronError, match=r"row 2 is .*an offset from UTC of its own"):
        read_csv_log(path, mapping)


def test_a_grid_bridges_short_gaps_alone() -> None:
    log = made_log(days=1)
    gappy = log["co2"].copy()
    gappy[10:12] = np.nan
    gappy[50:80] = np.nan
    log = made_log(days=1, co2=gappy)
    column = log.on_grid(log.times[0], log.size, 300, longest=600.0)["co2"]
    assert np.isfinite(column[10:12]).all()
    assert np.isnan(column[53:77]).all()


def test_the_rows_before_a_moment_know_nothing_of_those_after() -> None:
    log = made_log(days=2)
    early = log.before(log.times[288])
    assert early.size == 288
    assert early["co2"].tolist() == log["co2"][:288].tolist()
    with pytest.raises(LogError, match="begins"):
        log.before(log.times[0])


def test_the_embedded_month_is_small_and_carries_its_licence() -> None:
    (name,) = compartment_names(EMBEDDED)
    log = read_compartment(EMBEDDED, name)
    assert log.size > 28 * 280
    assert (EMBEDDED / "LICENSE").read_text(encoding="utf-8").startswith("Copyright 2023 Koidra Tech Inc.")
    assert sum(path.stat().st_size for path in EMBEDDED.iterdir()) <= 300_000
