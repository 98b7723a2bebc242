"""The walks of three users, as they are started from the shell: every step works, and what it promises is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

WALKS = Path(__file__).resolve().parents[2] / "examples" / "walks"


def walk(name: str, folder: Path, *arguments: str) -> str:
    """What a walk prints; it must not fail."""
    command = [sys.executable, str(WALKS / name), str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def page(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_newcomer_sees_a_page_and_what_prices_change(tmp_path: Path) -> None:
    said = walk("newcomer.py", tmp_path)
    rules, nothing, dear = map(float, re.findall(r"(-?\d+\.\d+) €", said[said.index("Profit less the penalty") :]))
    assert nothing < dear < rules and "phytotron/Lettuce-v0" in said
    assert "In 10 days from" in page(tmp_path / "lettuce")


@pytest.mark.slow
def test_a_learning_researcher_trains_evaluates_and_reports(tmp_path: Path) -> None:
    said = walk("learning_researcher.py", tmp_path, "256")
    assert "the policy of seed 0 chooses [" in said and "the batch (16, " in said
    assert "PPO did" in page(tmp_path / "report")


@pytest.mark.slow
def test_a_greenhouse_scientist_brings_weather_and_a_greenhouse_and_takes_data_out(tmp_path: Path) -> None:
    said = walk("greenhouse_scientist.py", tmp_path, "0.25")
    assert "outdoor_temperature" in said and "grain at the harvest" in said
    text = page(tmp_path / "greenhouse")
    assert "costs nothing in these results" not in text, "electricity has a price"
    assert (tmp_path / "field.csv").exists()
