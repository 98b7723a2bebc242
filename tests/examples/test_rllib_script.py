"""The example that trains by Ray RLlib, where it is installed."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")

from phytotron.training.backends.rllib.session import ray_session

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "rllib_setpoint.py"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Ray, which warns of its own future
def test_ppo_with_lstm_trains_and_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--iterations", "1", "--days", "0.25", "--workers", "0", "--batch", "128"]
    monkeypatch.setattr("sys.argv", [SCRIPT.name, *few, "--output", str(tmp_path / "checkpoint")])
    with ray_session(1):
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert "iteration 1: " in "".join(capsys.readouterr())  # a session prints to stderr
    assert (tmp_path / "checkpoint" / "rllib_checkpoint.json").exists()
