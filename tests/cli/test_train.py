"""`phytotron train` and `phytotron evaluate`, as a user types them."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from registering import registered
from training_runs import WeatheredCountdown
from typer.testing import CliRunner, Result

from phytotron.cli import app
from phytotron.cli.evaluation_output import ended_early
from phytotron.cli.train import duration_words
from phytotron.core.errors import PhytotronError
from phytotron.core.memory import OutOfMemoryError
from phytotron.evaluation.scores import Scores, load_scores
from phytotron.training.folder import RunFolder
from phytotron.training.loop import Updates

WHEAT, TOY = "phytotron/WheatNitrogen-v0", WeatheredCountdown.id
SMALL = ["--set", "num_envs=2", "--set", "rollout=32", "--set", "minibatch=64", "--set", "epochs=1"]
SMALL += ["--set", "actor=[8]", "--set", "critic=[8]", "--steps", "256", "--seeds", "2"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY, "training_runs:WeatheredCountdown"):
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "x"
    result = run("train", TOY, *SMALL, "--eval-every", "128", "--tensorboard", "--output", str(folder))
    assert result.exit_code == 0, (result.output, result.exception)
    assert "Trained at step 256" in result.stdout and f"phytotron evaluate --policy {folder}" in result.stdout
    assert "256 of 256 steps  return" in result.stderr and "sunny:validation: return" in result.stderr
    return folder


def test_evaluation_weather_that_cannot_be_had_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with registered("test/PartedAiming-v0", "weather_parts:PartedAiming"):
        folder, parted = str(tmp_path / "run"), ["train", "test/PartedAiming-v0", *SMALL, "--tensorboard"]
        result = run(*parted, "--eval-every", "128", "--eval-weather", "nope", "--output", folder)
        assert isinstance(result.exception, PhytotronError)
        assert "cannot be put on weather 'nope'" in str(result.exception)
        assert "its parts are train, validation, test" in str(result.exception)
        assert not (tmp_path / "run").exists()
        result = run(*parted, "--eval-every", "128", "--eval-weather", "validation", "--output", folder)
        assert result.exit_code == 0, (result.output, result.exception)


def test_training_counts_up_to_whole_updates_and_says_where_it_evaluates(tmp_path: Path) -> None:
    with registered("test/Aiming-v0", "toy_environments:Aiming"):
        result = run(
            "train", "test/Aiming-v0", *SMALL, "--steps", "100", "--eval-every", "64", "--output", str(tmp_path / "run")
        )
    assert result.exit_code == 0, (result.output, result.exception)
    assert "128 of 128 steps" in result.stderr and "64 of 128 steps" in result.stderr
    assert "test/Aiming-v0 has no validation part; evaluations are on the task, as training" in result.stderr


def test_training_leaves_a_run(trained: Path) -> None:
    config = RunFolder(trained).config()
    assert config["environment"] == {"id": TOY, "options": {}} and config["agent"] == "ppo"
    assert config["evaluation"]["weather"] == "sunny:validation"
    assert RunFolder(trained).lines()[-1]["reason"] == "finished"
    assert len(list((trained / "tensorboard").iterdir())) == 2


def test_a_run_is_evaluated_on_the_test_part_of_its_split(trained: Path) -> None:
    result = run("evaluate", "--policy", str(trained), "--split", "test")
    assert result.exit_code == 0, (result.output, result.exception)
    for word in ("return", "age", "± over 6 windows", "± over 2 seeds", "age", "sunny:test"):
        assert word in result.stdout
    scores = load_scores(trained / "evaluations" / "sunny_test")
    assert scores.values["age"].shape == (2, 6) and scores.about["weather"] == "sunny:test"
    assert scores.about["controller"] == str(trained)


def test_one_policy_and_json(trained: Path, tmp_path: Path) -> None:
    file = trained / "policies" / "seed_1.safetensors"
    arguments = ["--policy", str(file), "--weather", "sunny:test", "--output", str(tmp_path / "x"), "--json"]
    found = json.loads(run("evaluate", *arguments).stdout)
    assert found["rows"] == 1 and found["windows"] == 6 and found["measures"]["return"]["over_seeds"] is None
    both = json.loads(run("evaluate", "--policy", str(trained), "--split", "test", "--json").stdout)
    # Batches of other sizes may round differently, which seldom changes a choice.
    np.testing.assert_allclose(both["measures"]["age"]["per_row"][1], found["measures"]["age"]["mean"], rtol=1e-4)
    assert (tmp_path / "x.npz").exists() and found["written"] == str(tmp_path / "x.npz")


@pytest.mark.slow
def test_a_controller_needs_no_run() -> None:
    result = run("evaluate", WHEAT, "--controller", "off", "--split", "test", "--json")
    found = json.loads(result.stdout)["measures"]
    assert found["nitrogen"]["mean"] == 0.0
    assert found["yield"]["mean"] == pytest.approx(found["zero_yield"]["mean"], rel=1e-6)


def test_resuming_a_finished_run_changes_nothing_and_other_settings_are_refused(trained: Path) -> None:
    arguments = ["train", TOY, *SMALL, "--eval-every", "128", "--output", str(trained)]
    lines = RunFolder(trained).lines()
    result = run(*arguments, "--resume", "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    assert json.loads(result.stdout)["reason"] == "finished" and RunFolder(trained).lines() == lines
    message = str(run(*arguments, "--resume", "--set", "epochs=2").exception)
    assert "settings.epochs was 1 and is 2" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", "{trained}"], "exists and is not an empty folder; go on with --resume"),
        (["--output", "{new}", "--resume"], "holds no run to continue"),
        (["--output", "{new}", "--agent", "pppo"], "did you mean 'ppo'"),
        (["--output", "{new}", "--preset", "wheat"], "did you mean 'quick-wheat'"),
        (["--output", "{new}", "--set", "epochs"], "--set is 'epochs'; expected NAME=VALUE"),
        (["--output", "{new}", "--set", "epoch=3"], "did you mean 'epochs'"),
        (["--output", "{new}", "--seeds", "none"], "a number of seeds"),
        (["--output", "{new}", "--seeds", "0"], "a number of seeds"),
        (["--output", "{new}", "--seeds", "4294967296"], "a number of seeds to 10000"),
        (["--output", "{new}", "--seeds", "4294967296,"], "whole numbers from 0 to 4294967295"),
        (["--output", "{new}", "--seeds", "3,3"], "each once"),
        (["--output", "{new}", "--option", "dose=[1]"], "has no option 'dose'"),
        (["--output", "{new}", "--weather", "sunny:tests"], "did you mean 'sunny:test'"),
        (["--output", "{new}", "--backend", "torch"], "unknown backend"),
        (["--output", "{new}", "--backend", "sb3"], "phytotron[sb3]"),
        (
            ["--output", "{new}", "--backend", "rllib"],
            "--backend rllib needs ray: pip install 'phytotron[rllib]' torch",
        ),
        (["--output", "{new}", "--backend", "rllib", "--eval-every", "9"], "does not evaluate during training"),
    ],
)
def test_what_cannot_be_trained_is_explained(
    arguments: list[str], message: str, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("stable_baselines3", "ray"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    filled = [each.format(trained=trained, new=tmp_path / "new") for each in arguments]
    result = run("train", TOY, *filled)
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception), result.output
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TOY], "either --policy RUN or --controller NAME"),
        ([TOY, "--policy", "{trained}", "--controller", "off"], "either --policy RUN or --controller NAME"),
        (["--controller", "off"], "name an environment"),
        (["--policy", "{trained}", "--split", "test", "--weather", "a:b"], "give one of them"),
        (["--policy", "{new}"], "there is no run or policy at this path"),
        (["--policy", "model.zip"], "can run code when opened"),
        (["--policy", "{folder}"], "name the folder of a run"),
        (
            [TOY, "--controller", "rule-based"],
            f"unknown controller of {TOY} 'rule-based'; it has no baselines, and any environment has mpc, off, oracle",
        ),
        (["phytotron/Greenhouse-v0", "--controller", "rules"], "did you mean 'rule-based'"),
        ([WHEAT, "--policy", "{trained}"], "3 values of observation"),
        (["--policy", "{trained}", "--option", "handicap"], "expected NAME=VALUE"),
    ],
)
def test_what_cannot_be_evaluated_is_explained(
    arguments: list[str], message: str, trained: Path, tmp_path: Path
) -> None:
    filled = [each.format(trained=trained, new=tmp_path / "new", folder=tmp_path) for each in arguments]
    result = run("evaluate", *filled)
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception), result.output


@pytest.mark.usefixtures("hangup_heard")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_training_where_it_can_go_on_and_tells_others_so(
    number: int, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Updates.advance

    def signalled(self: Updates, state: Any, count: int) -> Any:
        signal.raise_signal(number)
        return advance(self, state, count)

    monkeypatch.setattr(Updates, "advance", signalled)
    folder = tmp_path / "run"
    result = run("train", TOY, *SMALL, "--eval-every", "128", "--output", str(folder))
    assert result.exit_code == 128 + number, (result.output, result.exception)
    assert "Stopped at step 64" in result.stdout and "--resume" in result.stdout
    assert RunFolder(folder).lines()[-1]["reason"] == "stopped" and len(RunFolder(folder).list_policies()) == 2


def test_more_environments_than_memory_holds_are_half_as_many_in_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(self: Updates, state: Any) -> None:
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 400000000000000 bytes.")

    monkeypatch.setattr(Updates, "compile", exhausted)
    error = run("train", TOY, *SMALL, "--output", str(tmp_path / "run")).exception
    assert isinstance(error, OutOfMemoryError)
    assert str(error).startswith("2 environments at once, of each of 2 seeds, do not fit into the memory of the ")
    assert str(error).endswith("; try --set num_envs=1")


def test_the_time_that_is_told_is_that_of_the_whole_command() -> None:
    assert duration_words(132.4, 6.2) == "it took 132 s, 6 s of training and the rest for compiling and evaluating"
    assert duration_words(10.0, 60.0) == "this command took 10 s, and training 60 s in all"  # resumed


def test_trajectories_of_all_seeds_and_windows_are_written(trained: Path, tmp_path: Path) -> None:
    target = tmp_path / "all.csv"
    result = run("evaluate", "--policy", str(trained), "--split", "test", "--csv", str(target), "--json")
    found = json.loads(result.stdout)
    names, _, *rows = [line.split(",") for line in target.read_text(encoding="utf-8").splitlines()]
    assert names[:4] == ["seed", "episode", "step", "time"] and found["csv"] == str(target)
    assert {row[0] for row in rows} == {"0", "1"} and len({row[1] for row in rows}) == 6
    returns = sum(float(row[names.index("reward")]) for row in rows) / 12
    assert found["measures"]["return"]["mean"] == pytest.approx(returns, rel=1e-5)


def test_a_trained_run_acts_in_the_environment_that_it_was_trained_in(trained: Path, tmp_path: Path) -> None:
    found = json.loads(run("run", "--policy", str(trained), "--output", str(tmp_path), "--json").stdout)
    assert found["id"] == TOY and found["controller"] == f"policy {trained.name}"


def test_evaluate_says_how_many_episodes_ended_early() -> None:
    class Fragile(WeatheredCountdown):
        def reason(self, info: Any) -> str:
            return "broken"

    env = Fragile()
    lengths = np.array([[env.episode_steps, 2.0, 3.0]])
    scores = Scores(("a", "b", "c"), (), {"return": 0.0 * lengths, "length": lengths}, {})
    assert ended_early(env, scores).startswith(f"2 of 3 episodes ended early, that of b after 2 of {env.episode_steps}")
    assert ended_early(WeatheredCountdown(), scores) == ""  # it ends by itself
