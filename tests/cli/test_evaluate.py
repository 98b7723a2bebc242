"""`phytotron evaluate`: its table, with units as people write them, and where scores are kept."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner
from untrained_runs import untrained_run

from phytotron.cli import app
from phytotron.cli.evaluate import _target
from phytotron.cli.evaluation_output import score_table
from phytotron.core.errors import PhytotronError
from phytotron.evaluation.scores import Scores, load_scores


def shown(windows: int, rows: int, first: float = 0.0) -> str:
    values = {"return": np.arange(float(windows * rows)).reshape(rows, windows)}
    values["return"][0, 0] = first
    scores = Scores(tuple(f"2010-03-0{n + 1}" for n in range(windows)), ("return",), values, {"return": "€ m-2"})
    console = Console(width=100, file=io.StringIO())
    console.print(score_table(scores, "lettuce"))
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--split", "tset"],
            "WeatheredCountdown 'tset'; did you mean 'test'",
        ),
        (["--weather", "moon"], "unknown weather 'moon'"),
    ],
)
def test_weather_that_a_task_does_not_have_is_named(arguments: list[str], message: str) -> None:
    command = ["evaluate", "training_runs:WeatheredCountdown", "--controller", "off", *arguments]
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception)


def test_units_are_written_as_on_pages() -> None:
    assert "€ m⁻²" in shown(3, 1)


def test_an_interval_has_a_column_only_where_there_are_several_of_what_it_is_over() -> None:
    assert "± over" not in shown(1, 1)
    assert "± over 3 windows" in shown(3, 1) and "seeds" not in shown(3, 1)
    assert "± over 2 seeds" in shown(1, 2) and "windows" not in shown(1, 2)


def test_an_undefined_measure_is_a_dash() -> None:
    assert "nan" not in shown(3, 2, np.nan) and shown(3, 2, np.nan).count("–") == 3


def test_where_scores_cannot_be_written_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phytotron.controllers.make_competitor", lambda *_: pytest.fail("a controller was made"))
    (tmp_path / "file").touch()
    command = ["evaluate", "training_runs:WeatheredCountdown", "--controller", "off"]
    result = CliRunner().invoke(app, [*command, "--output", str(tmp_path / "file" / "scores")])
    assert "file is a file; name another folder" in str(result.exception)


def test_scores_on_all_of_a_part_do_not_overwrite_those_on_the_days_of_training(tmp_path: Path) -> None:
    run = untrained_run(tmp_path / "run", "weather_parts:NarrowedAiming", (0,), marks=[1.0])
    for asked in ([], ["--split", "train"]):
        result = CliRunner().invoke(app, ["evaluate", "--policy", str(run), "--no-attainable", *asked])
        assert result.exit_code == 0, (result.output, result.exception)
    kept = sorted((run / "evaluations").glob("*.npz"))
    assert [len(load_scores(each).labels) for each in kept] == [1, 2]


def test_scores_of_a_run_with_other_options_do_not_overwrite_those_without(tmp_path: Path) -> None:
    usual = {"weather": "embedded:train", "seed": 0, "prices": {"gas": 0.2}}
    asked = ({"prices": {"gas": 0.2}}, {"prices": {"gas": 0.3}}, {"prices": {"gas": 0.4}}, {})
    options = [{"weather": "embedded:test", "seed": 0} | each for each in asked]
    plain, *others = (_target(tmp_path, "embedded:test", False, each, usual) for each in options)
    assert plain == tmp_path / "evaluations" / "embedded_test"
    assert len({plain, *others}) == 4
