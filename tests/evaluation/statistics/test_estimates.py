"""Medians and bootstrap intervals: by themselves, and on the results per year that the paper's tables were made of."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.evaluation.statistics.estimates import (
    correlation,
    median,
    resampled_medians,
    share_not_above_zero,
    slope,
)
from phytotron.papers.cropgym import numbers as paper

QUANTITIES = (("cumulative reward", "reward", 1.0), ("nitrogen", "fertilizer", 10.0), ("yield", "WSO", 0.01))
PRINTED = {"cumulative reward": 0.005, "nitrogen": 0.05, "yield": 0.005}  # half of the last digit of the tables
TAIL = 1.0  # percent: 10 000 draws put an end at 2.5 ± 0.2 percent, theirs and ours alike
NORTH, SOUTH = "52;5.5", "48;0"
AGENTS = {"Ceres": "upperbound", "SP": "fixed", "RL": "model-[0-9]*", "DQN": "model-DQN-*"}
CASES = [
    (NORTH, "Ceres", paper.TABLE2, "Ceres"),
    (NORTH, "SP", paper.TABLE2, "SP"),
    (NORTH, "RL", paper.TABLE2, "RL"),
    (SOUTH, "Ceres", paper.TABLE3, "Ceres"),
    (SOUTH, "SP", paper.TABLE3, "SP"),
    (SOUTH, "RL", paper.TABLE3, "RL"),
    (NORTH, "DQN", paper.TABLE4_NORTH, "RL"),
    (SOUTH, "DQN", paper.TABLE4_SOUTH, "RL"),
]
DIFFERENCES = [
    (NORTH, "RL", paper.TABLE2, paper.P_NORTH),
    (SOUTH, "RL", paper.TABLE3, paper.P_SOUTH),
    (NORTH, "DQN", paper.TABLE4_NORTH, paper.P_DQN_NORTH),
    (SOUTH, "DQN", paper.TABLE4_SOUTH, paper.P_DQN_SOUTH),
]


def authors(agent: str, place: str, column: str, factor: float) -> np.ndarray:
    """The authors' results (runs, even years)."""
    runs = []
    for path in sorted(shared("reference", "papers").glob(f"{AGENTS[agent]}.csv")):
        with path.open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["location"] == place and int(row["year"]) % 2 == 0]
        runs.append([factor * float(row[column]) for row in sorted(rows, key=lambda row: int(row["year"]))])
    return np.array(runs)


def assert_ends_agree(values: np.ndarray, published: paper.Estimate, rounding: float) -> None:
    medians = resampled_medians(values)
    for end, percent in ((published.low, 2.5), (published.high, 97.5)):
        low, high = np.percentile(medians, [percent - TAIL, percent + TAIL])
        assert low - rounding <= end <= high + rounding


@pytest.mark.parametrize(("place", "agent", "table", "name"), CASES)
def test_the_authors_results_give_the_medians_and_intervals_of_the_paper(
    place: str, agent: str, table: paper.Agents, name: str
) -> None:
    for quantity, column, factor in QUANTITIES:
        values, published = authors(agent, place, column, factor), table[name][quantity]
        assert values.shape == ({"RL": 15, "DQN": 5}.get(agent, 1), 16)
        assert abs(median(values).value - published.value) <= PRINTED[quantity]
        assert_ends_agree(values, published, PRINTED[quantity])


@pytest.mark.parametrize(("place", "agent", "table", "shares"), DIFFERENCES)
def test_differences_are_taken_pair_by_pair(
    place: str, agent: str, table: paper.Agents, shares: tuple[float, ...]
) -> None:
    for (quantity, column, factor), share in zip(QUANTITIES, shares, strict=True):
        values = authors(agent, place, column, factor) - authors("SP", place, column, factor)
        published = table["RL - SP"][quantity]
        assert abs(median(values).value - published.value) <= PRINTED[quantity]
        assert_ends_agree(values, published, PRINTED[quantity])
        assert share_not_above_zero(values) == pytest.approx(share, abs=0.02)


def test_the_papers_correlation_is_that_with_the_average_rain() -> None:
    rain, nitrogen = (authors("Ceres", NORTH, column, 10.0)[0] for column in ("RAIN", "fertilizer"))
    assert round(correlation(rain, nitrogen).value, 2) == paper.RAIN_AND_NITROGEN.value


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.random.default_rng(1).normal(size=(5, 16))
    assert median(values, seed=3) == median(values, seed=3) != median(values, seed=4)


def test_an_interval_covers_the_median_of_the_population() -> None:
    random = np.random.default_rng(0)
    found = [median(random.normal(size=40), seed=each, draws=500) for each in range(200)]
    assert 0.89 <= np.mean([each.low <= 0.0 <= each.high for each in found]) <= 1.0


def test_equal_values_have_no_interval() -> None:
    assert median([170.7] * 16) == (170.7, 170.7, 170.7)
    assert share_not_above_zero([1.0, 2.0, 3.0]) == 0.0


def test_a_line_is_recovered() -> None:
    x = np.linspace(0.0, 3.0, 12)
    assert slope(x, 2.0 * x + 1.0) == pytest.approx((2.0, 2.0, 2.0))
    assert correlation(x, -x) == pytest.approx((-1.0, -1.0, -1.0))
    assert np.isnan(correlation(x, np.ones(12)).value)


def test_values_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueRangeError, match="finite"):
        median([1.0, np.nan])
    with pytest.raises(ShapeError, match="one number per run and year"):
        median([])
    with pytest.raises(ShapeError, match="in both"):
        correlation([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ValueRangeError, match="between 0 and 1"):
        median([1.0, 2.0], confidence=95.0)


def test_correlation_over_runs_counts_every_pair() -> None:
    rain = np.array([1.0, 2.0, 3.0, 4.0])
    nitrogen = np.array([[10.0, 20.0, 30.0, 45.0], [12.0, 18.0, 35.0, 40.0]])
    found = correlation(rain, nitrogen)
    assert found.value == pytest.approx(np.corrcoef(np.tile(rain, 2), nitrogen.ravel())[0, 1])
    assert found.low <= found.value <= found.high
    assert correlation(rain, nitrogen[:1]) == correlation(rain, nitrogen[0])
    assert np.isnan(correlation(rain, np.ones((2, 4))).value)
