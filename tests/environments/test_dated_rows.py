"""Weather in rows: times of rows, and the days on which episodes may start."""

import dataclasses
from datetime import date
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.environments.dated_rows import DatedRows, RowWeather
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.lettuce.model import Weather
from phytotron.environments.on_dated_rows import OnDatedRows
from phytotron.weather.archive import named_weather
from phytotron.weather.splits import Windows
from phytotron.weather.table import WeatherError, WeatherTable


def rows(interval: int, days: int = 3) -> DatedRows:
    return DatedRows(np.zeros((days * 86400 // interval, 1)), interval, 1, np.datetime64("2013-12-31"))


@pytest.mark.parametrize("interval", [90, 1800, 86400])
def test_rows_are_dated_to_the_second(interval: int) -> None:
    made = rows(interval)
    assert made.date(0) == np.datetime64("2014-01-01T00:00:00")
    assert made.date(made.rows_per_day + 1) == np.datetime64("2014-01-02T00:00:00") + np.timedelta64(interval, "s")


@pytest.mark.parametrize("interval", [0, 7000, 172800])
def test_an_interval_that_does_not_divide_a_day_is_refused(interval: int) -> None:
    with pytest.raises(ValueRangeError, match="a divisor of 86400 s"):
        DatedRows(np.zeros((9, 1)), interval, 1, np.datetime64("2013-12-31"))


def test_rows_last_from_every_day_that_starts_an_episode() -> None:
    held = rows(3600, days=3)  # an episode reads one row more than it has steps
    assert held.starting(np.array([1, 2]), steps=47).days.tolist() == [1, 2]
    with pytest.raises(ValueRangeError, match=r"is 2\.0; expected 1\.95833 at most"):
        held.starting(np.array([1, 2]), steps=48)


def test_days_are_taken_once() -> None:
    assert Lettuce(weather=[60, 50, 60]).starts().labels == ("2014-02-19", "2014-03-01")
    assert Lettuce(weather=np.array([50], np.uint8)).starts().labels == ("2014-02-19",)


def test_a_window_whose_start_the_weather_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    [(_, tables)] = named_weather("schiphol", "hourly")
    windows = Windows("schiphol", (date(2010, 3, 1), date(1990, 3, 1)), 40)
    monkeypatch.setattr("phytotron.environments.dated_rows.named_weather", lambda *_: [(windows, tables)])
    with pytest.raises(ValueRangeError, match="the start of a window in schiphol is '1990-03-01'"):
        Lettuce(weather="early:test")


def test_rows_of_a_table_with_too_few_columns_are_refused_by_name() -> None:
    [(_, tables)] = named_weather("schiphol", "hourly")
    short = dataclasses.replace(Lettuce.row_weather, of_table=lambda table: np.zeros((table.size, 3)))
    with pytest.raises(ShapeError, match=r"`of_table` returns has shape .* expected \(rows, 4\) \(radiation, "):
        short.choose(tables[0], None, 48, "me/Row-v0")


def test_rows_of_a_day_are_made_of_daily_weather() -> None:
    def of_table(table: WeatherTable) -> NDArray[Any]:
        return np.outer(table["air_temperature"], [0.0, 0.0, 1.0, 0.0])

    of_days = dataclasses.replace(Lettuce.row_weather, interval=86400, of_table=of_table)
    [(_, tables)] = named_weather("wageningen", "daily")
    for weather in ("wageningen", tables[0]):
        made = of_days.choose(weather, None, 40, "me/Row-v0")
        assert len(made.rows) == tables[0].size and made.rows[:, 2] == pytest.approx(tables[0]["air_temperature"])
    six_hours = dataclasses.replace(Lettuce.row_weather, interval=6 * 3600)
    with pytest.raises(WeatherError, match="is too coarse; this task needs steps of an hour or less"):
        six_hours.choose(tables[0], None, 40, "me/Row-v0")


def test_a_task_on_rows_dates_its_steps_without_saying_so() -> None:
    env = Lettuce(episode_days=1)
    assert env.timeline.steps_per_day == 48 and OnDatedRows.presentation.fget(env).timeline == env.timeline


def test_a_task_without_weather_of_its_own_takes_names_files_and_tables() -> None:
    named = RowWeather(Weather, 1800, Lettuce.row_weather.of_table)
    assert len(named.choose("embedded:test", None, 48, "me/Row-v0").days) == 6
    with pytest.raises(ValueRangeError, match="weather is 5; expected a name of weather, the path of a file"):
        named.choose(5, None, 48, "me/Row-v0")
