"""Which trials a sweep has, and what is read from their folders; without Ray."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from registering import registered
from training_runs import WeatheredCountdown
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.core.errors import PhytotronError
from phytotron.training.folder import RunFolder
from phytotron.training.loop import train
from phytotron.training.setup import prepare
from phytotron.training.sweep.plan import Trial, plan, ranked, result, write_results

TOY, GREENHOUSE = WeatheredCountdown.id, "phytotron/Greenhouse-v0"
SMALL = {"num_envs": 2, "rollout": 8, "minibatch": 16, "epochs": 1, "actor": (4,), "critic": (4,)}


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY, "training_runs:WeatheredCountdown"):
        yield


def small_plan(folder: Path, steps: int = 64, **rest: Any) -> list[Trial]:
    return plan(TOY, folder, {"discount": [0.9, 0.99]}, {}, steps=steps, seeds=(0, 3), settings=SMALL, **rest)


def train_trial(trial: Trial) -> None:
    setup = prepare(trial.environment, **trial.arguments)
    train(setup.agent, trial.folder, setup.config, setup.evaluation_environment)


def test_all_combinations_are_tried(tmp_path: Path) -> None:
    trials = plan(TOY, tmp_path, {"discount": [0.9, 0.99], "epochs": [1, 2, 3]}, {})
    assert len({trial.name for trial in trials}) == 6
    assert trials[0].name == "discount=0.9_epochs=1"
    assert trials[-1].arguments["settings"] == {"discount": 0.99, "epochs": 3}


def test_the_coefficients_of_table_8_are_changed_one_at_a_time(tmp_path: Path) -> None:
    values = {"temperature_penalty": [0.0, 0.4], "co2_penalty": [0.002], "humidity_penalty": [0.2, 0.4]}
    trials = plan(GREENHOUSE, tmp_path, {}, values, one_at_a_time=True, options={"episode_days": 1})
    assert [trial.name for trial in trials[:2]] == ["defaults", "temperature_penalty=0.0"]
    assert len(trials) == 6
    assert trials[-1].arguments["options"] == {"episode_days": 1, "reward_parameters": {"humidity_penalty": 0.4}}


def test_names_are_fit_for_folders_and_differ(tmp_path: Path) -> None:
    names = [trial.name for trial in plan(TOY, tmp_path, {"actor": [[4], [4, 4], [44]]}, {})]
    assert len(set(names)) == 3 and all("/" not in name and "[" not in name for name in names)


def test_what_cannot_be_trained_is_refused_before_anything_is(tmp_path: Path) -> None:
    for grids, message in (
        (({"discounts": [0.9]}, {}), "did you mean 'discount'"),
        (({}, {}), "a sweep needs values"),
        (({"discount": [0.9]}, {"discount": [0.9]}), "name it once"),
        (({}, {"penalty": [1]}), "reward_parameters"),
    ):
        with pytest.raises(PhytotronError, match=message):
            plan(TOY, tmp_path, *grids)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_results_are_those_of_the_last_tenth_and_best_first(tmp_path: Path) -> None:
    trials = small_plan(tmp_path)
    assert not any(trial.finished() for trial in trials)
    for trial in trials:
        train_trial(trial)
    assert all(trial.finished() for trial in trials)
    found = ranked([result(trial) for trial in trials])
    last = [json.loads(line) for line in (trials[0].folder / "metrics.jsonl").read_text().splitlines()][-2]
    first = next(each for each in found if each["trial"] == trials[0].name)
    assert first["return_per_seed"] == pytest.approx(last["return"]) and first["from"] == "training"
    assert found[0]["return"] >= found[1]["return"]
    by_age = ranked(found, "age")
    assert by_age[0]["measures"]["age"] >= by_age[1]["measures"]["age"]
    write_results(tmp_path, found)
    assert json.loads((tmp_path / "results.json").read_text()) == found
    heading = (tmp_path / "results.csv").read_text().splitlines()[0]
    assert heading == "trial,discount,return,age,steps"


def test_an_evaluation_counts_where_there_is_one(tmp_path: Path) -> None:
    trial = small_plan(tmp_path, evaluation_weather="validation", evaluate_every=32)[0]
    train_trial(trial)
    assert result(trial)["from"] == "evaluation"


def test_a_measure_that_was_undefined_has_no_mean_and_ranks_last(tmp_path: Path) -> None:
    trial = small_plan(tmp_path)[0]
    folder = RunFolder(trial.folder)
    folder.create({})
    for step, age in enumerate(([1.0, 2.0], [None, 4.0]), 19):
        means = {"return": [1.0, 1.0], "measures": {"age": age, "push": [1.0, 2.0]}}
        folder.append({"kind": "training", "step": step, "episodes": [1, 3], **means})
    found = result(trial)
    assert found["measures"] == {"age": None, "push": 1.5} and found["return"] == 1.0
    assert ranked([found, found | {"measures": {"age": -5.0}}], "age")[1] is found


def test_a_trial_that_began_with_other_settings_is_refused(tmp_path: Path) -> None:
    train_trial(small_plan(tmp_path)[0])
    with pytest.raises(PhytotronError, match="steps was 64 and is 128"):
        small_plan(tmp_path, steps=128)[0].finished()


def test_without_ray_a_sweep_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    arguments = ["sweep", TOY, "--setting", "discount=0.9,0.99", "--output", str(tmp_path / "new")]
    outcome = CliRunner().invoke(app, arguments)
    assert isinstance(outcome.exception, PhytotronError)
    assert str(outcome.exception) == "a sweep needs ray: pip install 'phytotron[rllib]'"
    assert not (tmp_path / "new").exists()
