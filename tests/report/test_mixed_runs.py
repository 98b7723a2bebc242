"""Pages about runs of one environment with different options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Aiming, Line
from untrained_runs import untrained_run
from weather_parts import PartedAiming

from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.outcomes import Measure
from phytotron.core.presentation import Competitor, Presentation
from phytotron.environments.lettuce import Lettuce
from phytotron.evaluation.scores import evaluate_many
from phytotron.report.comparability import check_comparable, check_defined
from phytotron.report.gathering import Entry, Section, gather, judged_on, read_runs
from phytotron.report.opening import verdict
from phytotron.report.pages import run_page
from phytotron.report.tables import compare
from phytotron.report.zoom_plot import zoom_data

ID = "weather_parts:PartedAiming"


def section(place: Path, *options: dict[str, Any], compared: tuple[str, ...] | None = None) -> Section:
    folders = [untrained_run(place / f"run{n}", ID, (0,), **each) for n, each in enumerate(options)]
    return gather(read_runs(folders), lambda text: None, compared)[0]


@pytest.mark.parametrize("lengths", [(3, 5), (5, 3)])
def test_shorter_episodes_are_drawn_as_far_as_they_go(tmp_path: Path, lengths: tuple[int, int]) -> None:
    found = section(tmp_path, {"shots": lengths[0]}, {"shots": lengths[1]})
    window = zoom_data(found)["windows"][0]
    assert window["label"] == "mark 3" and window["x"] == [1, 2, 3, 4, 5]
    drawn = [sum(value is not None for value in row) for row in window["series"]["sum of return"]]
    assert drawn == [*lengths, lengths[0]]  # the baseline acts in the environment of the first run
    assert "returns may not compare" in run_page([found])


def test_what_only_some_runs_have_is_drawn_of_those(tmp_path: Path) -> None:
    found = section(tmp_path, {}, {"choices": True})
    series = zoom_data(found)["windows"][0]["series"]
    assert {"aim", "action", "mark"} <= series.keys()
    has = {name: [row[0] is not None for row in rows] for name, rows in series.items()}
    assert has["aim"] == [True, False, True] and has["action"] == [False, True, False] and all(has["mark"])
    run_page([found])


def test_runs_on_other_windows_are_refused_before_they_are_examined(tmp_path: Path) -> None:
    words = "PPO run0 and PPO run1 cannot be .*, as they differ in their windows: mark 3, mark 4, and .* 1"
    with pytest.raises(PhytotronError, match=f"{words}; make a report without PPO run1"):
        section(tmp_path, {}, {"marks": [1.0]})


def test_agents_that_are_asked_for_other_measures_are_refused() -> None:
    class Unmeasured(PartedAiming):
        measures = ()

    one, other = (Competitor(type(env).__name__, "", env, (), trained=True) for env in (PartedAiming(), Unmeasured()))
    check_comparable([one, one])
    with pytest.raises(PhytotronError, match="as they differ in their measures: action, and none"):
        check_comparable([one, other])


def test_agents_that_are_tested_on_other_weather_are_refused_also_where_their_windows_have_the_same_labels() -> None:
    class Elsewhere(PartedAiming):
        weather_name = "elsewhere"  # type: ignore[assignment]

    one, other = (Competitor(type(env).__name__, "", env, (), trained=True) for env in (PartedAiming(), Elsewhere()))
    with pytest.raises(PhytotronError, match="as they differ in their weather: train, and elsewhere"):
        check_comparable([one, other])
    check_comparable([one, replace(other, trained=False)])


def test_long_lists_that_differ_in_the_middle_are_told_apart() -> None:
    one, other = (
        Competitor(name, "", PartedAiming(marks=marks), (), trained=True)
        for name, marks in (("one", (1.0, 2.0, 3.0, 9.0)), ("other", (1.0, 5.0, 3.0, 9.0)))
    )
    with pytest.raises(PhytotronError, match="in their windows: mark 2 as number 2, and mark 5; make"):
        check_comparable([one, other])


@pytest.mark.parametrize("member", ["headline", "decisive"])
def test_a_measure_that_is_compared_has_to_be_defined_in_every_episode(member: str) -> None:
    class Undefined(PartedAiming):
        measures = (
            Measure(PartedAiming.measures[0].quantity, lambda info: jnp.where(info["action"] > 3.5, jnp.nan, 1)),
        )

        @property
        def presentation(self) -> Presentation:
            named: dict[str, Any] = {"headline": ("action",), "decisive": "action"}
            return replace(super().presentation, **{member: named[member]})

    env = Undefined(weather="test")
    aimed = Competitor("aimed", "", env, (Line(1.0, 0.0),))
    scores = evaluate_many(env, aimed.controllers)
    words = (
        r"action of .* is undefined for aimed in 1 of 2 windows, the first of them mark 4; .* `presentation.headline`"
    )
    with pytest.raises(PhytotronError, match=words):
        check_defined(aimed, scores)
    check_defined(replace(aimed, environment=PartedAiming(weather="test")), scores)


def test_scores_on_other_windows_are_not_compared() -> None:
    with pytest.raises(ShapeError, match="one score and one block for every window"):
        compare(np.zeros((1, 3)), np.zeros((1, 2)), ("2001", "2002", "2003"))


def test_weather_of_one_run_alone_is_drawn_whichever_comes_first(tmp_path: Path) -> None:
    found = section(tmp_path, {"choices": True}, {}, compared=("middle",))
    assert [None in row for row in zoom_data(found)["windows"][0]["series"]["aim"]] == [True, False, True]
    common = replace(found, trained=tuple(map(as_weather, found.trained)))
    (drawn,) = zoom_data(common)["windows"][0]["series"]["aim"]
    assert None not in drawn


def as_weather(entry: Entry) -> Entry:
    """Return an entry whose channel "aim", if it has one, is the same for all controllers, as weather is."""
    found = entry.examination
    channels = tuple(replace(each, group="weather") if each.name == "aim" else each for each in found.channels)
    return replace(entry, examination=replace(found, channels=channels))


def test_a_run_on_a_choice_of_days_is_judged_on_the_test_part_of_the_task() -> None:
    chosen = Lettuce(weather=[80, 82], episode_days=1.0)
    assert judged_on(chosen).weather_name == "benchmark"
    aiming = Aiming()
    assert judged_on(aiming) is aiming


def test_windows_of_one_year_are_not_said_to_decide_anything(tmp_path: Path) -> None:
    found = section(tmp_path, {"marks": [3.0]})
    assert "with one window, it cannot be said whether this is chance" in verdict(found)
