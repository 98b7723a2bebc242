"""Shares of what is attainable, from numbers that can be checked by hand, and with plans that are stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.environments.lettuce import Lettuce
from phytotron.episodes.engine import windows
from phytotron.evaluation.attainable import attainable_at_hand, of_windows, share_of
from phytotron.evaluation.scores import Scores, evaluate_many
from phytotron.evaluation.statistics.comparison import ratio_interval
from phytotron.planning.hindsight import make_plans
from phytotron.planning.oracle import following
from phytotron.planning.plans import keep_plans


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def test_a_share_is_that_of_the_means_and_of_every_window() -> None:
    lower, upper = np.array([10.0, 20.0]), np.array([20.0, 50.0])
    found = share_of(np.array([[15.0, 50.0], [10.0, 20.0]]), lower, upper)
    assert found.per_window.tolist() == [[0.5, 1.0], [0.0, 0.0]]
    assert found.per_row.tolist() == [35.0 / 40.0, 0.0] and found.value == pytest.approx(17.5 / 40.0)
    assert found.over_windows is not None and found.over_seeds is not None
    said = found.as_dict(("a", "b"))
    assert said["share"] == found.value and said["per_window"] == {"a": 0.25, "b": 0.5}


def test_where_hindsight_gains_nothing_there_is_no_share() -> None:
    found = share_of(np.array([[1.0, 2.0]]), np.array([1.0, 2.0]), np.array([1.0, 3.0]))
    assert np.isnan(found.per_window[0, 0]) and found.per_window[0, 1] == 0.0 and found.value == 0.0
    worse = share_of(np.array([[1.0, 2.0]]), np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    assert np.isnan(worse.value) and worse.over_windows is None
    assert worse.as_dict(("a", "b"))["share"] is None and worse.as_dict(("a", "b"))["per_row"] == [None]
    alone = share_of(np.array([[1.5]]), np.array([1.0]), np.array([2.0]))
    assert (alone.value, alone.over_windows, alone.over_seeds) == (0.5, None, None)


def test_the_interval_of_a_ratio_is_right_about_as_often_as_it_says() -> None:
    random, held, draws, count = np.random.default_rng(0), 0, 2000, 12
    for _ in range(draws):
        under = random.uniform(1.0, 3.0, count)
        found = ratio_interval(0.6 * under + random.normal(0.0, 0.3, count), under)
        held += found.low <= 0.6 <= found.high
    assert held / draws == pytest.approx(0.95, abs=0.02)
    exact = ratio_interval([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert exact == pytest.approx((0.5, 0.5, 0.5))
    with pytest.raises(ValueRangeError, match="it divides"):
        ratio_interval([1.0, 2.0], [1.0, -1.0])
    with pytest.raises(ShapeError, match="one for each of those above"):
        ratio_interval([1.0, 2.0], [1.0])


@pytest.mark.slow
def test_windows_without_a_plan_are_left_out() -> None:
    env = Lettuce(episode_days=0.25, weather=[40, 60, 80])
    assert attainable_at_hand(env) is None
    plans = make_plans(env, windows(env, episodes=2), iterations=20)
    keep_plans(env, plans)
    found = attainable_at_hand(env)
    assert found is not None and found.labels == tuple(plans) == ("2014-02-09", "2014-03-21")
    assert found.baseline == "rule-based" and found.decisive == ("return",)
    scores = evaluate_many(env, [following(env, plans | {"2014-03-01": next(iter(plans.values()))})])
    assert scores.labels[1] == "2014-03-01" and found.share(scores).value == pytest.approx(1.0, abs=1e-3)
    only = found.only(["2014-03-21", "2015-01-01"])
    assert only is not None and only.labels == ("2014-03-21",) and only.half_way.shape == (1,)
    assert found.only(["2015-01-01"]) is None


def test_scores_on_some_windows_are_those_of_their_columns() -> None:
    values = {"return": np.array([[1.0, 2.0, 3.0]])}
    scores = Scores(("a", "b", "c"), (), values, {})
    assert of_windows(scores, ("c", "a")).values["return"].tolist() == [[3.0, 1.0]]
    assert of_windows(scores, scores.labels) is scores


def test_a_measure_that_is_undefined_in_a_window_has_no_share() -> None:
    found = share_of(np.array([[1.0, np.nan]]), np.array([0.0, 0.0]), np.array([2.0, 2.0]))
    assert np.isnan(found.value) and found.per_window.tolist()[0][0] == 0.5
