"""The parts of weather that tasks have, and the tasks on them."""

from typing import Any

import pytest

import phytotron
from phytotron.core.errors import PhytotronError
from phytotron.weather.archive import named_weather

OWN, SPLIT = ("train", "test"), ("train", "validation", "test")


@pytest.mark.parametrize(
    ("id", "weather", "parts", "test"),
    [
        ("phytotron/Lettuce-v0", "benchmark", OWN, "benchmark"),
        ("phytotron/Lettuce-v0", "generated:schiphol", OWN, "benchmark"),
        ("phytotron/Lettuce-v0", [90, 140], (), "benchmark"),
        ("phytotron/Lettuce-v0", "embedded:train", SPLIT, "embedded:test"),
        ("phytotron/Greenhouse-v0", "embedded:train", SPLIT, "embedded:test"),
        ("phytotron/Greenhouse-v0", "generated:schiphol", SPLIT, "embedded:test"),
    ],
)
def test_parts_belong_to_the_weather(id: str, weather: Any, parts: tuple[str, ...], test: str) -> None:
    env = phytotron.make(id, weather=weather)
    assert env.parts == parts
    assert env.on("test").weather == test
    assert all(env.on(part).parts == parts for part in parts)


def test_a_part_of_other_weather_is_refused() -> None:
    lettuce = phytotron.make("phytotron/Lettuce-v0")
    with pytest.raises(PhytotronError, match="has no part 'validation'; name one of train, test"):
        lettuce.on("validation")
    [(_, tables)] = named_weather("schiphol", "hourly")
    with pytest.raises(PhytotronError, match="has no part 'test'; name weather as SPLIT:PART"):
        phytotron.make("phytotron/Lettuce-v0", weather=tables[0]).on("test")


@pytest.mark.parametrize("id", ["phytotron/Lettuce-v0", "phytotron/Greenhouse-v0"])
def test_a_whole_series_has_no_parts_although_a_split_has_its_name(id: str) -> None:
    env = phytotron.make(id, weather="schiphol")  # 2008 to 2012, some of which schiphol:test has as well
    assert env.parts == ()
    with pytest.raises(PhytotronError, match="has no part 'test'; name weather as SPLIT:PART"):
        env.on("test")
