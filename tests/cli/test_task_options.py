"""Options of an environment as a user types them: wrong ones are one clear line."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from phytotron.cli import options as shared
from phytotron.cli import task_options
from phytotron.core import registry
from phytotron.core.errors import PhytotronError

GREENHOUSE, LETTUCE, INTERCROP = "phytotron/Greenhouse-v0", "phytotron/Lettuce-v0", "phytotron/Intercrop-v0"


def test_values_are_json_or_text() -> None:
    found = shared.environment_options(
        LETTUCE, ["doses=[0, 20]", "reward=additive", "start_day=60", 'prices={"fruit": 2}']
    )
    assert found == {"doses": [0, 20], "reward": "additive", "start_day": 60, "prices": {"fruit": 2}}


@pytest.mark.parametrize("text", ["[0, 20", '{"fruit": }', "{fruit: 2}", '"open', "[" * 100_000])
def test_what_is_meant_as_json_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(PhytotronError, match=r"--option prices: .* is not JSON \(.*\); write a list as"):
        shared.environment_options(LETTUCE, [f"prices={text}"])


@pytest.mark.parametrize(
    "options", [{"prices": 3}, {"parameter_overrides": [1]}, {"limits": "x"}, {"weather": {}}, {"precision": 5}]
)
def test_an_option_of_the_wrong_kind_is_one_line(options: dict[str, object]) -> None:
    with pytest.raises(PhytotronError):
        registry.make_environment(LETTUCE, options)


def test_a_file_of_parameters_is_what_it_says_and_options_beside_it_count_more(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "katzin2020_144m2"\n[parameters]\nfloor_area = 400\n[rules]\ntemperature_day = 21\n')
    asked = ['rules={"temperature_night": 17}']
    found = shared.environment_options(GREENHOUSE, asked, parameters=str(path))
    assert found == {
        "parameters": "katzin2020_144m2",
        "parameter_overrides": {"floor_area": 400},
        "rules": {"temperature_day": 21, "temperature_night": 17},
    }
    assert shared.environment_options(GREENHOUSE, [*asked, f"parameters={path}"]) == found
    assert shared.environment_options(GREENHOUSE, [], parameters="katzin2020_144m2") == {
        "parameters": "katzin2020_144m2"
    }


@pytest.mark.parametrize("name", ["run", "evaluate", "train", "tune", "oracle", "sweep", "check"])
def test_every_command_that_makes_an_environment_takes_a_file_of_parameters(name: str) -> None:
    module = importlib.import_module(f"phytotron.cli.{name}")
    assert "parameters" in inspect.signature(getattr(module, name)).parameters


def test_prices_are_named_numbers_of_tasks_that_have_them() -> None:
    assert task_options.price_option(["fruit=2,gas=0.3", "co2=0.1"], GREENHOUSE) == {
        "prices": {"fruit": 2.0, "gas": 0.3, "co2": 0.1}
    }
    assert task_options.price_option([], INTERCROP) == {}
    with pytest.raises(PhytotronError, match="--prices 'fruit'; expected NAME=NUMBER"):
        task_options.price_option(["fruit"], GREENHOUSE)
    with pytest.raises(PhytotronError, match="Intercrop-v0 has no prices; its options are"):
        task_options.price_option(["fruit=1"], INTERCROP)
