"""The lettuce task behind Gymnasium and the commands, which know of it through the contract alone."""

from __future__ import annotations

import json
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.core.compilation import CACHE_VARIABLE

ID = "phytotron/Lettuce-v0"
DAY = ["--option", "episode_days=1"]
runner = CliRunner()


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    check_env(gymnasium.make(ID, episode_days=1).unwrapped)


def test_a_batch_goes_as_its_single_environments_do() -> None:
    batch = gymnasium.make_vec(ID, num_envs=3, weather="train")
    single = gymnasium.make(ID, weather="train")
    observations, _ = batch.reset(seed=5)
    first, _ = single.reset(seed=6)
    assert observations[1] == pytest.approx(first, rel=1e-6)
    for _ in range(3):
        observations, rewards, *_ = batch.step(np.full((3, 3), 0.5, np.float32))
        observation, reward, *_ = single.step(np.full(3, 0.5, np.float32))
        assert observations[1] == pytest.approx(observation, rel=1e-5)
        assert rewards[1] == pytest.approx(reward, rel=1e-3, abs=1e-6)
    batch.close()


@pytest.mark.parametrize(("controller", "heat"), [("rule-based", None), ("constant", 1.2), ("off", 0.03)])
def test_a_run_gives_what_the_controller_used(controller: str, heat: float | None) -> None:
    result = runner.invoke(app, ["run", ID, "--days", "1", "--controller", controller, "--no-figure", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["start"] == "2014-02-09" and found["length"] == 48
    assert heat is None or found["heat"] == pytest.approx(heat, rel=1e-5)


@pytest.mark.slow
def test_every_command_works_through_the_contract_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    out = str(tmp_path / "ppo")
    for arguments in (
        ["describe", ID],
        ["check", ID, *DAY],
        ["run", ID, *DAY, "--output", str(tmp_path / "run")],
        ["speed", ID, "--num-envs", "4", "--seconds", "0.1"],
        ["tune", ID, *DAY, "--candidates", "4", "--rounds", "1", "--episodes", "2"],
        ["train", ID, *DAY, "--steps", "4096", "--output", out],
        ["evaluate", "--policy", out, "--split", "test"],
        ["oracle", ID, *DAY, "--split", "test", "--iterations", "10"],
        ["report", out, "--output", str(tmp_path / "report")],
    ):
        result = runner.invoke(app, arguments)
        assert result.exit_code == 0, (arguments, result.output, result.exception)
    page = next((tmp_path / "report").glob("*.html")).read_text(encoding="utf-8")
    assert "Lettuce greenhouse" in page and "rule-based" in page
