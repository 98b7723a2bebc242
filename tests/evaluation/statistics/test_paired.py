"""Paired tests of controllers on the same windows, blocked by year."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.evaluation.statistics.comparison import mann_whitney
from phytotron.evaluation.statistics.paired import paired_test, year_blocks

YEARS = np.repeat(np.arange(2001, 2008), 6)  # seven years of six windows, as in table 11


def test_windows_of_a_year_are_one_block_and_others_are_their_own() -> None:
    assert year_blocks(("2001-03-01", "2001-04-01", "2002", "20011", "Schiphol 2001")) == (
        "2001", "2001", "2002", "20011", "Schiphol 2001",
    )  # fmt: skip


def test_p_is_the_share_of_signs_by_year_that_give_as_much() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, YEARS.size))
    sums = [(x - y)[year == YEARS].sum() for year in np.unique(YEARS)]
    choices = [abs(np.dot(signs, sums)) for signs in itertools.product((1.0, -1.0), repeat=7)]
    found = paired_test(x, y, YEARS.tolist())
    assert found.p == pytest.approx(np.mean(np.array(choices) >= abs(sum(sums)) - 1e-9))
    assert found.difference == pytest.approx(np.mean(x - y)) and found.blocks == 7


def test_a_small_difference_in_every_window_is_found_where_ranks_do_not_see_it() -> None:
    weather = np.random.default_rng(2).normal(4.0, 1.0, YEARS.size)
    found = paired_test(weather + 0.05, weather, YEARS.tolist())
    assert found.p == pytest.approx(2 / 2**7) and found.half == pytest.approx(0.0, abs=1e-12)
    assert mann_whitney(weather + 0.05, weather).p > 0.5


def test_differences_of_one_year_do_not_count_as_six() -> None:
    rejected = {"years": 0, "windows": 0}
    for seed in range(200):
        random = np.random.default_rng(seed)
        differences = random.normal(size=7)[YEARS - 2001] + 0.3 * random.normal(size=YEARS.size)
        zero = np.zeros(YEARS.size)
        for blocks, labels in (("years", YEARS.tolist()), ("windows", list(range(YEARS.size)))):
            p = paired_test(differences, zero, labels).p
            rejected[blocks] += p is not None and p < 0.05
    assert rejected["years"] <= 16  # 5 % of 200 and three standard errors, less what seven years round off
    assert rejected["windows"] > 80


def test_the_interval_counts_a_year_once() -> None:
    differences = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0])
    found = paired_test(differences, np.zeros(9), [1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert found.difference == 2.0 and found.half == pytest.approx(4.303 / 3**0.5, rel=1e-3)


def test_many_blocks_are_drawn_and_one_block_has_no_test() -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=40)
    found = paired_test(x + 2.0, x, list(range(40)))
    assert found.p == pytest.approx(2.0**-14) and paired_test(x + 2.0, x, list(range(40))) == found
    assert paired_test(x, x - 1.0, ["2001"] * 40)[1:] == (None, None, 1)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ShapeError, match="blocks"):
        paired_test([1.0, 2.0], [1.0, 2.0], [1])
    with pytest.raises(ValueRangeError, match="NaN"):
        paired_test([1.0, np.nan], [1.0, 2.0], [1, 2])
