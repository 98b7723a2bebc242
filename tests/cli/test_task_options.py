"""Options of an environment as a user types them: wrong ones are one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from phytotron.cli import options as shared
from phytotron.cli import task_options
from phytotron.core import registry
from phytotron.core.errors import DataFileError, PhytotronError

GREENHOUSE, LETTUCE, INTERCROP = "phytotron/Greenhouse-v0", "phytotron/Lettuce-v0", "phytotron/Intercrop-v0"


def test_values_are_json_or_text() -> None:
    found = shared.environment_options(["doses=[0, 20]", "reward=additive", "start_day=60", 'prices={"fruit": 2}'])
    assert found == {"doses": [0, 20], "reward": "additive", "start_day": 60, "prices": {"fruit": 2}}


@pytest.mark.parametrize("text", ["[0, 20", '{"fruit": }', "{fruit: 2}", '"open', "[" * 100_000])
def test_what_is_meant_as_json_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(PhytotronError, match=r"--option prices: .* is not JSON \(.*\); write a list as"):
        shared.environment_options([f"prices={text}"])


@pytest.mark.parametrize(
    "options", [{"prices": 3}, {"parameter_overrides": [1]}, {"limits": "x"}, {"weather": {}}, {"precision": 5}]
)
def test_an_option_of_the_wrong_kind_is_one_line(options: dict[str, object]) -> None:
    with pytest.raises(PhytotronError):
        registry.make_environment(LETTUCE, options)


def test_a_file_of_parameters_has_options_and_numbers_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('parameters = "katzin2020_144m2"\nfloor_area = 400\n[rules]\ntemperature_day = 21\n')
    assert task_options.parameter_file(path, GREENHOUSE) == {
        "parameters": "katzin2020_144m2",
        "parameter_overrides": {"floor_area": 400},
        "rules": {"temperature_day": 21},
    }
    with pytest.raises(DataFileError, match=r"mine\.toml: parameters is no option of .*Intercrop-v0.*; known: doses"):
        task_options.parameter_file(path, INTERCROP)
    path.write_text("floor_area: 400")
    with pytest.raises(DataFileError, match=r"mine\.toml: is not a file of parameters in TOML.*write lines as"):
        task_options.parameter_file(path, GREENHOUSE)
    with pytest.raises(DataFileError, match="cannot be read"):
        task_options.parameter_file(tmp_path / "none.toml", GREENHOUSE)


def test_prices_are_named_numbers_of_tasks_that_have_them() -> None:
    assert task_options.price_option(["fruit=2,gas=0.3", "co2=0.1"], GREENHOUSE) == {
        "prices": {"fruit": 2.0, "gas": 0.3, "co2": 0.1}
    }
    assert task_options.price_option([], INTERCROP) == {}
    with pytest.raises(PhytotronError, match="--prices 'fruit'; expected NAME=NUMBER"):
        task_options.price_option(["fruit"], GREENHOUSE)
    with pytest.raises(PhytotronError, match="Intercrop-v0 has no prices; its options are"):
        task_options.price_option(["fruit=1"], INTERCROP)


def test_later_options_count_and_tables_are_put_together() -> None:
    assert task_options.merged({"a": 1, "prices": {"x": 1, "y": 1}}, {"prices": {"y": 2}}, {"a": 3}) == {
        "a": 3,
        "prices": {"x": 1, "y": 2},
    }
