"""Agents of the papers: trained once, gone on with, read, and put into the package."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from training_runs import WeatheredCountdown

from phytotron.agents.policy_files import load_policies, read_about
from phytotron.core.errors import PhytotronError
from phytotron.papers import trained as module
from phytotron.papers.export import export_run, rounded, thinned
from phytotron.papers.result import Settings
from phytotron.papers.trained import Recipe, Task, is_committed, trained
from phytotron.training.folder import RunFolder
from phytotron.training.setup import make_environment

SMALL = {"num_envs": 2, "rollout": 4, "minibatch": 8, "epochs": 1, "actor": (4,), "critic": (4,)}


def toy_task(folder: Path | None) -> Task:
    return Task(WeatheredCountdown(), {"weather": "sunny", "weather_folder": "/somewhere"})


RECIPE = Recipe("toys/countdown", toy_task, changes={**SMALL, "steps": 160}, seeds=(0, 1), quick_changes={"steps": 80})


def test_training_gives_a_policy_for_every_seed_and_tells_how_far_it_is(tmp_path: Path) -> None:
    shares: list[float] = []
    found = trained(RECIPE, Settings(None, False, lambda what, share: shares.append(share), True, tmp_path))
    assert found.seeds == (0, 1) and len(found.policies) == 2 and found.steps == 160
    assert found.lines[-1]["reason"] == "finished" and found.options["weather"] == "sunny"
    assert shares[-1] == 1.0 and "trained here" in found.origin


def test_what_was_trained_before_is_only_read(tmp_path: Path) -> None:
    settings = Settings(train=True, runs=tmp_path)
    first = trained(RECIPE, settings)
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.safetensors")}
    again = trained(RECIPE, settings)
    assert again.lines == first.lines
    assert written == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.safetensors")}


def test_what_was_interrupted_goes_on(tmp_path: Path) -> None:
    settings = Settings(train=True, runs=tmp_path)
    whole = trained(RECIPE, dataclasses.replace(settings, runs=tmp_path / "whole"))

    def stop(what: str, share: float) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        trained(RECIPE, dataclasses.replace(settings, progress=stop))
    found = trained(RECIPE, settings)
    assert found.steps == 160
    np.testing.assert_array_equal(
        found.policies[1].network.layers[0].weight, whole.policies[1].network.layers[0].weight
    )


def test_other_settings_are_refused_in_the_same_folder(tmp_path: Path) -> None:
    settings = Settings(train=True, runs=tmp_path)
    trained(RECIPE, settings)
    with pytest.raises(PhytotronError, match=r"settings\.steps was 160 and is 320"):
        trained(dataclasses.replace(RECIPE, changes={**SMALL, "steps": 320}), settings)


@pytest.mark.slow
def test_the_quick_budget_has_a_folder_of_its_own(tmp_path: Path) -> None:
    found = trained(RECIPE, Settings(None, True, train=True, runs=tmp_path))
    assert found.steps == 80 and (tmp_path / "toys" / "countdown_quick" / "config.json").exists()


def test_without_a_trained_run_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMITTED", tmp_path)
    with pytest.raises(PhytotronError, match=r"toys/countdown .* --train"):
        trained(RECIPE, Settings())


def test_an_exported_run_is_read_without_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = trained(RECIPE, Settings(train=True, runs=tmp_path / "runs"))
    monkeypatch.setattr(module, "COMMITTED", tmp_path / "package")
    target = tmp_path / "package" / "toys" / "countdown"
    export_run(tmp_path / "runs" / "toys" / "countdown", target)
    assert is_committed(RECIPE)
    found = trained(RECIPE, Settings())
    assert found.seeds == here.seeds and found.steps == here.steps and "comes with the package" in found.origin
    ours, theirs = (jnp.asarray(each.policies[0].network.layers[0].weight) for each in (found, here))
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4)
    assert read_about(target / "policies" / "seed_0")["precision"] == "float16"
    assert "/somewhere" not in "".join(path.read_text() for path in target.rglob("*.json"))
    assert sorted(path.name for path in target.iterdir()) == ["config.json", "metrics.jsonl", "policies"]


def test_an_unfinished_run_is_not_exported(tmp_path: Path) -> None:
    trained(RECIPE, Settings(train=True, runs=tmp_path))
    run = RunFolder(tmp_path / "toys" / "countdown")
    run.keep_lines(3)
    with pytest.raises(PhytotronError, match="not trained to its end"):
        export_run(run.path, tmp_path / "copy")


def test_thinned_metrics_keep_the_ends_and_all_that_is_not_training() -> None:
    lines = [{"kind": "training", "step": n} for n in range(1000)]
    lines.insert(500, {"kind": "evaluation", "step": 499})
    lines.append({"kind": "end", "step": 999})
    kept = thinned(lines, 100)
    assert len(kept) == 102 and kept[0]["step"] == 0 and kept[-2]["step"] == 999 and kept[-1]["kind"] == "end"
    assert {"kind": "evaluation", "step": 499} in kept
    assert thinned(lines, 2000) == lines


def test_numbers_are_rounded_however_deep_they_are() -> None:
    assert json.dumps(rounded({"a": [1.23456789, None], "b": 3})) == '{"a": [1.23457, null], "b": 3}'


def test_the_agents_of_the_shared_field_fit_its_task() -> None:
    run = RunFolder(module.COMMITTED / "intercrop_field" / "ppo")
    env = make_environment(run.config()["environment"]["id"], {})
    assert len(load_policies(run.list_policies(), env)) == len(run.config()["seeds"]) == 5
