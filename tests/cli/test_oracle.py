"""`phytotron oracle`, and what its plans are used for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.core.compilation import CACHE_VARIABLE

runner = CliRunner()
TASK = ["phytotron/Lettuce-v0", "--option", "episode_days=1"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def test_plans_are_made_kept_and_followed() -> None:
    made = runner.invoke(app, ["oracle", *TASK, "--iterations", "30", "--json"])
    assert made.exit_code == 0, (made.output, made.exception)
    said = json.loads(made.stdout)
    assert said["baseline"] == "rule-based" and Path(said["plans"]).is_file()
    (window,) = said["windows"]
    assert window["start"] == "2014-02-09" and window["oracle"]["return"] > window["rule-based"]["return"]
    judged = runner.invoke(app, ["evaluate", *TASK, "--controller", "oracle", "--json"])
    assert judged.exit_code == 0, (judged.output, judged.exception)
    assert json.loads(judged.stdout)["measures"]["return"]["mean"] == pytest.approx(said["mean"]["oracle"]["return"])


def test_the_table_has_a_row_for_every_window_and_one_for_their_mean() -> None:
    result = runner.invoke(app, ["oracle", *TASK, "--iterations", "10", "--start", "2014-02", "--terminal-value"])
    assert result.exit_code == 0, (result.output, result.exception)
    assert "2014-02-09" in result.stdout and "mean" in result.stdout and "-terminal.npz" in result.stdout


def test_without_plans_the_remedy_is_named() -> None:
    result = runner.invoke(app, ["evaluate", *TASK, "--controller", "oracle"])
    assert result.exit_code != 0
    assert "make them with `phytotron oracle`" in str(result.exception)
