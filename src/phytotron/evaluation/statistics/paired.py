"""Tests between two controllers on the same windows: paired window by window, and blocked by year.

Two controllers in one window have the same weather, so that their difference says more than two separate samples.
Windows of one year share a season, so that a year counts as one observation. A test that treats windows as independent
samples, such as that of Mann and Whitney, misses small but consistent differences, and overrates differences that come
from a few years.

References
----------
[1] E. S. Edgington and P. Onghena 2007: Randomization tests, fourth edition. Chapman and Hall.
"""

import re
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phytotron.core.errors import ShapeError
from phytotron.evaluation.statistics.comparison import finite_numbers, ratio_interval
from phytotron.evaluation.statistics.estimates import CONFIDENCE

Numbers = NDArray[np.float64]

MOST_BLOCKS = 14  # up to which all signs are tried; beyond, as many are drawn
SAME = 1e-9  # of the mean absolute difference, by which rounding may move a sum


class PairedTest(NamedTuple):
    """The result of a paired test: the mean difference of two controllers on the same windows.

    `half` is the half-width of its interval over blocks, `p` the two-sided p of `paired_test`; both are None for a
    single block.
    """

    difference: float
    half: float | None
    p: float | None
    blocks: int


def year_blocks(labels: Sequence[str]) -> tuple[Hashable, ...]:
    """Return the block of every window: the year that its label begins with, else the window itself."""
    found = (re.match(r"(\d{4})(?!\d)", label) for label in labels)
    return tuple(label if match is None else match[1] for label, match in zip(labels, found, strict=True))


def paired_test(
    x: ArrayLike, y: ArrayLike, blocks: Sequence[Hashable], seed: int = 0, confidence: float = CONFIDENCE
) -> PairedTest:
    """Test whether x and y, scores (windows,) on the same windows, differ by more than chance.

    It is a randomization test [1]: if both were alike, all differences of a block could equally well have the opposite
    sign. p is the share of all choices of signs whose mean is at least as far from zero as the observed one; with n
    blocks it cannot be below 2 / 2^n. The interval is by Student's t, with each block as one observation.
    """
    one, other = finite_numbers("x", x), finite_numbers("y", y)
    windows = (len(blocks),)
    for name, sample in (("x", one), ("y", other)):
        if sample.shape != windows or not sample.size:
            raise ShapeError(name, f"{windows}, as blocks", sample.shape, "one score and one block for every window")
    names = list(dict.fromkeys(blocks))
    place = np.array([names.index(block) for block in blocks])
    sums = np.bincount(place, one - other)
    difference = float(sums.sum() / len(one))
    if len(names) < 2:
        return PairedTest(difference, None, None, len(names))
    interval = ratio_interval(sums, np.bincount(place).astype(float), confidence)
    reached = np.abs(_signs(len(names), seed) @ sums) >= abs(sums.sum()) - SAME * np.abs(sums).sum()
    return PairedTest(difference, interval.high - interval.value, float(np.mean(reached)), len(names))


def _signs(blocks: int, seed: int) -> Numbers:
    """Return (choices, blocks): all choices of signs, or many at random with the observed one among them."""
    if blocks <= MOST_BLOCKS:
        bits = np.arange(2**blocks)[:, None] >> np.arange(blocks)
        return np.where(bits & 1, -1.0, 1.0)
    drawn = np.random.default_rng(seed).choice([-1.0, 1.0], (2**MOST_BLOCKS, blocks))
    drawn[0] = 1.0
    return drawn
