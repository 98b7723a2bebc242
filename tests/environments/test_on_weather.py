"""The parts of weather that tasks have, and the tasks on them."""

from typing import Any

import pytest

import phytotron
from phytotron.core.errors import PhytotronError

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


@pytest.mark.parametrize(
    ("id", "weather", "part", "words"),
    [
        ("phytotron/Lettuce-v0", "benchmark", "validation", "has no part 'validation'; name one of train, test"),
        ("phytotron/Lettuce-v0", "schiphol", "test", "has no part 'test'; name weather as SPLIT:PART"),
        ("phytotron/Greenhouse-v0", "schiphol", "test", "has no part 'test'; name weather as SPLIT:PART"),
    ],
)
def test_a_part_of_other_weather_is_refused(id: str, weather: str, part: str, words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        phytotron.make(id, weather=weather).on(part)
