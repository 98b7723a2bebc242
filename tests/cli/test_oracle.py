"""`phytotron oracle`, and what its plans are used for."""

from __future__ import annotations

import json
import re
import shlex
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
    found = json.loads(judged.stdout)
    assert found["measures"]["return"]["mean"] == pytest.approx(said["mean"]["oracle"]["return"])
    assert found["attainable"]["measures"]["return"]["share"] == pytest.approx(1.0)


@pytest.mark.slow
def test_the_table_has_a_row_for_every_window_and_one_for_their_mean() -> None:
    result = runner.invoke(app, ["oracle", *TASK, "--iterations", "10", "--start", "2014-02", "--terminal-value"])
    assert result.exit_code == 0, (result.output, result.exception)
    assert "2014-02-09" in result.stdout and "mean" in result.stdout and "-terminal.npz" in result.stdout


SEVERAL = ["phytotron/Lettuce-v0", "--option", "episode_days=1", "--option", "weather=[40, 60, 80]"]


@pytest.mark.slow
def test_the_share_of_what_is_attainable_is_told_and_only_the_windows_of_an_evaluation_need_plans() -> None:
    judged = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "off", "--episodes", "2"])
    assert judged.exit_code == 0, (judged.output, judged.exception)
    assert "share of return" not in judged.stdout
    remedy = judged.stdout.strip().splitlines()[-1].partition("make plans: ")[2]
    words = shlex.split(remedy)
    assert words == ["phytotron", "oracle", *SEVERAL, "--episodes", "2"]
    made = runner.invoke(app, [*words[1:], "--iterations", "20"])
    assert made.exit_code == 0, (made.output, made.exception)
    judged = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "oracle", "--episodes", "2"])
    assert judged.exit_code == 0, (judged.output, judged.exception)
    assert re.search(r"share of return +│ +100 │", judged.stdout) and "make plans" not in judged.stdout
    judged = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "rule-based", "--json"])
    said = json.loads(judged.stdout)["attainable"]
    assert (said["baseline"], said["windows"]) == ("rule-based", 2)
    assert said["measures"]["return"]["share"] == pytest.approx(0.0, abs=1e-6)
    assert list(said["measures"]["return"]["per_window"]) == ["2014-02-09", "2014-03-21"]
    part = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "rule-based"])
    assert "on the 2 of 3 windows that have plans" in part.stdout and "make plans" in part.stdout
    without = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "off", "--no-attainable", "--json"])
    assert "attainable" not in json.loads(without.stdout)
    refused = runner.invoke(app, ["evaluate", *SEVERAL, "--controller", "oracle"])
    assert "1 of 3 starts have no plan, the first being 2014-03-01" in str(refused.exception)


def test_without_plans_the_remedy_is_named() -> None:
    result = runner.invoke(app, ["evaluate", *TASK, "--controller", "oracle"])
    assert result.exit_code != 0
    assert "make them with `phytotron oracle`" in str(result.exception)
