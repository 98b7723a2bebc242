"""Comparison of learned controllers: aggregates over runs and tasks with bootstrap intervals, and tests of rank.

Scores have the shape (runs, tasks): a run is a random seed, a task a test window or year. With a handful of runs a
point estimate says little, so every aggregate can have an interval by `stratified_bootstrap` [1]. It answers what other
seeds would give on the same tasks, and says nothing about other tasks. It draws the runs of each task independently, as
fits a suite where every task is trained for by itself. Where one trained controller is tested in all windows, a lucky
seed is lucky in many of them and the interval is too narrow; `mean_interval(scores.mean(axis=1))` counts a seed once.

References
----------
[1] R. Agarwal, M. Schwarzer, P. S. Castro, A. Courville and M. G. Bellemare 2021: Deep reinforcement learning at the
edge of the statistical precipice. NeurIPS 34.

[2] B. van Laatum, E. J. van Henten and S. Boersma: GreenLight-Gym, section 3.3.4 and table 10.

[3] W. G. Cochran 1977: Sampling techniques, third edition, chapter 6. Wiley.
"""

import math
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.evaluation.statistics.estimates import CONFIDENCE, DRAWS, Estimate

Numbers = NDArray[np.float64]

PROFILE_DRAWS = 2_000  # every threshold has its interval; [1] draws fewer here too
TRIMMED = 0.25  # share of the scores left out at either end of the interquartile mean
BLOCK = 1_000_000  # numbers held at once while resampling
TABLE = (-2, -1)  # the axes of runs and tasks


class Profile(NamedTuple):
    """Share of the scores above each threshold, and the ends of its confidence interval at that threshold."""

    thresholds: Numbers
    share: Numbers
    low: Numbers
    high: Numbers


class RankTest(NamedTuple):
    """Mann-Whitney's U of the first sample, and its two-sided p."""

    statistic: float
    p: float


class PairTest(NamedTuple):
    """The test between two runs, by their rows."""

    first: int
    second: int
    statistic: float
    p: float


def confidence_interval(values: Numbers, confidence: float = CONFIDENCE) -> float:
    """Return the half width of the interval of a mean, by Student's t; 0 for a single value."""
    from scipy.stats import t

    count = len(values)
    if count < 2:
        return 0.0
    return float(t.ppf(0.5 + 0.5 * confidence, count - 1) * np.std(values, ddof=1) / np.sqrt(count))


