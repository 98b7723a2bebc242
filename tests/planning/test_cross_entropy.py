"""The cross-entropy method on functions whose highest point is known."""

from __future__ import annotations

import numpy as np
import pytest

from phytotron.planning.cross_entropy import Numbers, search

PEAK = np.array([0.2, 0.7, 0.95, 0.5])


def height(points: Numbers, number: int) -> Numbers:
    return -np.sum((points - PEAK) ** 2, axis=1)


def test_the_highest_point_is_found() -> None:
    found = search(height, np.full((1, 4), 0.5), candidates=60, rounds=25)
    assert found.best == pytest.approx(PEAK, abs=0.03)
    assert found.value == height(found.best[None], 0)[0]
    assert len(found.history) == 25 and found.history[-1] == found.value and np.all(np.diff(found.history) >= 0.0)


def test_the_same_seed_finds_the_same_and_another_one_something_else() -> None:
    one, same, other = (search(height, np.full((1, 4), 0.5), 12, 4, seed) for seed in (3, 3, 4))
    assert one.best.tolist() == same.best.tolist() != other.best.tolist()


def test_points_stay_in_the_unit_cube_and_every_round_has_as_many() -> None:
    rounds = []

    def corner(points: Numbers, number: int) -> Numbers:
        assert points.min() >= 0.0 and points.max() <= 1.0
        rounds.append((number, len(points)))
        return points.sum(axis=1)

    found = search(corner, np.zeros((1, 3)), 10, 12)
    assert rounds == [(number, 10) for number in range(12)]
    assert found.best == pytest.approx(1.0, abs=0.02)


def test_what_is_known_is_no_worse_afterwards_and_what_is_not_finite_never_wins() -> None:
    def mostly_undefined(points: Numbers, number: int) -> Numbers:
        return np.where(np.all(points == 0.25, axis=1), 1.0, np.nan)

    found = search(mostly_undefined, np.full((1, 2), 0.25), 8, 3)
    assert found.best.tolist() == [0.25, 0.25] and found.history == (1.0, 1.0, 1.0)
