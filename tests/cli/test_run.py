"""`phytotron run`, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.core.errors import PhytotronError

runner = CliRunner()
HOURS = ["phytotron/Greenhouse-v0", "--days", "0.25"]


def test_a_run_prints_what_it_came_to_and_writes_a_page(tmp_path: Path) -> None:
    result = runner.invoke(app, ["run", *HOURS, "--start", "2010-03-01", "--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for word in ("profit", "harvest", "gas", "CO₂", "electricity", "relative humidity within bounds"):
        assert word in result.stdout
    page = tmp_path / "index.html"
    assert result.stdout.strip().endswith(str(page))
    text = page.read_text(encoding="utf-8")
    assert "<svg" in text and "2010-03-01" in text and "http-equiv" not in text


def test_json_is_one_object_and_the_controller_matters(tmp_path: Path) -> None:
    profits = {}
    for controller in ("rule-based", "off"):
        result = runner.invoke(app, ["run", *HOURS, "--controller", controller, "--no-figure", "--json"])
        found = json.loads(result.stdout)
        assert found["controller"] == controller and "page" not in found
        profits[controller] = found["gas"]
    assert profits["rule-based"] > profits["off"] == 0.0


@pytest.mark.parametrize(
    "id", ["phytotron/WheatNitrogen-v0", pytest.param("phytotron/IntercropField-v0", marks=pytest.mark.slow)]
)
def test_any_environment_can_be_run(id: str, tmp_path: Path) -> None:
    result = runner.invoke(app, ["run", id, "--controller", "off", "--output", str(tmp_path), "--json"])
    assert result.exit_code == 0, (result.output, result.exception)
    found = json.loads(result.stdout)
    assert found["nitrogen"] == 0.0 < found["yield"] and "1977" in found["start"]
    assert id in Path(found["page"]).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_start_outside_the_training_weather_is_looked_for_in_what_comes_with_the_package() -> None:
    found = json.loads(runner.invoke(app, ["run", *HOURS, "--start", "2012-12-01", "--no-figure", "--json"]).stdout)
    assert found["start"] == "2012-12-01"


def test_an_unknown_environment_is_answered_with_the_nearest() -> None:
    assert "did you mean" in str(runner.invoke(app, ["run", "phytotron/Greenhose-v0"]).exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start", "yesterday"], "'yesterday'; expected one of 2008-03-01 to 2010-09-01"),
        (["--weather", "schiphol", "--start", "2013-03-01"], "one of 2008-01-01 to 2012-12-31"),
        (["--controller", "rulebased"], "did you mean 'rule-based'"),
        (["--weather", "greenlight_gym:test", "--start", "2001-03-01"], "fetch knmi --station 240"),
        (["--interval", "7"], "makes a day"),
    ],
)
def test_what_cannot_be_run_is_explained(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHYTOTRON_WEATHER", str(tmp_path))
    result = runner.invoke(app, ["run", *HOURS, *arguments])
    assert isinstance(result.exception, PhytotronError)
    assert message in str(result.exception)
