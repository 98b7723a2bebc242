"""Environments on weather that is asked for: parts, names, and what the user chooses on it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from registering import registered
from weather_parts import PartedAiming

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.registry import Entry, make_environment
from phytotron.environments.greenhouse import Greenhouse
from phytotron.evaluation.other_weather import environment_on, weather_options
from phytotron.weather.archive import MissingWeatherError
from phytotron.weather.fetching.cache import FOLDER_VARIABLE
from phytotron.weather.splits import SPLITS, Split, Windows

GREENHOUSE = "phytotron/Greenhouse-v0"
PARTED = "weather_parts:PartedAiming"
SHORT = {"episode_days": 1.0}


@pytest.fixture
def no_weather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder of weather, so that only embedded weather is at hand."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))


@pytest.mark.usefixtures("no_weather")
@pytest.mark.parametrize("asked", [{"weather": "test"}, {"split": "test"}])
def test_a_part_is_that_of_the_weather_that_is_named_or_an_error(asked: dict[str, str]) -> None:
    with pytest.raises(MissingWeatherError, match="get it with"):
        environment_on(GREENHOUSE, SHORT | {"weather": "greenlight_gym:train"}, {}, **asked)


@pytest.mark.usefixtures("no_weather")
def test_a_part_of_a_split_of_ones_own_is_found_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    train, test = ((Windows("schiphol", (date(year, 3, 1),), 10),) for year in (2009, 2010))
    monkeypatch.setitem(SPLITS._entries, "mine", Entry(Split("mine", "two springs", train, (), test)))
    env, options = environment_on(GREENHOUSE, SHORT | {"weather": "mine:train"}, {}, weather="test")
    assert env.weather_name == options["weather"] == "mine:test"


def test_what_the_user_chooses_holds_on_other_weather_and_what_a_run_had_does_not() -> None:
    assert weather_options(GREENHOUSE) == {"weather", "years", "first_day", "start_day"}
    trained_with = SHORT | {"weather": "greenlight_gym:train", "years": [2011]}
    every, options = environment_on(GREENHOUSE, trained_with, {}, weather="schiphol")
    assert options == SHORT | {"weather": "schiphol"}
    some, options = environment_on(GREENHOUSE, trained_with, {"first_day": [60, 70]}, weather="schiphol")
    assert options == SHORT | {"weather": "schiphol", "first_day": [60, 70]}
    labels = some.starts().labels
    assert 10 < len(labels) < len(every.starts().labels)
    assert make_environment(GREENHOUSE, options).starts().labels == labels


def test_years_of_other_weather_are_those_of_that_weather() -> None:
    env, _ = environment_on(GREENHOUSE, {}, SHORT | {"years": [2012]}, weather="schiphol")
    assert {label[:4] for label in env.starts().labels} == {"2012"}


def test_what_does_not_suit_a_part_is_refused_instead_of_being_dropped() -> None:
    with pytest.raises(PhytotronError, match="first_day"):
        environment_on(GREENHOUSE, {}, SHORT | {"first_day": [1, 2]}, split="test")


def test_tasks_of_others_are_put_on_their_parts() -> None:
    env, options = environment_on(PARTED, {"shots": 3}, {}, weather="test")
    assert isinstance(env, PartedAiming) and (env.weather, env.shots) == ("test", 3)
    assert options == {"shots": 3, "weather": "test"}
    with pytest.raises(UnknownNameError, match="part of the weather of"):
        environment_on(PARTED, {}, {}, split="exam")


def test_options_say_on_which_weather_a_function_has_put_its_task() -> None:
    id = "weather_parts:parted"
    for asked in ({"weather": "test"}, {"split": "test"}, {"weather": "validation"}):
        env, options = environment_on(id, {"weather": "train"}, {"shots": 3}, **asked)
        assert options == {"shots": 3, "weather": env.weather} and env.weather in asked.values()
    assert environment_on(id, {}, {"shots": 3}, split="test")[1] == {"shots": 3}


def test_what_the_user_chooses_holds_also_where_a_function_makes_the_task() -> None:
    id = "test/Springs-v0"
    with registered(id, lambda **options: Greenhouse(**options)):
        env, options = environment_on(id, {"years": [2009]}, SHORT | {"years": [2008]}, weather="schiphol")
        assert options == SHORT | {"years": [2008], "weather": "schiphol"}
        assert {label[:4] for label in env.starts().labels} == {"2008"}
        env, options = environment_on(id, SHORT | {"years": [2009]}, {}, split="train")
        assert options == SHORT and len({label[:4] for label in env.starts().labels}) == 3


@pytest.mark.parametrize("asked", [{"weather": "autumn"}, {"split": "autumn"}, {"weather": "mild:autumn"}])
def test_parts_may_have_names_of_their_own(asked: dict[str, str]) -> None:
    env, options = environment_on("weather_parts:SeasonalAiming", {}, {}, **asked)
    assert env.weather_name == "mild:autumn" and options == {"weather": "mild:autumn"}


def test_weather_of_training_that_has_no_name_here_is_refused_with_a_remedy() -> None:
    for asked in ({}, {"weather": "test"}):
        with pytest.raises(PhytotronError, match=r"unknown weather 'somewhere'.*--weather SPLIT:PART"):
            environment_on(GREENHOUSE, SHORT | {"weather": "somewhere"}, {}, **asked)
    env, _ = environment_on(GREENHOUSE, SHORT | {"weather": "somewhere"}, {}, weather="embedded:test")
    assert env.weather_name == "embedded:test"


def test_part_and_weather_are_not_both_named() -> None:
    with pytest.raises(PhytotronError, match="give one of them"):
        environment_on(GREENHOUSE, {}, {}, "test", "schiphol")
