"""`phytotron verify`: exit codes and what goes to stdout."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from phytotron import verification
from phytotron.cli import main

TABLE = Path(verification.__file__).parent / "data" / "greenlight" / "glgym_derivative_table.npz"

Command = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs the command line in this process and returns its exit code."""

    def run(*arguments: str | Path) -> int:
        monkeypatch.setattr(sys, "argv", ["phytotron", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0)

    return run


@pytest.mark.slow
def test_without_a_folder_the_sample_is_verified_in_float64() -> None:
    # In a process of its own: here the tests have switched float64 on already.
    command = [sys.executable, "-m", "phytotron", "verify", "greenlight", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["passed"] is True
    assert len(result["files"]) == 3


def test_a_table_lists_the_worst_states_first(command: Command, tmp_path: Path, capsys: Capture) -> None:
    shutil.copy(TABLE, tmp_path)
    assert command("verify", "greenlight", "--reference", tmp_path) == 0
    shown = capsys.readouterr().out
    assert "glgym_derivative_table.npz: passed" in shown
    assert shown.index("cLeaf") < shown.index("tCovE")
    assert "greenlight: 1 of 1 files within their bounds" in shown


def test_a_missed_bound_is_exit_code_1(command: Command, tmp_path: Path, capsys: Capture) -> None:
    with np.load(TABLE) as file:
        np.savez(tmp_path / "high.npz", elevation=np.array([1000.0]), **{key: file[key] for key in file.files})
    assert command("verify", "greenlight", "--reference", tmp_path, "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["passed"] is False
    assert result["files"][0]["states"]["tAir"]["error"] > 1e-6
    assert command("verify", "greenlight", "--reference", tmp_path) == 1
    assert "high.npz: missed" in capsys.readouterr().out


def test_bad_input_is_exit_code_2_with_one_line(command: Command, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "cut.npz").write_bytes(TABLE.read_bytes()[:1000])
    for arguments, message in (
        (("wheat",), "unknown model 'wheat'"),
        (("greenlight", "--reference", tmp_path), "cut.npz: cannot be read as a .npz file"),
        (("greenlight", "--reference", tmp_path / "missing"), "there is no such folder"),
    ):
        assert command("verify", *arguments) == 2
        captured = capsys.readouterr()
        assert message in captured.err
        assert "Traceback" not in captured.err
        assert captured.out == ""
