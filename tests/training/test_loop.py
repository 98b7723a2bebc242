"""Training goes on after any stop as if there had been none."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
import training_runs
from training_runs import (
    CHUNKS,
    SETTINGS,
    STEPS_PER_CHUNK,
    UndefinedCountdown,
    left_behind,
    small_config,
    small_run,
)

from phytotron.agents.policy_files import load_policy, read_about
from phytotron.agents.ppo import PPO
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.errors import PhytotronError
from phytotron.training.config import EvaluationPlan
from phytotron.training.folder import Line, RunFolder
from phytotron.training.loop import Updates, train
from phytotron.training.running import training_line

Listener = Callable[[Line], None]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    outcome = small_run(folder)
    assert (outcome.reason, outcome.step) == ("finished", CHUNKS * STEPS_PER_CHUNK)
    return folder, left_behind(folder)


def interrupting(chunk: int) -> Listener:
    """Presses Ctrl-C at the end of a chunk."""

    def listen(line: Line) -> None:
        if line["kind"] == "training" and line["step"] == chunk * STEPS_PER_CHUNK:
            signal.raise_signal(signal.SIGINT)

    return listen


def test_a_run_leaves_what_the_format_says(undisturbed: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = undisturbed
    run = RunFolder(folder)
    assert run.config()["seeds"] == [0, 3] and run.config()["settings"]["actor"] == [4]
    lines = run.lines()
    training = [line for line in lines if line["kind"] == "training"]
    assert [line["step"] for line in training] == [STEPS_PER_CHUNK * n for n in range(1, CHUNKS + 1)]
    for line in training:
        assert {len(line[name]) for name in ("episodes", "return", "length")} == {2}
        assert set(line["measures"]) == {"age"} and "policy_loss" in line["losses"]
        assert line["steps_per_second"] > 0.0
    assert sum(sum(line["episodes"]) for line in training) > 2 * CHUNKS
    evaluations = [line["step"] for line in lines if line["kind"] == "evaluation"]
    assert evaluations == [4 * STEPS_PER_CHUNK * n for n in range(1, CHUNKS // 4 + 1)]
    assert lines[-1] == {"kind": "end", "step": CHUNKS * STEPS_PER_CHUNK, "reason": "finished"}
    assert [path.name for path in run.list_policies()] == ["seed_0", "seed_3"]
    assert [path.name for path in run.list_policies(best=True)] == ["best_seed_0", "best_seed_3"]
    about = read_about(run.policy_path(3))
    assert about["training"] == {
        "agent": "ppo", "backend": "jax", "preset": None, "seed": 3, "steps": CHUNKS * STEPS_PER_CHUNK
    }  # fmt: skip
    assert {leaf.dtype for leaf in jax.tree.leaves(load_policy(run.policy_path(3)))} == {np.dtype(np.float32)}
    assert sorted(path.suffix for path in run.checkpoints.iterdir()) == 2 * [".json"] + 2 * [".safetensors"]


def test_ctrl_c_stops_at_a_checkpoint_and_resuming_is_exact(
    undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    said: list[str] = []
    usual = signal.getsignal(signal.SIGINT)  # ignored, where the tests run in the background
    for number, chunk in enumerate((3, 11)):
        listeners = [interrupting(chunk)]
        outcome = small_run(tmp_path / "run", resume=number > 0, listeners=listeners, say=said.append)
        assert (outcome.reason, outcome.step) == ("stopped", chunk * STEPS_PER_CHUNK)
        assert RunFolder(tmp_path / "run").lines()[-1]["reason"] == "stopped"
        assert len(RunFolder(tmp_path / "run").list_policies()) == 2
    assert small_run(tmp_path / "run", resume=True).reason == "finished"
    assert left_behind(tmp_path / "run") == undisturbed[1]
    assert f"going on from step {3 * STEPS_PER_CHUNK}" in said
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_finished_run_is_left_as_it_is(undisturbed: tuple[Path, dict[str, Any]]) -> None:
    folder, before = undisturbed
    said: list[str] = []
    assert small_run(folder, resume=True, say=said.append).reason == "finished"
    assert left_behind(folder) == before and "has already been trained to its end" in said[-1]


def test_chunks_do_not_change_what_is_learned(undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    small_run(tmp_path / "run", config=small_config(updates_per_chunk=7, evaluation=EvaluationPlan()))
    for seed in (0, 3):
        name = f"seed_{seed}.safetensors"
        assert left_behind(tmp_path / "run")[name] == undisturbed[1][name]


def stopped(folder: Path) -> RunFolder:
    small_run(folder, listeners=[interrupting(6)])
    return RunFolder(folder)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-5] ^= 255
    path.write_bytes(data)


def retell(path: Path) -> None:
    about = json.loads(path.with_suffix(".json").read_text()) | {"lines": 2}
    path.with_suffix(".json").write_text(json.dumps(about))


def break_off(path: Path) -> None:
    path.with_suffix(".json").write_text("{")


@pytest.mark.parametrize(
    "harm", [cut, *(pytest.param(each, marks=pytest.mark.slow) for each in (alter, retell, break_off))]
)
def test_a_bad_checkpoint_is_passed_over(
    harm: Callable[[Path], Any], undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    run = stopped(tmp_path / "run")
    harm(max(run.checkpoints.glob("*.safetensors")))
    with run.metrics_path.open("a") as file:
        file.write('{"kind": "training", "st')  # as a power cut leaves it
    said: list[str] = []
    assert small_run(run.path, resume=True, say=said.append).reason == "finished"
    assert said[0].startswith("checkpoint passed over: ") and f"step_{6 * STEPS_PER_CHUNK:012d}" in said[0]
    assert said[1] == f"going on from step {5 * STEPS_PER_CHUNK}"
    assert left_behind(run.path) == undisturbed[1]


def test_without_a_good_checkpoint_training_does_not_go_on(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run")
    for path in run.checkpoints.glob("*.safetensors"):
        cut(path)
    with pytest.raises(PhytotronError, match=r"none of its 2 checkpoints can be used; train again in a new folder"):
        small_run(run.path, resume=True)


def test_a_run_without_checkpoints_begins_anew(undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    run = stopped(tmp_path / "run")
    for path in run.checkpoints.iterdir():
        path.unlink()
    small_run(run.path, resume=True)
    assert left_behind(run.path) == undisturbed[1]


def test_training_ends_early_when_nothing_improves(tmp_path: Path) -> None:
    plan = EvaluationPlan("drawn", STEPS_PER_CHUNK, patience=2, improvement=1e9)
    outcome = small_run(tmp_path / "run", config=small_config(evaluation=plan))
    assert (outcome.reason, outcome.step) == ("early", 3 * STEPS_PER_CHUNK)
    assert small_run(tmp_path / "run", config=small_config(evaluation=plan), resume=True).reason == "early"
    assert [line["kind"] for line in RunFolder(tmp_path / "run").lines()].count("end") == 1


def test_the_best_policies_are_kept(undisturbed: tuple[Path, dict[str, Any]]) -> None:
    run = RunFolder(undisturbed[0])
    lines = [line for line in run.lines() if line["kind"] == "evaluation"]
    for row, seed in enumerate((0, 3)):
        best = max(lines, key=lambda line: line["return"][row])
        assert read_about(run.policy_path(seed, best=True))["training"]["steps"] == best["step"]


def test_numbers_that_are_not_finite_stop_training(tmp_path: Path) -> None:
    wild = dataclasses.replace(SETTINGS, learning_rate=1e38)
    config = small_config(wild, evaluation=EvaluationPlan())
    words = r"seed 0, 3 gave losses, returns or parameters .* between steps \d+ and .* Run `phytotron check` .* first"
    with pytest.raises(PhytotronError, match=words):
        small_run(tmp_path / "run", wild, config)


def test_a_measure_that_is_undefined_is_left_out_and_stops_nothing(
    undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    undefined = UndefinedCountdown()
    train(PPO(undefined, SETTINGS), tmp_path, small_config(), undefined, checkpoint_every=1)
    lines, expected = RunFolder(tmp_path).lines(), RunFolder(undisturbed[0]).lines()
    assert {line["measures"]["age"][0] for line in lines if line["kind"] == "evaluation"} == {None}
    assert {line["measures"]["age"][0] for line in lines if line["kind"] == "training"} == {None}
    returns = ([each["return"] for each in found if each["kind"] == "training"] for found in (lines, expected))
    assert np.array_equal(*(np.array(each, float) for each in returns), equal_nan=True)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_return_that_is_not_finite_is_no_line_of_metrics(value: float) -> None:
    sums = {"episodes": [2.0], "return": [value], "length": [8.0]}
    with pytest.raises(
        PhytotronError, match=r"a return in training up to step 16 is not finite\. Run `phytotron check`"
    ):
        training_line(16, 1.0, 16.0, sums, {})


def refusing(line: Line) -> None:
    """Fails at the first line of metrics."""
    raise PhytotronError("no more")


def test_a_run_that_fails_before_its_first_checkpoint_leaves_a_folder_for_the_next(
    undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(PhytotronError, match="no more"):
        small_run(folder, listeners=[refusing])
    assert [path.name for path in folder.iterdir()] == [".lock"]
    small_run(folder)
    assert left_behind(folder) == undisturbed[1]


def test_a_failure_takes_nothing_from_an_older_run(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run")
    before = left_behind(run.path)
    with pytest.raises(PhytotronError, match="no more"):
        small_run(run.path, resume=True, listeners=[refusing])
    kept = left_behind(run.path)
    assert {name: each for name, each in kept.items() if name != "lines"}.items() >= {
        (name, each) for name, each in before.items() if name != "lines"
    }
    for checkpoint in run.checkpoints.iterdir():
        checkpoint.unlink()
    with pytest.raises(PhytotronError, match="no more"):
        small_run(run.path, resume=True, listeners=[refusing])
    assert run.config_path.exists() and run.metrics_path.exists()
    with pytest.raises(PhytotronError, match="exists and is not an empty folder"):
        small_run(run.path)
    assert run.config_path.exists()


def test_a_run_that_fails_after_its_first_checkpoint_can_be_gone_on_with(
    undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    def later(line: Line) -> None:
        if line["step"] > 2 * STEPS_PER_CHUNK:
            raise PhytotronError("no more")

    with pytest.raises(PhytotronError, match="no more"):
        small_run(tmp_path / "run", listeners=[later])
    small_run(tmp_path / "run", resume=True)
    assert left_behind(tmp_path / "run") == undisturbed[1]


def test_what_came_before_them_can_be_gone_on_with(
    undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Updates.advance

    def failing(self: Updates, state: Any, count: int) -> Any:
        state, chunk = advance(self, state, count)
        failed = len(list((tmp_path / "run" / "checkpoints").glob("*.json"))) == 2
        return state, chunk._replace(finite=np.array([True, not failed]))

    monkeypatch.setattr(Updates, "advance", failing)
    where = f"seed 3 .* the last good checkpoint is that of step {2 * STEPS_PER_CHUNK}"
    with pytest.raises(PhytotronError, match=where):
        small_run(tmp_path / "run")
    monkeypatch.undo()
    small_run(tmp_path / "run", resume=True)
    assert left_behind(tmp_path / "run") == undisturbed[1]


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    run = stopped(tmp_path / "run")
    other = dataclasses.replace(SETTINGS, learning_rate=1e-3)
    with pytest.raises(PhytotronError, match=r"settings.learning_rate was 0.01 and is 0.001; go on with those"):
        small_run(run.path, other, resume=True)
    with pytest.raises(PhytotronError, match=r"seeds was \[0, 3\] and is \[0\]"):
        small_run(run.path, config=small_config(seeds=(0,)), resume=True)
    with pytest.raises(PhytotronError, match="exists and is not an empty folder; go on with --resume"):
        small_run(run.path)
    with run.locked(), pytest.raises(PhytotronError, match="in use by another process"):
        small_run(run.path, resume=True)


def killed_at_random(folder: Path, kills: int) -> None:
    """Train in other processes, each but the last killed at a random moment."""
    chance = random.Random(1)
    paths = [str(Path(training_runs.__file__).parent), *sys.path]
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(paths)}
    assert CACHE_VARIABLE in environment
    pause = 0.1  # s after every line, so that there is something to interrupt
    steps = []
    for number in range(kills + 1):
        command = [sys.executable, training_runs.__file__, str(folder), str(pause), *(["--resume"] if number else [])]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if number < kills:
            assert process.stdout is not None
            for _ in range(chance.randint(1, CHUNKS // kills)):  # lines, since machines are not equally fast
                process.stdout.readline()
            time.sleep(chance.uniform(0.0, 1.5 * pause))
            process.kill()
        _, errors = process.communicate(timeout=120)
        assert process.returncode == (-signal.SIGKILL if number < kills else 0), errors.decode()
        steps.append(max((line["step"] for line in RunFolder(folder).lines()), default=0))
    assert len(set(steps)) > 2, f"the moments of {steps} were too much alike"


@pytest.mark.slow
def test_three_kills_leave_no_trace(undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    killed_at_random(tmp_path / "run", 3)
    assert left_behind(tmp_path / "run") == undisturbed[1]


@pytest.mark.slow
def test_ten_kills_leave_no_trace(undisturbed: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    killed_at_random(tmp_path / "run", 10)
    assert left_behind(tmp_path / "run") == undisturbed[1]


def test_training_without_evaluation_needs_no_second_environment(tmp_path: Path) -> None:
    config = small_config(evaluation=EvaluationPlan(), steps=STEPS_PER_CHUNK)
    assert train(PPO(training_runs.ENVIRONMENT, SETTINGS), tmp_path / "run", config).reason == "finished"
    assert not RunFolder(tmp_path / "run").list_policies(best=True)
