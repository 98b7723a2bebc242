"""Tuning of rules whose best settings are known."""

from __future__ import annotations

import io
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from rich.console import Console
from rich.table import Table
from toy_environments import Corridor, RuledAiming

from phytotron.cli.tune import _scores_table
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import Measure
from phytotron.environments.lettuce import Lettuce
from phytotron.evaluation.scores import evaluate
from phytotron.evaluation.tuning import training_part, tune
from phytotron.planning.tuned_rules import save_tuned, tuned_path, tuned_rules


class FarAiming(RuledAiming):
    """With a measure that is undefined where it is not aimed far."""

    measures = (
        Measure(Quantity("action", "", "-", "far action"), lambda info: jnp.where(info["action"] < 1.9, jnp.nan, 4.0)),
    )


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def test_the_best_settings_are_found_and_said_to_be_worth_what_they_are_worth() -> None:
    env = RuledAiming()
    told: list[tuple[int, int]] = []
    found = tune(env, candidates=40, rounds=12, episodes=8, progress=lambda done, of: told.append((done, of)))
    assert found.tuned.settings == pytest.approx({"gain": 1.0, "offset": 0.0}, abs=0.1)
    untuned, tuned = found.scores.means()["return"]
    assert tuned > -0.05 > untuned and found.history[-1] == pytest.approx(tuned, abs=1e-5)
    assert found.tuned.found["score"] == tuned and found.tuned.found["windows"]["number"] == 8
    assert told[-1] == (60, 60) and told == sorted(told)
    save_tuned(tuned_path(env), found.tuned)
    assert evaluate(env, tuned_rules(env), episodes=8).means()["return"][0] == pytest.approx(tuned, abs=1e-5)


def test_another_objective_finds_other_settings_and_the_same_seed_the_same() -> None:
    env = RuledAiming()
    one, same, other = (tune(env, "action", 10, 4, 4, seed) for seed in (0, 0, 1))
    assert one.tuned == same.tuned != other.tuned
    assert one.scores.means()["action"][1] > 3.9


def test_settings_are_kept_where_the_objective_is_undefined_before_tuning() -> None:
    found = tune(FarAiming(), "action", 10, 4, 4)
    untuned, tuned = found.scores.means()["action"]
    assert np.isnan(untuned) and tuned > 3.5
    save_tuned(tuned_path(FarAiming(), "action"), found.tuned)
    assert found.tuned.found["untuned_score"] is None and "–" in shown(_scores_table(found))


def shown(table: Table) -> str:
    console = Console(width=100, file=io.StringIO())
    console.print(table)
    return console.file.getvalue()


def test_a_second_search_begins_from_what_is_known() -> None:
    env = RuledAiming()
    first = tune(env, candidates=30, rounds=8, episodes=8)
    save_tuned(tuned_path(env), first.tuned)
    again = tune(env, candidates=4, rounds=1, episodes=8, seed=9)
    assert again.history[0] >= first.history[-1] - 1e-6


def test_what_cannot_be_tuned_is_refused() -> None:
    with pytest.raises(PhytotronError, match="test/Corridor-v0 has no rules that can be tuned"):
        tune(Corridor())
    with pytest.raises(UnknownNameError, match="objective for test/RuledAiming-v0 'profit'; known: action, return"):
        tune(RuledAiming(), "profit")
    with pytest.raises(ValueRangeError, match="candidates is 1; expected a whole number, at least 4"):
        tune(RuledAiming(), candidates=1)


def test_rules_are_tuned_on_the_training_part_unless_the_task_is_on_it() -> None:
    assert training_part(Lettuce()).weather_name == "train"
    narrowed = Lettuce(weather="train")
    assert training_part(narrowed) is narrowed
    env = RuledAiming()
    assert training_part(env) is env
