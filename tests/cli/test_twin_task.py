"""A calibrated greenhouse as a task: the commands of every controller, on the weather of the log itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from phytotron.calibration.twin_file import starting_twin, write_twin
from phytotron.cli import app
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.logs import EMBEDDED, compartment_names, read_compartment

TASK, DAY = "phytotron/Greenhouse-v0", "2022-02-21"
runner = CliRunner()


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a calibration, and beside its file the weather of its log."""
    folder = tmp_path_factory.mktemp("twin")
    log = read_compartment(EMBEDDED, compartment_names(EMBEDDED)[0])
    house, base = starting_twin("agc2022", log)
    write_twin(folder, house, base, {"log": log.name}, {})
    assert "27 days" in _run("log", "weather", "embedded", "--output", folder / "weather.csv.gz")
    return folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def _run(*arguments: object) -> str:
    result = runner.invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def _task(twin: Path, days: float) -> tuple[object, ...]:
    house = ("--parameters", twin, "--option", f"weather={twin / 'weather.csv.gz'}")
    return (TASK, *house, "--option", f"episode_days={days}")


@pytest.mark.slow
def test_a_run_on_a_twin_says_what_the_rules_use(twin: Path) -> None:
    asked = ("--start", DAY, "--no-figure", "--json")
    found = json.loads(_run("run", *_task(twin, 0.25), *asked))
    assert found["start"].startswith(DAY)
    assert found["gas"] > 0.0 and found["electricity"] > 0.0 and found["co2"] > 0.0
    published = json.loads(_run("run", *_task(twin, 0.25), "--parameters", "katzin2020_144m2", *asked))
    assert found["electricity"] != published["electricity"]


@pytest.mark.slow
def test_an_agent_is_trained_on_a_twin_and_acts_on_it(twin: Path, tmp_path: Path) -> None:
    settings = ("num_envs=4", "rollout=32", "minibatch=64", "epochs=1", "actor=[8]", "critic=[8]")
    small = ("--steps", 256, *(each for setting in settings for each in ("--set", setting)))
    _run("train", *_task(twin, 0.25), *small, "--output", tmp_path / "run")
    found = json.loads(_run("run", "--policy", tmp_path / "run", "--start", DAY, "--no-figure", "--json"))
    assert found["id"] == TASK and found["start"].startswith(DAY)


@pytest.mark.slow
def test_a_plan_made_with_hindsight_is_better_than_the_rules_on_a_twin(twin: Path) -> None:
    made: dict[str, Any] = json.loads(
        _run("oracle", *_task(twin, 0.25), "--start", DAY, "--iterations", 10, "--begin-from", "rule-based", "--json")
    )
    (window,) = made["windows"]
    assert window["oracle"]["return"] > window["rule-based"]["return"]


@pytest.mark.slow
def test_predictive_control_acts_on_a_twin(twin: Path) -> None:
    mpc = "mpc(horizon_hours=1, iterations=2)"
    found = json.loads(_run("run", *_task(twin, 0.125), "--controller", mpc, "--start", DAY, "--no-figure", "--json"))
    assert found["controller"] == mpc and found["gas"] >= 0.0
