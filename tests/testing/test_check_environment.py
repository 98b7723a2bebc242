"""What is wrong with an environment is named; what ships with the package has no fault."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from faulty_environments import declarations, dynamics, members
from faulty_environments.declarations import Foreign, Infinite, Instant, Keyed, Undescribed, Unspaced, Worded
from faulty_environments.dynamics import (
    Branching,
    ComputedParameters,
    Five,
    InNumpy,
    NarrowLoop,
    NoCosts,
    OtherDtype,
    Silent,
    Texts,
    Uninformed,
    Widening,
    WideningParameters,
)
from faulty_environments.members import Coloured, NotFetched, OnParts, PartlyUndefined, Unsuited
from faulty_environments.tank import Tank
from jax import Array

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.presentation import Presentation
from phytotron.testing import CHECKS, EnvironmentCheckError, check_environment, find_faults
from phytotron.testing.trial import Trial

FAULTS = {**declarations.FAULTS, **dynamics.FAULTS, **members.FAULTS}


def found_by(name: str, env: Any) -> list[str]:
    """The faults that one check finds."""
    return find_faults(env, [each for each in CHECKS if each != name])[name] or []


@pytest.mark.parametrize(("name", "kind", "text"), [(name, *each) for name in FAULTS for each in FAULTS[name]])
def test_a_fault_is_named_by_its_check_with_what_would_be_right(name: str, kind: type[Any], text: str) -> None:
    assert any(re.search(text, each) for each in found_by(name, kind())), found_by(name, kind())


def test_measures_that_reports_do_not_compare_may_be_undefined() -> None:
    assert len(found_by("measures", PartlyUndefined())) == 2


def test_a_baseline_that_is_not_compared_may_refuse_the_options_of_the_task() -> None:
    class Choosy(Unsuited):
        presentation = Presentation("Tank", compare=("random",))

    assert found_by("baselines", Choosy()) == []


def test_an_attribute_of_the_name_of_a_timeline_need_not_be_one() -> None:
    class Planned(Tank):
        timeline = ("fill", "empty")

    assert found_by("presentation", Planned()) == []


def test_every_check_is_tested_here() -> None:
    assert set(FAULTS) == set(CHECKS)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Branching, "tracing"),
        (InNumpy, "tracing"),
        (Silent, "tracing"),
        (Five, "tracing"),
        (Texts, "tracing"),
        (Uninformed, "tracing"),
        (Worded, "parameters"),
        (Keyed, "parameters"),
        (Instant, "episode_steps"),
        (Foreign, "interface"),
        (Infinite, "spaces"),
        (Unspaced, "spaces"),
    ],
)
def test_a_fault_that_stops_other_checks_is_the_only_one_and_the_others_are_not_reached(
    kind: type[Any], name: str
) -> None:
    found = find_faults(kind())
    assert {each: len(texts) for each, texts in found.items() if texts} == {name: 1}
    assert [each for each in ("purity", "state", "ends", "batch", "measures") if found[each] is not None] == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Widening, r"\['level'\] was float32\[\] and is float64\[\]; give the dtype wherever"),
        (WideningParameters, r"\['level'\] was float64\[\] and is float32\[\]; give the dtype wherever"),
        (NarrowLoop, r"transition raises TypeError at .*faulty_environments/dynamics.py:\d+: "),
    ],
)
def test_a_state_that_only_single_precision_keeps_is_named(kind: type[Any], text: str) -> None:
    with jax.enable_x64(False):
        found = find_faults(kind())
    assert [name for name, texts in found.items() if texts] == ["double_precision"]
    assert re.search(f"with jax_enable_x64, .*{text}", str(found["double_precision"]))


def test_parameters_that_cannot_be_traced_are_taken_as_they_are() -> None:
    with jax.enable_x64(False):
        assert found_by("double_precision", ComputedParameters()) == []


def test_a_state_that_changes_stops_only_the_checks_of_whole_episodes() -> None:
    found = find_faults(OtherDtype())
    assert {name for name, texts in found.items() if texts is None} == {
        "double_precision", "observation", "reward", "costs", "ends", "gradients", "measures"
    }  # fmt: skip
    assert found["state"] and found["purity"] == found["batch"] == []


def test_what_stops_a_check_is_reported_by_it_where_the_earlier_check_is_skipped() -> None:
    assert found_by("ends", OtherDtype()) == found_by("state", OtherDtype()) != []


@pytest.mark.parametrize("env", [OnParts(), NotFetched()], ids=lambda env: type(env).__name__)
def test_parts_with_weather_of_their_own_have_no_fault_even_where_weather_is_still_to_be_fetched(env: Any) -> None:
    assert find_faults(env, [each for each in CHECKS if each != "parts"]) == {"parts": []}


class Table:
    """It computes something at its first use, and keeps it."""

    @cached_property
    def leak(self) -> float:
        return 0.1


@dataclass(frozen=True)
class Tabled(Tank):
    table: Table = field(default_factory=Table)

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, action, {"leak": self.table.leak})


def test_what_an_attribute_computes_and_keeps_is_no_change_of_it() -> None:
    env = Tabled()
    assert found_by("purity", env) == []
    assert "leak" in vars(env.table)


def test_a_batch_that_computes_something_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(leaf: Array) -> Array:
        return leaf[None] + 1.0 if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf[None]

    monkeypatch.setattr(Trial, "batch", property(lambda trial: jax.tree.map(other, trial.step)))
    assert any("under vmap; let no result depend on how it is called" in each for each in found_by("batch", Tank()))


def test_what_cannot_be_pickled_is_named() -> None:
    class Local(Tank):
        """Not to be found by its name."""

    assert any("cannot be pickled" in each for each in found_by("copies", Local()))


def test_all_faults_are_in_one_error_each_under_its_name_and_once() -> None:
    class Broken(NoCosts, Undescribed):
        """Without costs, and wrongly described."""

    with pytest.raises(EnvironmentCheckError, match=r"has 6 faults:\n- fields: .*\n- fields: ") as caught:
        check_environment(Broken())
    assert isinstance(caught.value, PhytotronError)
    counts = {name: len(texts) for name, texts in caught.value.faults.items()}
    assert counts == {"fields": 3, "channels": 1, "costs": 1, "copies": 1}


def test_the_error_names_the_checks_that_could_not_run() -> None:
    with pytest.raises(
        EnvironmentCheckError, match=r"- state: .*\nnot reached because of these: .*reward, .*ends"
    ) as caught:
        check_environment(OtherDtype())
    assert {"observation", "reward", "ends"} <= set(caught.value.not_reached)


def test_a_channel_of_an_unknown_group_is_one_fault() -> None:
    assert len(found_by("channels", Coloured())) == 1


def test_a_sound_environment_passes_although_a_dict_among_its_options_has_no_hash() -> None:
    env = Tank(options={"leak": 0.2})
    with pytest.raises(TypeError, match="unhashable"):
        hash(env)
    check_environment(env)


def test_a_class_in_the_place_of_an_environment_is_refused() -> None:
    with pytest.raises(PhytotronError, match=r"Tank is a class; check an environment that it makes: Tank\(\)"):
        check_environment(Tank)  # type: ignore[arg-type]


def test_an_unknown_check_cannot_be_skipped() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'purity'"):
        check_environment(Tank(), skip=["purty"])
