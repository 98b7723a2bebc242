"""Sweeps by Ray Tune, where it is installed; each in a process of its own, which a test may cut short."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")

from phytotron.training.folder import RunFolder

COMMAND = [sys.executable, "-c", "from phytotron.cli import main; main()", "sweep", "phytotron/WheatNitrogen-v0"]
SMALL = ["num_envs=4", "rollout=64", "minibatch=64", "epochs=1", "actor=[8]", "critic=[8]"]
SETTINGS = [part for each in SMALL for part in ("--set", each)]
TRIALS = ["--setting", "learning_rate=0.001,0.0003", "--reward-parameter", "nitrogen_penalty=5,10"]
LIMIT = 400.0  # s


def start(folder: Path, *more: str) -> subprocess.Popen[str]:
    arguments = [*COMMAND, *SETTINGS, *TRIALS, "--seeds", "2", "--output", str(folder), "--json", *more]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> tuple[dict[str, Any], str]:
    output, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, errors
    return json.loads(output), errors


def descendants(process: int) -> set[int]:
    """Of a process, by the parents that the system tells."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # has ended meanwhile
    found, new = set(), {process}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def at_work_in(folder: Path, processes: set[int]) -> int | None:
    """The process that holds the lock of a run."""
    lock = str((folder / ".lock").resolve())
    for process in processes:
        try:
            if any(str(each.readlink()) == lock for each in Path(f"/proc/{process}/fd").iterdir()):
                return process
        except OSError:
            continue
    return None


def kill_one_worker(sweep: subprocess.Popen[str], folder: Path) -> str:
    """As soon as one of them has trained for a while; the name of its trial."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end and sweep.poll() is None:
        for trial in (folder / "trials").glob("*"):
            lines = RunFolder(trial).lines()
            worker = at_work_in(trial, descendants(sweep.pid)) if lines and lines[-1]["kind"] == "training" else None
            if worker is not None:
                os.kill(worker, signal.SIGKILL)
                return trial.name
        time.sleep(0.05)
    raise AssertionError("no worker was seen at work")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc to find the worker")
def test_a_killed_worker_loses_no_trial_and_nothing_finished_runs_twice(tmp_path: Path) -> None:
    folder, steps = tmp_path / "sweep", ["--steps", "60000"]
    sweep = start(folder, *steps)
    killed = kill_one_worker(sweep, folder)
    told, errors = finish(sweep)
    assert f"cut short, goes on from its last checkpoint: {killed}" in errors
    assert told["failed"] == {} and len(told["results"]) == 4
    returns = [each["return"] for each in told["results"]]
    assert returns == sorted(returns, reverse=True)
    for each in told["results"]:
        lines = RunFolder(each["folder"]).lines()
        at = [line["step"] for line in lines if line["kind"] == "training"]
        assert at == sorted(set(at)) and [line["kind"] for line in lines].count("end") == 1
    metrics = {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/metrics.jsonl")}
    again, errors = finish(start(folder, *steps))
    assert "4 trials, of which 4 are finished already" in errors
    assert again["results"] == told["results"] == json.loads((folder / "results.json").read_text())
    assert metrics == {path: path.stat().st_mtime_ns for path in folder.glob("trials/*/metrics.jsonl")}
