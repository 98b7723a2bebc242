"""Comparison of controllers: against scipy, rliable and table 10 of GreenLight-Gym, by hand, and by their laws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.evaluation.statistics.comparison import (
    average_score_profile,
    confidence_interval,
    interquartile_mean,
    mann_whitney,
    mean_interval,
    mean_score,
    median_of_task_means,
    optimality_gap,
    pairwise_mann_whitney,
    performance_profile,
    probability_of_improvement,
    stratified_bootstrap,
)
from phytotron.evaluation.statistics.learning_curves import coefficient_of_variation, convergence_rate, smoothed

EXACT = 1e-9  # the same sums in another order
TASKS = np.linspace(0.3, 0.9, 12)
RANDOM = np.random.default_rng(2021)
X, Y = RANDOM.normal(TASKS, 0.25, (10, 12)).round(2), RANDOM.normal(TASKS - 0.1, 0.3, (7, 12)).round(2)
THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
AGGREGATES: dict[str, Callable[[Any], Any]] = {
    "interquartile mean": interquartile_mean,
    "mean": mean_score,
    "median of task means": median_of_task_means,
    "optimality gap": partial(optimality_gap, gamma=0.8),
}

# rliable 1.2.0 on X, and X against Y: value and ends of the interval, from 2000 draws with our resampled runs of seed 7
# (benchmarks/compare_rliable.py).
RLIABLE = {
    "interquartile mean": (0.5833333333333334, 0.5343166666666667, 0.6335083333333331),
    "mean": (0.6015833333333334, 0.5611666666666667, 0.6445854166666667),
    "median of task means": (0.5800000000000001, 0.5029875, 0.6675249999999998),
    "optimality gap": (0.2516666666666666, 0.22082708333333334, 0.28383541666666673),
}
RLIABLE_IMPROVEMENT = (0.6113095238095239, 0.5261755952380953, 0.6952529761904762)
RLIABLE_PROFILE = (
    (1.0, 0.8666666666666667, 0.5833333333333334, 0.325, 0.10833333333333334),
    (1.0, 0.8083333333333333, 0.5083333333333333, 0.25833333333333336, 0.058333333333333334),
    (1.0, 0.9166666666666666, 0.6583333333333333, 0.39166666666666666, 0.15833333333333333),
)
RLIABLE_AVERAGE_PROFILE = (
    (1.0, 1.0, 0.6666666666666666, 0.3333333333333333, 0.0),
    (1.0, 0.9166666666666666, 0.5, 0.16666666666666666, 0.0),
    (1.0, 1.0, 0.75, 0.4166666666666667, 0.08333333333333333),
)

# van Laatum et al., GreenLight-Gym, table 10: U and p of two runs with 60 episodes each
TABLE10 = [
    *((1611, "0.322"), (1730, "0.715"), (1682, "0.537"), (1871, "0.711"), (1950, "0.433"), (2130, "0.084")),
    *((1728, "0.707"), (1987, "0.328"), (2064, "0.167"), (1533, "0.162"), (2041, "0.207"), (2151, "0.066")),
    *((1737, "0.743"), (2298, "0.009"), (2374, "0.003"), (2014, "0.262"), (1469, "0.083"), (1411, "0.0414")),
    # Printed as 1893 (0.637) and 1953 (0.394), which samples without ties cannot give; one digit makes each fit.
    *((1893, "0.627"), (1963, "0.394")),
]

whole = st.integers(-1000, 1000).map(float)
tables = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=whole)
few = settings(max_examples=40, deadline=None)


# ---- against others


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregates_and_their_intervals_are_those_of_rliable(name: str) -> None:
    assert float(AGGREGATES[name](X)) == pytest.approx(RLIABLE[name][0], abs=EXACT)
    assert stratified_bootstrap(AGGREGATES[name], X, 7, 2_000) == pytest.approx(RLIABLE[name], abs=EXACT)


def test_the_probability_of_improvement_is_that_of_rliable() -> None:
    assert probability_of_improvement(X, Y, 7, 2_000) == pytest.approx(RLIABLE_IMPROVEMENT, abs=EXACT)


def test_profiles_are_those_of_rliable() -> None:
    for profile, reference in (
        (performance_profile, RLIABLE_PROFILE),
        (average_score_profile, RLIABLE_AVERAGE_PROFILE),
    ):
        found = profile(X, THRESHOLDS, 7, 2_000)
        assert np.array(found[1:]) == pytest.approx(np.array(reference), abs=EXACT)
        assert found.thresholds.tolist() == list(THRESHOLDS)


def test_aggregates_and_tests_are_those_of_scipy() -> None:
    assert interquartile_mean(X) == pytest.approx(scipy.stats.trim_mean(X.ravel(), 0.25), abs=EXACT)
    assert mann_whitney(X[0], Y[0]) == pytest.approx(tuple(scipy.stats.mannwhitneyu(X[0], Y[0])), abs=EXACT)
    shares = [scipy.stats.mannwhitneyu(x, y).statistic / 70.0 for x, y in zip(X.T, Y.T, strict=True)]
    assert probability_of_improvement(X, Y, draws=1).value == pytest.approx(np.mean(shares), abs=EXACT)
    low, high = scipy.stats.t.interval(0.9, 9, X[:, 0].mean(), scipy.stats.sem(X[:, 0]))
    assert mean_interval(X[:, 0], 0.9) == pytest.approx((X[:, 0].mean(), low, high), abs=EXACT)
    assert coefficient_of_variation(X) == pytest.approx(scipy.stats.variation(X, ddof=1), abs=EXACT)


def test_the_interval_is_the_one_of_scipys_bootstrap_within_its_noise() -> None:
    column = X[:, :1]
    theirs = scipy.stats.bootstrap((X[:, 0],), np.mean, n_resamples=10_000, method="percentile", rng=0)
    ours = stratified_bootstrap(mean_score, column)
    assert ours[1:] == pytest.approx(tuple(theirs.confidence_interval), abs=0.01)


@pytest.mark.parametrize(("statistic", "p"), TABLE10)
def test_u_gives_the_p_of_table_10(statistic: int, p: str) -> None:
    below, more = divmod(statistic, 60)  # how many of y are below each of x, and how many of x have one more
    y = np.arange(60.0)
    x = below + (np.arange(60) < more) - 0.5 + 1e-3 * y  # no two are equal
    found = mann_whitney(x, y)
    assert found.statistic == statistic
    assert found.p == pytest.approx(float(p), abs=0.51 * 10.0 ** -len(p.partition(".")[2]))


# ---- by hand


def test_the_middle_half_makes_the_interquartile_mean() -> None:
    assert interquartile_mean([[0.0, 1.0, -900.0, 2.0], [3.0, 500.0, 4.0, 5.0]]) == (1.0 + 2.0 + 3.0 + 4.0) / 4.0


def test_what_is_above_gamma_does_not_make_up_for_what_is_below() -> None:
    assert optimality_gap([[0.5, 9.0], [1.0, 0.0]], gamma=1.0) == (0.5 + 1.0) / 4.0


def test_the_median_is_taken_over_tasks_after_the_mean_over_runs() -> None:
    scores = [[0.0, 10.0, 5.0], [2.0, 30.0, 5.0]]
    assert median_of_task_means(scores) == 5.0 and mean_score(scores) == pytest.approx(26.0 / 3.0)


def test_a_profile_counts_what_is_above_its_threshold() -> None:
    scores = [[0.0, 4.0], [2.0, 4.0]]
    assert performance_profile(scores, [-1.0, 0.0, 2.0, 4.0], draws=9).share.tolist() == [1.0, 0.75, 0.5, 0.0]
    assert average_score_profile(scores, [0.5, 1.0, 3.0, 4.0], draws=9).share.tolist() == [1.0, 0.5, 0.5, 0.0]


def test_equal_scores_count_half_an_improvement() -> None:
    assert probability_of_improvement([[1.0], [2.0]], [[1.0], [0.0]], draws=1).value == (3.0 + 0.5) / 4.0
    assert probability_of_improvement([[1.0], [1.0]], [[1.0]] * 3) == (0.5, 0.5, 0.5)
    assert probability_of_improvement([[3.0, 0.0], [2.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]]) == (0.5, 0.5, 0.5)


def test_u_counts_the_pairs_that_the_first_sample_wins() -> None:
    assert mann_whitney([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == pytest.approx((0.0, 0.1))  # 2 of the 20 orders
    assert mann_whitney([4.0, 4.0], [4.0, 4.0]) == (2.0, 1.0)


def test_every_pair_of_runs_is_tested_once_in_order() -> None:
    found = pairwise_mann_whitney(X[:4])
    assert [(each.first, each.second) for each in found] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert found[4][2:] == mann_whitney(X[1], X[3])


def test_an_interval_of_confidence_is_that_of_student() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0])
    # t(0.975, 3) = 3.182
    assert confidence_interval(values) == pytest.approx(3.182446 * values.std(ddof=1) / 2.0, rel=1e-6)
    assert confidence_interval(values[:1]) == 0.0
    assert mean_interval([1.0, 3.0]) == pytest.approx((2.0, 2.0 - 12.7062047, 2.0 + 12.7062047), rel=1e-8)


# ---- laws


@few
@given(tables, st.randoms(use_true_random=False), st.integers(1, 4).map(lambda power: 2.0**power), whole)
def test_aggregates_ignore_the_order_and_follow_shift_and_scale(
    scores: np.ndarray, random: Any, scale: float, shift: float
) -> None:
    order = random.sample(range(len(scores)), len(scores))
    for statistic in (interquartile_mean, mean_score, median_of_task_means):
        assert statistic(scores[order]) == pytest.approx(statistic(scores), abs=EXACT)
        assert statistic(scale * scores + shift) == pytest.approx(scale * statistic(scores) + shift, abs=EXACT)
    gap = optimality_gap(scale * scores + shift, gamma=shift)
    assert gap == pytest.approx(scale * optimality_gap(scores[order], gamma=0.0), abs=EXACT)


@few
@given(tables, st.integers(1, 4).map(lambda power: 2.0**power), whole)
def test_intervals_follow_shift_and_scale(scores: np.ndarray, scale: float, shift: float) -> None:
    plain = np.array(stratified_bootstrap(interquartile_mean, scores, draws=30))
    moved = stratified_bootstrap(interquartile_mean, scale * scores + shift, draws=30)
    assert np.array(moved) == pytest.approx(scale * plain + shift, abs=EXACT)
    assert plain[1] <= plain[2]


@few
@given(tables, st.randoms(use_true_random=False))
def test_improvement_is_a_matter_of_rank_and_adds_up_to_one(x: np.ndarray, random: Any) -> None:
    y = x[random.sample(range(len(x)), len(x))] + random.choice([-1.0, 0.0, 0.5])
    value = probability_of_improvement(x, y, draws=2).value
    assert value + probability_of_improvement(y, x, draws=2).value == pytest.approx(1.0, abs=EXACT)
    assert probability_of_improvement(x**3, y**3, draws=2).value == pytest.approx(value, abs=EXACT)
    assert 0.0 <= value <= 1.0


@few
@given(tables)
def test_a_profile_never_rises(scores: np.ndarray) -> None:
    for found in (
        f(scores, np.linspace(-1001.0, 1001.0, 9), draws=30) for f in (performance_profile, average_score_profile)
    ):
        assert np.all(np.diff(found[1:]) <= 0.0)
        assert np.all((found.low <= found.high) & (found.share[0] == 1.0) & (found.share[-1] == 0.0))


@few
@given(tables)
def test_many_tables_at_once_give_what_each_gives(scores: np.ndarray) -> None:
    for statistic in AGGREGATES.values():
        both = statistic(np.stack([scores, -scores]))
        assert both == pytest.approx([statistic(scores), statistic(-scores)], abs=EXACT)


# ---- the bootstrap


def test_the_interval_covers_the_mean_of_a_normal_population() -> None:
    random = np.random.default_rng(0)
    found = [stratified_bootstrap(mean_score, random.normal(size=(10, 6)), seed, draws=500) for seed in range(300)]
    # A percentile interval of 10 runs is narrower than Student's by about sqrt(9 / 10): 0.93 ± 0.015 are expected.
    assert 0.885 <= np.mean([each.low <= 0.0 <= each.high for each in found]) <= 0.975


def test_the_interval_of_the_improvement_covers_one_half_for_equal_controllers() -> None:
    random = np.random.default_rng(1)
    pairs = (random.normal(size=(2, 8, 6)) for _ in range(200))
    found = [probability_of_improvement(*pair, seed, draws=300) for seed, pair in enumerate(pairs)]
    assert 0.89 <= np.mean([each.low <= 0.5 <= each.high for each in found]) <= 0.99


def test_runs_are_drawn_within_their_task() -> None:
    assert stratified_bootstrap(mean_score, np.tile([0.0, 100.0], (5, 1))) == (50.0, 50.0, 50.0)


def test_tasks_are_drawn_independently() -> None:
    scores = np.tile(np.arange(10.0)[:, None], 16)  # variance 8.25 in each of 16 tasks, 10 runs
    found = stratified_bootstrap(mean_score, scores)
    assert found.high - found.low == pytest.approx(2.0 * 1.96 * np.sqrt(8.25 / 160.0), rel=0.05)


def test_where_a_seed_is_lucky_everywhere_only_the_interval_over_runs_is_honest() -> None:
    random = np.random.default_rng(2)
    trials = [random.normal(size=(5, 1)) + random.normal(size=(5, 60)) for _ in range(200)]
    by_task = [stratified_bootstrap(mean_score, scores, draws=300) for scores in trials]
    by_run = [mean_interval(scores.mean(axis=1)) for scores in trials]
    covered = [np.mean([each.low <= 0.0 <= each.high for each in found]) for found in (by_task, by_run)]
    assert covered[0] < 0.4 and 0.9 <= covered[1] <= 0.99


def test_seed_and_size_of_a_block_make_the_interval_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = probability_of_improvement(X, Y, 3, 500)
    assert plain == probability_of_improvement(X, Y, 3, 500) != probability_of_improvement(X, Y, 4, 500)
    monkeypatch.setattr("phytotron.evaluation.statistics.comparison.BLOCK", 840 * 37)
    assert probability_of_improvement(X, Y, 3, 500) == plain


def test_more_confidence_takes_a_wider_interval() -> None:
    narrow, wide = (stratified_bootstrap(mean_score, X, confidence=each) for each in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


# ---- learning curves


def test_smoothing_averages_what_has_been() -> None:
    assert smoothed([[3.0, 1.0, 5.0, 0.0]], 2).tolist() == [[3.0, 2.0, 3.0, 2.5]]
    assert smoothed([3.0, 1.0, 5.0], 100).tolist() == [3.0, 2.0, 3.0]
    assert smoothed(X, 1).tolist() == X.tolist()
    returns = np.random.default_rng(0).normal(size=(2, 300))
    expected = [[np.mean(run[max(0, k - 99) : k + 1]) for k in range(300)] for run in returns]
    assert smoothed(returns, 100) == pytest.approx(np.array(expected), abs=EXACT)


def test_variation_is_relative_to_the_size_of_the_mean() -> None:
    assert coefficient_of_variation([[1.0, -1.0], [3.0, -3.0]]) == pytest.approx([np.sqrt(0.5)] * 2)
    assert coefficient_of_variation([[1.0, 0.0], [-1.0, 0.0]]).tolist() == [np.inf, 0.0]
    assert coefficient_of_variation(8.0 * X) == pytest.approx(coefficient_of_variation(X))


def test_the_rate_is_the_slope_of_the_mean_curve() -> None:
    steps = np.array([0.0, 1e6, 4e6, 5e6])
    assert convergence_rate(steps, [3e-6 * steps, 1e-6 * steps + 7.0]) == pytest.approx(2e-6)
    assert convergence_rate([0, 1, 2], [[0.0, 1.0, 4.0]]).tolist() == [1.0, 2.0, 3.0]


# ---- what cannot be


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: interquartile_mean([1.0, 2.0]), ShapeError, r"\(2,\); expected \(runs, tasks\).*\(runs, 1\)"),
        (lambda: mean_score(np.empty((3, 0))), ShapeError, "one column per task"),
        (lambda: median_of_task_means([[1.0, np.nan]]), ValueRangeError, "leave failed runs out"),
        (lambda: mean_score([[1.0, 2.0], [3.0]]), ValueRangeError, "rows of equal length"),
        (lambda: optimality_gap(X, gamma=np.inf), ValueRangeError, "gamma is inf"),
        (lambda: mean_interval([1.0]), ShapeError, "at least 2 numbers"),
        (lambda: mean_interval(X), ShapeError, r"expected \(values,\)"),
        (lambda: mean_interval([1.0, 2.0], confidence=95.0), ValueRangeError, "between 0 and 1"),
        (lambda: stratified_bootstrap(mean_score, X[:1]), ShapeError, "at least 2 runs"),
        (lambda: stratified_bootstrap(mean_score, X[None]), ShapeError, "one row per run"),
        (lambda: stratified_bootstrap(np.mean, X), ShapeError, "aggregate over the last two axes"),
        (lambda: stratified_bootstrap(mean_score, X, draws=0), ValueRangeError, "draws is 0"),
        (lambda: stratified_bootstrap(mean_score, X, seed=-1), ValueRangeError, "seed is -1"),
        (lambda: stratified_bootstrap(mean_score, X, confidence=0.0), ValueRangeError, "confidence is 0.0"),
        (lambda: performance_profile(X, []), ShapeError, "the thresholds"),
        (lambda: performance_profile(X, [np.nan]), ValueRangeError, "the thresholds"),
        (lambda: average_score_profile(X[:1], [0.0]), ShapeError, "at least 2 runs"),
        (lambda: probability_of_improvement(X, Y[:, :3]), ShapeError, "the same tasks as x"),
        (lambda: probability_of_improvement(X, Y[:1]), ShapeError, "y has shape"),
        (lambda: mann_whitney([], [1.0]), ShapeError, "x has shape"),
        (lambda: mann_whitney([1.0], [[1.0]]), ShapeError, "y has shape"),
        (lambda: mann_whitney([1.0], ["a"]), ValueRangeError, "y is .*expected numbers"),
        (lambda: pairwise_mann_whitney(X[:1]), ShapeError, "at least 2 runs"),
        (lambda: smoothed(X, 0), ValueRangeError, "window is 0"),
        (lambda: smoothed([], 3), ShapeError, "at least one point"),
        (lambda: smoothed(1.0, 3), ShapeError, "at least one point"),
        (lambda: coefficient_of_variation(X[:1]), ShapeError, "one row per run, at least 2"),
        (lambda: coefficient_of_variation([[np.inf], [1.0]]), ValueRangeError, "the curves"),
        (lambda: convergence_rate([0.0], [[1.0]]), ShapeError, "at least 2 points"),
        (lambda: convergence_rate([0.0, 1.0, 2.0], [[1.0, 2.0]]), ShapeError, "one number per point"),
        (lambda: convergence_rate([0.0, 0.0], [[1.0, 2.0]]), ValueRangeError, "rise from point to point"),
        (lambda: convergence_rate([0.0, np.nan], [[1.0, 2.0]]), ValueRangeError, "the steps"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(
    call: Callable[[], Any], error: type[PhytotronError], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()
