"""`phytotron envs` and `phytotron describe`: tables for people, JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from registering import registered
from toy_environments import Countdown, RuledAiming

from phytotron.cli import describe
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import names
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.greenhouse.observations import PAPER
from phytotron.models.greenlight import Control, Parameters, State, Weather

GREENHOUSE = "phytotron/Greenhouse-v0"


def as_json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_envs_lists_every_id_with_the_first_line_of_its_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    describe.envs(json=False)
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert [GREENHOUSE, str(Greenhouse.__doc__).partition("\n")[0]] in lines
    describe.envs(json=True)
    assert GREENHOUSE in as_json(capsys)["environments"]


def test_a_name_that_cannot_be_imported_is_listed_with_its_error_among_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cracked_house.py").write_text("raise ValueError('no\\nlicence')")
    monkeypatch.syspath_prepend(tmp_path)
    with registered("broken/House-v0", "cracked_house:Shed"), registered("broken/Dict-v0", "builtins:dict"):
        describe.envs(json=False)
    lines = capsys.readouterr().out.splitlines()
    (cracked,) = (line for line in lines if line.startswith("broken/House-v0"))
    assert cracked.endswith("cannot be imported from cracked_house:Shed: ValueError: no licence")
    assert any(line.startswith("broken/Dict-v0 ") and "is the class dict; expected" in line for line in lines)
    assert any(line.startswith(GREENHOUSE) for line in lines)


def test_options_change_what_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    describe.describe("phytotron/Lettuce-v0", ["forecast=1"], json=True)
    found = as_json(capsys)
    assert found["options"]["forecast"] == 1 and len(found["fields"]["observation"]) == 16
    with pytest.raises(PhytotronError, match="greenlight is a model, which has no options; leave out --option"):
        describe.describe("greenlight", ["forecast=1"])


def test_an_environment_is_described_with_symbols_units_and_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    describe.describe(GREENHOUSE, json=True)
    result = as_json(capsys)
    fields = result["fields"]
    assert [each["name"] for each in fields["observation"]] == list(PAPER)
    assert fields["observation"][0] | {"description": ""} == {
        "name": "air_temperature", "symbol": "tAir", "unit": "°C", "description": "", "low": -60, "high": 150,
        "value": None,
    }  # fmt: skip
    assert [each["symbol"] for each in fields["action"]] == ["boil", "extCo2", "thScr", "roof"]
    floor = next(each for each in fields["model parameters"] if each["symbol"] == "aFlr")
    assert floor["value"] == 14000.0
    assert result["options"]["reward"] == "multiplicative"
    assert "Version history" in result["description"]
    for group in fields.values():
        assert all(each["symbol"] and each["unit"] and each["description"] for each in group)


def test_a_model_is_described_by_its_records(capsys: pytest.CaptureFixture[str]) -> None:
    describe.describe("greenlight", json=True)
    fields = as_json(capsys)["fields"]
    for each in (State, Control, Weather, Parameters):
        assert [q["name"] for q in fields[each.__name__]] == list(names(each))


@pytest.mark.parametrize("id", [GREENHOUSE, "greenlight"])
def test_the_tables_are_for_people(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    describe.describe(id, json=False)
    shown = capsys.readouterr().out
    assert "tAir" in shown and "°C" in shown and "symbol" in shown


def test_a_class_is_described_by_its_module_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    describe.describe("toy_environments:Corridor", json=True)
    assert as_json(capsys)["description"].startswith("Places 0 to 4")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'greenlight'"):
        describe.describe("grenlight")


def potted(weeks: int = 2) -> Countdown:
    """Count down for some weeks."""
    return Countdown()


def test_a_function_that_makes_an_environment_is_described_by_its_own_words_and_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    describe.describe(f"{__name__}:potted", ["weeks=3"], json=True)
    found = as_json(capsys)
    assert found["options"] == {"weeks": 3} and found["description"].startswith("Count down for some weeks")


def ruled(**options: Any) -> RuledAiming:
    return RuledAiming(**options)


def test_a_function_that_passes_options_on_is_described_by_the_class_that_it_makes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    describe.describe(f"{__name__}:ruled", ["bonus=2.0"], json=True)
    found = as_json(capsys)
    assert found["options"] == {"bonus": 2.0, "comment": "", "folder": None}
    assert found["description"].startswith("Aiming with a rule")
