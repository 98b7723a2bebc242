"""`phytotron reproduce`: what goes to stdout and to the folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest

from phytotron.cli import main
from phytotron.papers import registry
from phytotron.papers.result import Result, Row, Settings

Command = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def experiment(settings: Settings) -> Result:
    """Stands in for a long one."""
    settings.progress("working", 0.5)
    rows = (Row("setting", "tAir", "%", 1.25, 0.25, 1.5, 0.5), Row("setting", "vpAir", "%", None, paper=1.0))
    return Result("A title", "the paper", rows, ("A note [of a kind].",))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command line in this process, with one more experiment, and returns its exit code."""
    modules = {"experiments.table": {"table": lambda settings: experiment(settings)}, "figures": {}}
    for name, content in modules.items():
        monkeypatch.setitem(sys.modules, f"phytotron.papers.paper.{name}", SimpleNamespace(**content))
    extra = registry.Experiment("paper/table", "a stand-in", agents=False)
    monkeypatch.setattr(registry, "EXPERIMENTS", MappingProxyType({**registry.EXPERIMENTS, extra.name: extra}))

    def run(*arguments: str | Path) -> int:
        monkeypatch.setattr(sys, "argv", ["phytotron", "reproduce", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0)

    return run


def test_without_a_name_all_are_listed(command: Command, capsys: Capture) -> None:
    assert command() == 0
    shown = capsys.readouterr().out
    assert "greenlight-gym/table9" in shown and "greenlight-gym/figure2" in shown


def test_the_list_as_json(command: Command, capsys: Capture) -> None:
    assert command("--json") == 0
    assert "greenlight-gym/table11" in json.loads(capsys.readouterr().out)


def test_an_unknown_name_is_one_line_and_exit_2(command: Command, capsys: Capture) -> None:
    assert command("greenlight-gym/figure22") == 2
    assert "did you mean 'greenlight-gym/figure2'" in capsys.readouterr().err


def test_a_missing_weather_folder_is_refused(command: Command, tmp_path: Path, capsys: Capture) -> None:
    assert command("paper/table", "--weather", tmp_path / "none") == 2
    assert "there is no such folder" in capsys.readouterr().err


def test_the_papers_number_stands_beside_ours(command: Command, tmp_path: Path, capsys: Capture) -> None:
    assert command("paper/table", "--output", tmp_path / "made") == 0
    shown = capsys.readouterr().out
    assert "1.50 ± 0.50" in shown and "1.25 ± 0.25" in shown and "-0.250" in shown
    assert "not finite" in shown and "A note [of a kind]." in shown
    assert [path.name for path in (tmp_path / "made" / "paper" / "table").iterdir()] == ["result.json"]


def test_json_is_one_object_and_that_of_the_file(command: Command, tmp_path: Path, capsys: Capture) -> None:
    assert command("paper/table", "--output", tmp_path, "--quick", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads((tmp_path / "paper" / "table" / "result.json").read_text(encoding="utf-8"))
    assert told["quick"] is True and told["name"] == "paper/table"
    assert told["rows"][0]["paper"] == 1.5 and told["rows"][0]["difference"] == -0.25


def test_budget_and_training_reach_the_experiment(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    seen: list[Settings] = []

    def noting(settings: Settings) -> Result:
        seen.append(settings)
        return Result("A title", "the paper", ())

    monkeypatch.setattr(sys.modules[__name__], "experiment", noting)
    assert command("paper/table", "--output", tmp_path) == 0
    assert command("paper/table", "--output", tmp_path, "--budget", "quick", "--train", "--runs", tmp_path / "r") == 0
    first, second = seen
    assert (first.quick, first.train, first.runs) == (False, False, Path("runs"))
    assert (second.quick, second.train, second.runs) == (True, True, tmp_path / "r")
    assert command("paper/table", "--budget", "huge") == 2
    assert "huge" in capsys.readouterr().err