def mean_interval(values: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of at least two values and its interval by Student's t."""
    sample = _sample("the values", values, least=2)
    _check_settings(confidence=confidence)
    mean, half = float(sample.mean()), confidence_interval(sample, confidence)
    return Estimate(mean, mean - half, mean + half)


def ratio_interval(over: ArrayLike, under: ArrayLike, confidence: float = CONFIDENCE) -> Estimate:
    """Return the ratio of the means of `over` and `under`, both (windows,), and its interval.

    The interval is by Student's t of the deviations from the ratio, over - ratio * under, as for ratio estimators [3].
    A single window has no interval, and both ends are the value.
    """
    one, other = _sample("the values above", over), _sample("the values below", under)
    _check_settings(confidence=confidence)
    if one.shape != other.shape:
        raise ShapeError("the values below", str(one.shape), other.shape, "one for each of those above")
    if other.mean() == 0.0:
        raise ValueRangeError("the mean of the values below", 0.0, "another number: it divides")
    ratio = float(one.mean() / other.mean())
    half = confidence_interval(one - ratio * other, confidence) / abs(float(other.mean()))
    return Estimate(ratio, ratio - half, ratio + half)


# Aggregates: scores (..., runs, tasks) to (...), so that a bootstrap can take many tables at once.


def interquartile_mean(scores: ArrayLike) -> Numbers:
    """Return the mean of the middle half of all scores, runs and tasks alike [1]."""
    from scipy.stats import trim_mean

    tables = _tables("the scores", scores)
    return trim_mean(tables.reshape(*tables.shape[:-2], -1), TRIMMED, axis=-1)


def mean_score(scores: ArrayLike) -> Numbers:
    """Return the mean over runs and tasks."""
    return _tables("the scores", scores).mean(axis=TABLE)


def median_of_task_means(scores: ArrayLike) -> Numbers:
    """Return the median over tasks of the mean over runs, the usual median of benchmarks [1]."""
    return np.median(_tables("the scores", scores).mean(axis=-2), axis=-1)


def optimality_gap(scores: ArrayLike, gamma: float = 1.0) -> Numbers:
    """Return the mean shortfall of scores from `gamma`, for which scores above it do not compensate [1]."""
    if not math.isfinite(gamma):
        raise ValueRangeError("gamma", gamma, "a finite score, for example 1 where scores are normalised")
    return np.maximum(gamma - _tables("the scores", scores), 0.0).mean(axis=TABLE)


def stratified_bootstrap(
    statistic: Callable[[Numbers], ArrayLike],
    scores: ArrayLike,
    seed: int = 0,
    draws: int = DRAWS,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Return a statistic of the scores and its percentile interval; within every task, runs are drawn anew [1].

    `statistic` takes tables (tables, runs, tasks) to one number each (tables,), as the aggregates above do.
    """
    table = _table("the scores", scores)
    tried = np.shape(statistic(table[None]))
    if tried != (1,):
        meaning = "one number per table: aggregate over the last two axes, as in np.mean(scores, axis=(-2, -1))"
        raise ShapeError(f"the statistic of scores of shape {(1, *table.shape)}", "(1,)", tried, meaning)
    return Estimate(*map(float, _bootstrap(statistic, (table,), seed, draws, confidence)))


def performance_profile(
    scores: ArrayLike,
    thresholds: ArrayLike,
    seed: int = 0,
    draws: int = PROFILE_DRAWS,
    confidence: float = CONFIDENCE,
) -> Profile:
    """Return the share of all runs and tasks with a score above each threshold, the score distribution of [1]."""
    return _profile(lambda tables: tables, scores, thresholds, seed, draws, confidence)


def average_score_profile(
    scores: ArrayLike,
    thresholds: ArrayLike,
    seed: int = 0,
    draws: int = PROFILE_DRAWS,
    confidence: float = CONFIDENCE,
) -> Profile:
    """Return the share of tasks with a mean over runs above each threshold: the average-score distribution of [1]."""
    return _profile(lambda tables: tables.mean(axis=-2, keepdims=True), scores, thresholds, seed, draws, confidence)


def probability_of_improvement(
    x: ArrayLike, y: ArrayLike, seed: int = 0, draws: int = DRAWS, confidence: float = CONFIDENCE
) -> Estimate:
    """Return the mean over tasks of P(X > Y) + P(X = Y) / 2 for a run of each, and its interval [1].

    Both (runs, tasks), on the same tasks; the number of runs may differ. The runs of x and y are drawn independently.
    """
    first, second = _table("x", x), _table("y", y)
    if first.shape[1] != second.shape[1]:
        raise ShapeError("y", f"(runs, {first.shape[1]})", second.shape, "the same tasks as x, in the same order")
    return Estimate(*map(float, _bootstrap(_improvement, (first, second), seed, draws, confidence)))


def mann_whitney(x: ArrayLike, y: ArrayLike) -> RankTest:
    """Return Mann-Whitney's U of the sample x against y, two-sided; p is exact for small samples without ties."""
    from scipy.stats import mannwhitneyu

    statistic, p = mannwhitneyu(_sample("x", x), _sample("y", y), alternative="two-sided")
    return RankTest(float(statistic), float(p))


def pairwise_mann_whitney(scores: ArrayLike) -> tuple[PairTest, ...]:
    """Return the test between every two runs, over their scores in all tasks, as in table 10 of [2].

    As there, p is not corrected for the number of pairs: chance alone puts one pair in twenty below 0.05.
    """
    table = _table("the scores", scores)
    pairs = combinations(range(len(table)), 2)
    return tuple(PairTest(one, other, *mann_whitney(table[one], table[other])) for one, other in pairs)


def _improvement(x: Numbers, y: Numbers) -> Numbers:
    """Return the shares (tables,) in which x (tables, runs of x, tasks) exceeds y (tables, runs of y, tasks)."""
    one, other = x[:, :, None], y[:, None]
    better, equal = (np.count_nonzero(found, axis=(1, 2, 3)) for found in (one > other, one == other))
    return (better + 0.5 * equal) / math.prod((x.shape[1], *y.shape[1:]))


def _profile(
    kept: Callable[[Numbers], Numbers],
    scores: ArrayLike,
    thresholds: ArrayLike,
    seed: int,
    draws: int,
    confidence: float,
) -> Profile:
    table = _table("the scores", scores)
    levels = _sample("the thresholds", thresholds)

    def shares(tables: Numbers) -> Numbers:
        counted = kept(tables)
        return np.stack([np.mean(counted > level, axis=TABLE) for level in levels], axis=-1)

    return Profile(levels, *_bootstrap(shares, (table,), seed, draws, confidence))


def _bootstrap(
    statistic: Callable[..., ArrayLike], tables: tuple[Numbers, ...], seed: int, draws: int, confidence: float
) -> tuple[Numbers, Numbers, Numbers]:
    """Return value and ends of the percentile interval; the runs of table k are drawn by `default_rng((seed, k))`."""
    _check_settings(seed, draws, confidence)
    randoms = [np.random.default_rng((seed, k)) for k in range(len(tables))]
    tasks = tables[0].shape[1]
    block = max(1, BLOCK // (tasks * math.prod(map(len, tables))))
    found = []
    for start in range(0, draws, block):
        count = min(block, draws - start)
        chosen = (random.integers(len(t), size=(count, *t.shape)) for random, t in zip(randoms, tables, strict=True))
        resampled = (table[runs, np.arange(tasks)] for table, runs in zip(tables, chosen, strict=True))
        found.append(np.asarray(statistic(*resampled), np.float64))
    low, high = np.quantile(np.concatenate(found), [0.5 - 0.5 * confidence, 0.5 + 0.5 * confidence], axis=0)
    return np.asarray(statistic(*(table[None] for table in tables)), np.float64)[0], low, high


def _check_settings(seed: int = 0, draws: int = 1, confidence: float = CONFIDENCE) -> None:
    if seed < 0:
        raise ValueRangeError("seed", seed, "a whole number of 0 or more")
    if draws < 1:
        raise ValueRangeError("draws", draws, "at least 1, better some thousands")
    if not 0.0 < confidence < 1.0:
        raise ValueRangeError("confidence", confidence, "between 0 and 1, for example 0.95")


def _sample(what: str, values: ArrayLike, least: int = 1) -> Numbers:
    """Return checked values as an array (values,)."""
    sample = finite_numbers(what, values)
    if sample.ndim != 1 or len(sample) < least:
        raise ShapeError(what, "(values,)", sample.shape, f"a list of at least {least} numbers")
    return sample


def _table(what: str, scores: ArrayLike) -> Numbers:
    """Return checked scores as an array (runs, tasks) with at least two runs."""
    table = _tables(what, scores)
    if table.ndim != 2 or len(table) < 2:
        meaning = "one row per run, one column per task; with a single run there is nothing to say about others"
        raise ShapeError(what, "(runs, tasks) with at least 2 runs", table.shape, meaning)
    return table


def _tables(what: str, scores: ArrayLike) -> Numbers:
    """Return checked scores as an array (..., runs, tasks)."""
    tables = finite_numbers(what, scores)
    if tables.ndim < 2 or not tables.size:
        meaning = "one row per run, one column per task; scores on a single task are (runs, 1)"
        raise ShapeError(what, "(runs, tasks)", tables.shape, meaning)
    return tables


def finite_numbers(what: str, values: ArrayLike) -> Numbers:
    """Return an array of numbers, none of them NaN or infinite; `what` names them in the error."""
    try:
        numbers = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise ValueRangeError(what, values, "numbers, in rows of equal length") from None
    if not np.all(np.isfinite(numbers)):
        raise ValueRangeError(what, "NaN or infinite in part", "finite numbers; leave failed runs out and say so")
    return numbers
