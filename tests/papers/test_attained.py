"""What is attainable in the papers' test years, from the plans that come with the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.environments.wheat import WheatNitrogen
from phytotron.evaluation.attainable import attainable_at_hand, share_of
from phytotron.papers.attained import share_note, share_rows, together
from phytotron.papers.cropgym.experiments import agents, climates
from phytotron.papers.cropgym.experiments.learned import attained
from phytotron.papers.intercropgym.experiments.recipes import PRICE, TASKS, TEST, environment
from phytotron.papers.result import Row
from phytotron.planning.plans import COMMITTED, plans_at_hand


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def test_the_plans_of_the_package_are_small() -> None:
    sizes = [path.stat().st_size for path in COMMITTED.glob("*.npz")]
    assert sizes and sum(sizes) < 2_000_000


@pytest.mark.parametrize("beta", TASKS.values())
def test_two_crops_have_a_plan_for_every_test_year(beta: float) -> None:
    env = environment(beta, TEST)
    assert list(plans_at_hand(env)) == list(env.starts().labels)


@pytest.mark.slow
def test_two_crops_come_to_what_their_plans_say_and_to_more_than_split_practice() -> None:
    env = environment(PRICE, TEST)
    plans, found = plans_at_hand(env), attainable_at_hand(env)
    assert found is not None and found.baseline == "split-practice"
    lower, upper = found.pair("return")
    assert upper == pytest.approx([plans[label].value for label in found.labels], abs=0.05) and np.all(upper >= lower)


def test_wheat_has_a_plan_for_every_test_year() -> None:
    for weather in ("embedded_wheat:test", climates.northern_test(None).weather):
        env = WheatNitrogen(weather=weather)
        assert list(plans_at_hand(env)) == list(env.starts().labels)


@pytest.mark.slow
def test_plans_are_as_good_as_the_best_single_dose_and_standard_practice_attains_nothing() -> None:
    weather = climates.northern_test(None).cut(quick=True).weather
    ceres, usual = agents.in_hindsight(weather), agents.with_dose(weather, 150.0)
    rows, note = attained("Ceres", ceres, usual, weather, "north: ")
    share = {(row.setting, row.quantity): row.ours for row in rows}
    assert share["north: Ceres", "attainable share of cumulative reward"] == pytest.approx(99.0, abs=3.0)
    assert share["north: oracle", "cumulative reward, mean"] == pytest.approx(ceres.episode_return.mean(), abs=1.0)
    assert note.startswith("Attainable share: what is gained over SP")
    (none,) = (row for row in attained("SP", usual, usual, weather)[0] if row.unit == "%")
    assert none.ours == pytest.approx(0.0)


def test_rows_have_the_interval_that_is_asked_for_and_no_share_has_no_row() -> None:
    share = share_of(np.array([[1.0, 3.0], [2.0, 2.0]]), np.zeros(2), np.array([4.0, 4.0]))
    (over_windows,), (over_seeds,) = (share_rows("x", {"return": share}, each) for each in (False, True))
    assert over_windows.ours == over_seeds.ours == 50.0 and over_windows.interval != over_seeds.interval
    assert share_rows("x", {"return": share_of(np.ones((1, 2)), np.ones(2), np.ones(2))}) == []
    first, second = Row("a", "x", "-", 1.0), Row("b", "x", "-", 1.0)
    assert together([first, second, *share_rows("a", {"return": share})])[1].quantity == "attainable share of return"
    assert "no plans" in share_note(0, 5, "SP") and "2 of 5" in share_note(2, 5, "SP")
