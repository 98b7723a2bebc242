"""Weather by name, as greenhouses and fields get it."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phytotron
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError, ValueRangeError
from phytotron.weather.archive import named_weather, series_in
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.field_weather import named_field_weather
from phytotron.weather.greenhouse_weather import named_greenhouse_weather
from phytotron.weather.sources import read_weather, write_weather
from phytotron.weather.splits import find_split
from phytotron.weather.table import WeatherError


def test_an_embedded_series_is_one_table_without_windows() -> None:
    for name, step, interval in (("schiphol", "hourly", 3600), ("wageningen", "daily", SECONDS_PER_DAY)):
        ((windows, (table,)),) = named_weather(name, step)
        assert windows is None and table.interval == interval


def test_a_part_of_a_split_brings_its_windows() -> None:
    ((windows, tables),) = named_weather("embedded:test", "hourly")
    assert windows == find_split("embedded").test[0]
    assert [table.start.year for table in tables] == [2012]


def test_a_greenhouse_starts_where_the_windows_do_and_else_on_any_day() -> None:
    weather, days = named_greenhouse_weather("embedded:test")
    starts = [str(start) for start in find_split("embedded").test[0].starts]
    assert weather.dates[days].astype(str).tolist() == starts
    weather, days = named_greenhouse_weather("schiphol")
    assert np.array_equal(days, np.arange(weather.days))


def test_what_is_generated_has_hours_for_greenhouses_and_more_years_of_days_for_fields() -> None:
    for step, interval, years in (("hourly", 3600, 10), ("daily", SECONDS_PER_DAY, 100)):
        ((windows, (table,)),) = named_weather("generated:schiphol", step)
        assert windows is None and (table.interval, table.end.year - table.start.year) == (interval, years)


@pytest.mark.parametrize("resolve", [named_greenhouse_weather, named_field_weather])
@pytest.mark.parametrize("name", ["moon", "moon:train", "generated:moon"])
def test_an_unknown_name_is_answered_with_known_ones(resolve: Any, name: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"unknown weather '{name}'; (known: .*schiphol|did you mean)"):
        resolve(name)


def test_hours_and_days_are_not_mixed_up() -> None:
    wanted = "'embedded_wheat:train' is daily, and hourly weather is needed here; did you mean 'embedded:train'"
    with pytest.raises(PhytotronError, match=wanted):
        named_greenhouse_weather("embedded_wheat:train")
    wanted = "'embedded:train' is hourly, and daily weather is needed here; did you mean 'embedded_wheat:train'"
    with pytest.raises(PhytotronError, match=wanted):
        named_field_weather("embedded:train")


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """A data folder with two weeks that follow each other, and a third after a gap."""
    table = embedded_weather("schiphol")
    for first, year in ((1, "2010"), (8, "2010_2010"), (20, "2011")):
        week = table.window(date(2010, 3, first), date(2010, 3, first + 7))
        write_weather(week, tmp_path / f"my_farm_hourly_{year}.csv.gz")
    return tmp_path


def test_an_imported_series_is_known_by_its_name_with_and_without_its_step(farm: Path) -> None:
    assert list(series_in(farm)) == ["my_farm_hourly"]
    (farm / "costs_daily.csv").write_text("what,euro\nwater,3\n")
    assert list(series_in(str(farm))) == ["my_farm_hourly"]  # type: ignore[arg-type]
    for name in ("my_farm_hourly", "my_farm"):
        ((windows, tables),) = named_weather(name, "hourly", farm)
        assert windows is None and [table.size for table in tables] == [14 * 24, 7 * 24]
    weather, days = named_greenhouse_weather("my_farm", farm)
    assert weather.days == 21 and days.size == 21
    with pytest.raises(UnknownNameError, match="did you mean 'my_farm_hourly'"):
        named_weather("my_farm_horly", "hourly", farm)


def test_a_series_is_known_by_its_name_also_where_its_files_name_the_station(tmp_path: Path) -> None:
    week = embedded_weather("schiphol").window(date(2010, 3, 1), date(2010, 3, 8))
    write_weather(week, tmp_path / "knmi_240_schiphol_hourly_2010.csv")
    assert list(series_in(tmp_path)) == ["knmi_240_hourly"]
    for name in ("knmi_240_hourly", "knmi_240"):
        ((_, (table,)),) = named_weather(name, "hourly", tmp_path)
        assert table.size == 7 * 24


def test_a_file_is_a_name_too_and_read_again_when_it_has_changed(farm: Path) -> None:
    path = farm / "week.csv"
    table = embedded_weather("schiphol").window(date(2010, 3, 1), date(2010, 3, 8))
    write_weather(table, path)
    assert named_greenhouse_weather(str(path), farm)[0].days == 7  # an absolute path, beside a data folder
    assert named_greenhouse_weather(str(path))[0].days == 7
    write_weather(table.window(date(2010, 3, 1), date(2010, 3, 4)), path)
    os.utime(path, ns=(1, 1))
    assert named_greenhouse_weather(str(path))[0].days == 3
    with pytest.raises(DataFileError, match=r"missing\.csv: the file cannot be opened.*check the path$"):
        named_greenhouse_weather(str(farm / "missing.csv"))


def test_a_file_that_must_be_described_first_names_the_command_that_does_it(tmp_path: Path) -> None:
    path = tmp_path / "my station.csv"
    path.write_text("when,TEMP_C\n2010-01-01T00:00,3.0\n2010-01-01T01:00,3.1\n", encoding="utf-8")
    told = r"--column time=when .*phytotron weather import '.*my station\.csv' --name NAME`.*for --weather NAME$"
    with pytest.raises(DataFileError, match=told):
        named_weather(str(path), "hourly")


def test_environments_take_a_file_or_an_imported_name_and_start_where_it_does(farm: Path) -> None:
    for weather in (farm / "my_farm_hourly_2011.csv.gz", str(farm / "my_farm_hourly_2011.csv.gz")):
        env = phytotron.make("phytotron/Greenhouse-v0", weather=weather, episode_days=5)
        assert env.starts().labels == ("2010-03-20", "2010-03-21", "2010-03-22")
        assert env.weather_name == str(weather)
    env = phytotron.make("phytotron/Greenhouse-v0", weather="my_farm", weather_folder=farm, episode_days=5)
    assert env.starts().labels[0] == "2010-03-01" and len(env.starts().labels) == 13
    setpoint = phytotron.make("phytotron/GreenhouseSetpoint-v0", weather="my_farm", weather_folder=farm, episode_days=5)
    assert setpoint.starts().labels[0] == "2010-03-01"


def test_lettuce_takes_a_file_by_the_half_hour(farm: Path) -> None:
    path = farm / "my_farm_hourly_2011.csv.gz"
    env = phytotron.make("phytotron/Lettuce-v0", weather=path, episode_days=5)
    assert env.starts().labels == ("2010-03-20", "2010-03-21") and env.parts == ()  # the last row closes an episode
    rows, table = np.asarray(env.default_params.weather), read_weather(path)
    assert rows.shape == (2 * table.size, 4)
    assert np.allclose(rows[::2, 2], table["air_temperature"], atol=1e-5)
    assert np.allclose(rows[::2, 0], table["global_radiation"], rtol=1e-6)
    named = phytotron.make("phytotron/Lettuce-v0", weather="embedded:test")
    assert named.starts().labels[0] == "2012-03-01" and named.on("test").weather == "embedded:test"
    with pytest.raises(WeatherError, match=r"2 stretches of weather; .* a split whose years follow each other"):
        phytotron.make("phytotron/Lettuce-v0", weather="my_farm", weather_folder=farm)
    with pytest.raises(ValueRangeError, match=r"episode_days, .* is 40.0; expected 6.97917 at most"):
        phytotron.make("phytotron/Lettuce-v0", weather=path)
    with pytest.raises(UnknownNameError, match="unknown weather of phytotron/Lettuce-v0 'moon'"):
        phytotron.make("phytotron/Lettuce-v0", weather="moon")


def test_fields_take_a_file(tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    write_weather(embedded_weather("wageningen").window(date(1980, 1, 1), date(1981, 1, 1)), path)
    env = phytotron.make("phytotron/WheatNitrogen-v0", weather=str(path))
    assert env.starts().labels == ("Wageningen (Haarweg) 1980",)


def test_weather_that_is_held_for_all_cannot_be_written_to() -> None:
    for held in (named_field_weather("embedded_wheat:train"), named_greenhouse_weather("schiphol")[0]):
        with pytest.raises(ValueError, match="read-only"):
            held.values[...] += 1.0
