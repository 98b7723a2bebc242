"""Progress and TensorBoard show the lines of the metrics."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import WheatNitrogen
from phytotron.training.listeners import TensorBoard, TrainingProgress, shown_measures, summary


def training_line(step: int) -> dict[str, Any]:
    return {
        "kind": "training", "step": step, "seconds": 2.0, "steps_per_second": 1234.0, "episodes": [1, 0],
        "return": [3.0, None], "length": [30.0, None], "measures": {"yield": [7.5, None]},
        "losses": {"loss": [0.1, 0.2]},
    }  # fmt: skip


EVALUATION = {"kind": "evaluation", "step": 60, "weather": "a:b", "return": [1.0, 2.0], "measures": {"yield": [8, 9]}}
END = {"kind": "end", "step": 100, "reason": "finished"}


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_says_how_it_goes(terminal: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=150)
    with TrainingProgress(console, 100, ("yield",)) as progress:
        progress.say("compiling")
        for line in (training_line(50), training_line(51), EVALUATION, training_line(100), END):
            progress(line)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "60 of 100 steps  a:b: return 1.5  yield 8.5" in text
    assert "return 3  yield 7.5" in text and "1,234 steps/s" in text
    if not terminal:
        assert text.count("\n") == 4 and "2 s left" in text  # compiling, 50, evaluation, 100


def test_measures_of_the_greenhouse_are_profit_and_time_in_bounds() -> None:
    names = ("profit", "temperature_in_bounds", "co2_in_bounds", "humidity_in_bounds")
    assert shown_measures(Greenhouse()) == names
    assert shown_measures(WheatNitrogen())[:2] == ("nitrogen", "yield")
    assert summary({"return": [None], "measures": {}}, names) == ""


def test_tensorboard_gets_a_folder_per_seed(tmp_path: Path) -> None:
    with TensorBoard(tmp_path, (0, 3)) as listener:
        for line in (training_line(50), EVALUATION, END):
            listener(line)
    for seed, expected in ((0, b"training/losses/loss"), (3, b"evaluation/yield")):
        (file,) = (tmp_path / f"seed_{seed}").iterdir()
        assert expected in file.read_bytes()


def test_tensorboard_writes_nothing_for_a_seed_that_is_not_trained(tmp_path: Path) -> None:
    alone = training_line(50) | {
        "episodes": [None, 2], "return": [None, 3.0], "length": [None, 30.0], "measures": {"yield": [None, 7.5]},
        "losses": {"loss": [None, 0.2]},
    }  # fmt: skip
    with TensorBoard(tmp_path, (0, 3)) as listener:
        listener(alone)
    assert [path.name for path in tmp_path.iterdir()] == ["seed_3"]
    (file,) = (tmp_path / "seed_3").iterdir()
    assert b"training/steps_per_second" in file.read_bytes()
