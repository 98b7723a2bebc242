"""The controller `tuned-rules`: which settings it uses, and files of settings."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Corridor, RuledAiming

from phytotron.controllers import make_controller
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.environment import Environment
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.registry import make
from phytotron.environments.greenhouse import Greenhouse, RuleBased
from phytotron.episodes.engine import is_policy
from phytotron.evaluation.scores import evaluate, evaluate_many
from phytotron.papers.greenlight_gym.experiments.recipes import REWARDS, training_task, windows_task
from phytotron.papers.greenlight_gym.experiments.windows import windows_at_hand
from phytotron.planning.tuned_rules import (
    TunedSettings,
    find_tuned,
    load_tuned,
    relevant_options,
    save_tuned,
    tuned_path,
    tuned_rules,
    with_settings,
)

FOUND = TunedSettings("test/RuledAiming-v0", {}, "return", {"gain": 1.25, "offset": -0.5}, {"score": -1.0})


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def acts(env: Environment[Any, Any], controller: Any) -> Any:
    key = jax.random.key(0)
    observation, state = env.reset(key)
    return np.asarray(controller.act(key, controller.start(key), observation, state, env.default_params)[0])


def test_settings_are_kept_by_what_they_depend_on() -> None:
    env = RuledAiming()
    save_tuned(tuned_path(env), FOUND)
    assert find_tuned(env) == FOUND == find_tuned(RuledAiming(comment="something else"))
    assert find_tuned(RuledAiming(bonus=1.0)) is None and find_tuned(env, "action") is None
    observation, _ = env.reset(jax.random.key(0))
    assert acts(env, make_controller("tuned-rules", env)) == pytest.approx(1.25 * np.asarray(observation) - 0.5)


def test_settings_that_come_with_a_task_are_used_where_the_cache_has_none(tmp_path: Path) -> None:
    env = RuledAiming(folder=tmp_path)
    save_tuned(tmp_path / "with_bonus.json", TunedSettings(env.id, {"bonus": "1.0"}, "return", FOUND.settings))
    assert find_tuned(env) is None
    save_tuned(tmp_path / "plain.json", FOUND)
    assert find_tuned(env) == FOUND
    better = TunedSettings(env.id, {}, "return", {"gain": 1.0, "offset": 0.0})
    save_tuned(tuned_path(env), better)
    assert find_tuned(env) == better


def test_settings_beside_the_module_of_a_task_come_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "ruled_outside.py"
    module.write_text(
        "from toy_environments import RuledAiming\n\n"
        "class Outside(RuledAiming):\n    tunable_rules = RuledAiming.tunable_rules\n\n"
        "class Derived(Outside):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    outside = importlib.import_module("ruled_outside")
    assert find_tuned(outside.Outside()) is None
    save_tuned(tmp_path / "tuned_rules" / "plain.json", FOUND)
    of_another_task = TunedSettings("test/Other-v0", {}, "return", {"speed": 1.0})
    save_tuned(tmp_path / "tuned_rules" / "other.json", of_another_task)
    assert find_tuned(outside.Outside()) == FOUND == find_tuned(outside.Derived())
    assert find_tuned(RuledAiming()) is None
    monkeypatch.delattr(outside, "__file__")  # as in a notebook
    assert find_tuned(outside.Outside()) is None


def test_without_settings_the_remedy_is_named() -> None:
    with pytest.raises(PhytotronError, match="not been tuned with these options; tune them with `phytotron tune"):
        tuned_rules(RuledAiming())
    with pytest.raises(PhytotronError, match="test/Corridor-v0 has no rules that can be tuned; its baselines are"):
        tuned_rules(Corridor())
    with pytest.raises(PhytotronError, match="phytotron tune phytotron/Greenhouse-v0"):
        tuned_rules(Greenhouse(control_interval=900))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"format": "other"}, "no settings can be read from it .its format is not phytotron-tuned-rules-1"),
        ({"settings": {"gain": 1.0}}, "it lacks the setting 'offset'"),
        ({"settings": {"gain": 1.0, "offset": 0.0, "speed": 2.0}}, "the rules have no setting 'speed'"),
        ({"settings": {"gain": 1.0, "offset": float("nan")}}, "the setting 'offset' is nan"),
        ({"settings": {"gain": 1.0, "offset": "much"}}, "no settings can be read from it .*much"),
        ({"extra": 1}, "no settings can be read from it .*extra"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(change: dict[str, Any], text: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    save_tuned(path, FOUND)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DataFileError, match=rf"settings\.json: {text}.*make it again with `phytotron tune`"):
        load_tuned(path, RuledAiming().tunable_rules)


def test_weather_and_observation_of_the_greenhouse_do_not_tell_its_settings_apart() -> None:
    assert relevant_options(Greenhouse()) == {}
    assert relevant_options(Greenhouse(weather="embedded:test", observation="published_code", episode_days=1.0)) == {}
    assert relevant_options(Greenhouse(reward="additive")) == {"reward": "'additive'"}


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("Lettuce", {"episode_days": 0.25}),
        pytest.param("Greenhouse", {"episode_days": 0.05}, marks=pytest.mark.slow),
        pytest.param("GreenhouseSetpoint", {"episode_days": 0.125}, marks=pytest.mark.slow),
        pytest.param("WheatNitrogen", {}, marks=pytest.mark.slow),
        pytest.param("Intercrop", {}, marks=pytest.mark.slow),
    ],
)
def test_many_candidates_in_one_batch_do_what_each_does_alone(id: str, options: dict[str, Any]) -> None:
    env = make(f"phytotron/{id}-v0", **options)
    rules = env.tunable_rules
    others = {each.name: 0.3 * each.low + 0.7 * each.high for each in rules.settings}
    both = [with_settings(env, rules, settings) for settings in (rules.untuned, others)]
    assert all(map(is_policy, both))
    together = evaluate_many(env, both, episodes=3).values["return"]
    alone = [evaluate(env, each, episodes=3).values["return"][0] for each in both]
    assert together == pytest.approx(np.stack(alone), rel=1e-4, abs=1e-3) and np.any(together[0] != together[1])


def test_untuned_settings_are_those_of_the_rule_based_controller() -> None:
    env = Greenhouse(episode_days=0.05)
    rules = env.tunable_rules
    untuned = with_settings(env, rules, rules.untuned)
    assert acts(env, untuned) == pytest.approx(acts(env, RuleBased(env)), abs=1e-6)
    assert isinstance(untuned, RuleBased) and untuned.settings is not None
    assert {leaf.dtype for leaf in jax.tree.leaves(untuned)} == {jnp.dtype(env.precision)}


@pytest.mark.parametrize("reward", REWARDS)
def test_the_windows_of_the_paper_have_the_settings_of_its_training_task(reward: str) -> None:
    training = training_task(None, reward, episode_days=0.05)
    found = windows_at_hand(None, quick=True, trained_on=range(2008, 2011))
    tested = windows_task(None, found.starts[found.largest_test], found.series, reward=reward, episode_days=0.05)
    for env in (training, tested):
        settings = find_tuned(env)
        assert settings is not None and settings.found["score"] > settings.found["untuned_score"]
        assert "training_task" in settings.found["command"]
    assert acts(tested, make_controller("tuned-rules", tested)).shape == (4,)


@pytest.mark.parametrize(
    "id",
    [
        "Greenhouse",
        "GreenhouseSetpoint",
        "Lettuce",
        "WheatNitrogen",
        pytest.param("Intercrop", marks=pytest.mark.slow),
        pytest.param("IntercropField", marks=pytest.mark.slow),
    ],
)
def test_every_environment_with_rules_comes_with_settings_that_were_tuned_by_the_command(id: str) -> None:
    env = make(f"phytotron/{id}-v0")
    found = find_tuned(env)
    assert found is not None and found.environment == env.id and found.objective == "return"
    assert found.found["score"] > found.found["untuned_score"]
    assert found.found["command"].startswith(f"phytotron tune {env.id} ")
