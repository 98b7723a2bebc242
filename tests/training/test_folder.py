"""The lines of a run survive what happens to them, or say what did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from phytotron.core.errors import PhytotronError
from phytotron.training.config import EvaluationPlan, default_chunk, default_every
from phytotron.training.folder import RunFolder


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    made = RunFolder(tmp_path / "run")
    made.create({"format": "phytotron-run-1", "seeds": [0]})
    for step in range(3):
        made.append({"step": step})
    return made


def test_a_half_written_line_is_left_out(run: RunFolder) -> None:
    with run.metrics_path.open("a") as file:
        file.write('{"step": 3')
    assert run.lines() == [{"step": 0}, {"step": 1}, {"step": 2}]
    run.keep_lines(5)
    assert run.metrics_path.read_text().endswith('{"step": 2}\n')
    run.keep_lines(1)
    run.append({"step": 9})
    assert run.lines() == [{"step": 0}, {"step": 9}]


def test_a_bad_line_is_named(run: RunFolder) -> None:
    run.metrics_path.write_text('{"step": 0}\n{"st\n{"step": 2}\n')
    with pytest.raises(PhytotronError, match="line 2 is no JSON"):
        run.lines()
    run.metrics_path.write_text("[" * 100_000 + "\n")
    with pytest.raises(PhytotronError, match="line 1 is no JSON"):
        run.lines()
    with pytest.raises(ValueError, match="not JSON compliant"):
        run.append({"return": float("nan")})


def test_a_bad_line_is_found_before_training_goes_on(run: RunFolder) -> None:
    run.metrics_path.write_text('{"step": 0}\n{"st\n{"step": 2}\n{"bad\n')
    with pytest.raises(PhytotronError, match="line 2 is no JSON"):
        run.keep_lines(3)
    run.keep_lines(1)
    assert run.lines() == [{"step": 0}]


def test_a_run_that_was_killed_before_it_had_begun_begins_anew(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    (tmp_path / ".config.json.0123.part").write_text('{"form')
    (tmp_path / ".lock").write_text("")
    run.create({"format": "phytotron-run-1", "seeds": [0]})
    assert sorted(each.name for each in tmp_path.iterdir()) == [".lock", "config.json"]
    with pytest.raises(PhytotronError, match="go on with --resume"):
        run.create({})


def test_a_folder_that_disappears_is_named(run: RunFolder) -> None:
    shutil.rmtree(run.path)
    with pytest.raises(PhytotronError, match=r"metrics.jsonl: cannot be written .*its folder has disappeared"):
        run.append({"step": 3})


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhytotronError, match=r"config.json: there is no such file, which the run needs"):
        RunFolder(tmp_path).config()
    (tmp_path / "config.json").write_text('{"format": "phytotron-policy-1"}')
    with pytest.raises(PhytotronError, match="its format is not 'phytotron-run-1'"):
        RunFolder(tmp_path).config()
    (tmp_path / "file").write_text("")
    with pytest.raises(PhytotronError, match="choose a new folder"):
        RunFolder(tmp_path / "file").create({})


def test_chunks_and_evaluations_have_sensible_lengths() -> None:
    assert default_chunk(40_000_000, 34_560) == 2
    assert default_chunk(400_000, 2048) == 1
    assert default_chunk(10**9, 2048, every=10_000) == 4
    assert default_every(400_000) == 20_000
    with pytest.raises(PhytotronError, match="policies are evaluated; say how often"):
        EvaluationPlan(patience=3)
    with pytest.raises(PhytotronError, match="steps between evaluations is 0"):
        EvaluationPlan("embedded:validation")
