"""Splits: the published windows, no overlap, what is missing with the command that brings it."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared

import phytotron
from phytotron.core.errors import PhytotronError, SharedDaysWarning, UnknownNameError, ValueRangeError
from phytotron.core.registry import Entry
from phytotron.weather.archive import (
    MissingWeatherError,
    files_behind,
    files_of,
    known_names,
    load_part,
    load_years,
    missing_of,
)
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.sources import write_weather
from phytotron.weather.splits import PARTS, SPLITS, Split, Windows, find_split, overlap, warn_of_shared_days


def test_the_greenhouse_paper_trains_on_2011_to_2020_and_tests_on_sixty_windows_of_2001_to_2010() -> None:
    split = find_split("greenlight_gym")
    (train,), (test,), (validation,) = split.train, split.test, split.validation
    assert train.years == tuple(range(2011, 2021))
    assert len(train.starts) == 10 * 185  # 1 March to 1 September
    assert (train.starts[0], train.starts[184]) == (date(2011, 3, 1), date(2011, 9, 1))
    assert test.years == tuple(range(2001, 2011))
    assert len(test.starts) == len(validation.starts) == 60
    days = {(start - date(start.year, 1, 1)).days for start in test.starts if start.year % 4}
    assert days == {59, 90, 120, 151, 181, 212}


def test_the_crop_paper_trains_on_odd_and_tests_on_even_years() -> None:
    split = find_split("cropgym")
    assert len(split.train) == 3
    assert {year % 2 for windows in split.train for year in windows.years} == {1}
    assert split.test[0].years == tuple(range(1990, 2022, 2))
    assert len(split.test[0].starts) == 16


def test_the_split_without_the_early_years_tests_before_and_after_training() -> None:
    split = find_split("schiphol")
    assert split.train[0].years == tuple(range(2011, 2021))
    assert split.test[0].years == (2008, 2009, 2010, 2021, 2022, 2023, 2024)


@pytest.mark.parametrize("name", SPLITS)
def test_no_day_is_both_learned_from_and_tested_on(name: str) -> None:
    split = SPLITS[name]
    assert overlap(split.train, split.test) is None
    assert overlap(split.validation, split.test) is None
    assert split.validation_within_train == (overlap(split.train, split.validation) is not None)


def test_a_split_that_overlaps_by_one_day_is_refused() -> None:
    train = (Windows("schiphol", (date(2011, 12, 25),), 10),)
    with pytest.raises(PhytotronError, match="train and test both hold 2012-01-03 of schiphol"):
        Split("mine", "", train, (), (Windows("schiphol", (date(2012, 1, 3),), 10),))
    Split("mine", "", train, (), (Windows("schiphol", (date(2012, 1, 4),), 10),))
    assert train[0].years == (2011, 2012)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ["embedded", "embedded_wheat"])
def test_what_is_embedded_needs_no_folder(name: str, part: str, tmp_path: Path) -> None:
    assert missing_of(find_split(name), PARTS, tmp_path) == []
    for windows, tables in load_part(name, part, tmp_path):
        for first, end in windows:
            table = next(each for each in tables if each.start.date() <= first < each.end.date())
            piece = table.window(first, end)
            assert all(np.isfinite(piece[column]).all() for column in piece.names)
            assert "filled" not in piece or piece["filled"].mean() < 0.05


def test_what_is_missing_is_listed_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(MissingWeatherError, match="fetch knmi --station 240 --years 2001-2010") as caught:
        load_part("greenlight_gym", "test", tmp_path)
    assert str(tmp_path) in str(caught.value)
    commands = [each.command for each in missing_of(find_split("cropgym_south"), ("test",), tmp_path)]
    assert commands == ["phytotron weather fetch power --latitude 48 --longitude 0 --years 1990-2020"]
    with pytest.raises(MissingWeatherError, match="holds 2008 to 2012 only"):
        load_years("schiphol", (2012, 2013), tmp_path)


def test_years_of_the_data_folder_are_found_joined_and_read_once_changed(tmp_path: Path) -> None:
    table = embedded_weather("schiphol")
    for year in (2008, 2009, 2011):
        piece = table.window(date(year, 1, 1), date(year + 1, 1, 1))
        write_weather(piece, tmp_path / "mine" / f"knmi_240_hourly_{year}.csv.gz")
    assert [each.first for each in files_of("knmi_240_hourly", tmp_path)] == [2008, 2009, 2011]
    first, second = load_years("knmi_240_hourly", (2011, 2009, 2008), tmp_path)
    assert (first.size, second.size) == (24 * (366 + 365), 24 * 365)
    assert np.array_equal(first["air_temperature"], table["air_temperature"][: first.size])
    assert [each.years for each in missing_of(find_split("schiphol"), ("test",), tmp_path)] == [
        (2010, 2021, 2022, 2023, 2024)
    ]


def test_a_changed_file_behind_a_part_of_a_split_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "knmi_240_hourly_2025.csv"
    path.touch()
    before = files_behind("schiphol:validation", "hourly", tmp_path)
    os.utime(path, (1.0, 1.0))
    assert before != files_behind("schiphol:validation", "hourly", tmp_path)
    assert files_behind("embedded:test", "hourly", tmp_path) == (str(tmp_path),)


def test_a_split_that_cannot_be_imported_does_not_hide_the_names_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SPLITS, "_entries", dict(SPLITS._entries))
    SPLITS.register("broken", "no_such_module:split")
    names = known_names("hourly", tmp_path)
    assert "embedded:test" in names and not any(name.startswith("broken") for name in names)


def test_the_shared_folder_serves_its_split() -> None:
    folder = shared("weather")
    assert missing_of(find_split("schiphol"), PARTS, folder) == []
    ((windows, tables),) = load_part("schiphol", "test", folder)
    assert [(table.start.year, table.end.year) for table in tables] == [(2008, 2011), (2021, 2025)]
    assert len(windows.starts) == 42


def test_unknown_names_and_empty_parts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'embedded'"):
        find_split("embeded")
    with pytest.raises(UnknownNameError, match="validation"):
        find_split("embedded").part("dev")
    with pytest.raises(ValueRangeError, match="has windows"):
        load_part("cropgym", "validation", tmp_path)
    with pytest.raises(ValueRangeError, match="knmi_240_hourly"):
        files_of("somewhere", tmp_path)


def split_of_months(days: int) -> Split:
    """Train from the first of two months on, test from their middle."""
    train, test = (Windows("schiphol", (date(2010, 4, day), date(2010, 5, day)), days) for day in (1, 15))
    return Split("months", "of one spring", (train,), (), (test,))


def test_episodes_that_outlast_the_windows_so_far_that_parts_share_days_are_warned_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SPLITS._entries, "months", Entry(split_of_months(10)))
    for weather, days in (("months:train", 14.0), ("schiphol", 300.0), ("generated:schiphol", 300.0)):
        warn_of_shared_days(weather, days)
    with pytest.warns(SharedDaysWarning, match="on months:train reach 2010-04-15 of schiphol, as those on months:test"):
        warn_of_shared_days("months:train", 14.5)
    with pytest.warns(SharedDaysWarning, match="to test on unseen days, shorten them"):
        phytotron.make("phytotron/Greenhouse-v0", weather="months:test", episode_days=25.0)
    with pytest.warns(SharedDaysWarning, match="25 days on months:train"):
        phytotron.make("phytotron/Lettuce-v0", weather="months:train", episode_days=25.0)


def test_validation_within_the_training_years_is_as_published() -> None:
    warn_of_shared_days("greenlight_gym:validation", 60.0)
