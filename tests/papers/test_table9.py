"""Table 9 of GreenLight-Gym: the recorded cycles, and our errors against them."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from phytotron.core.fields import names
from phytotron.models.greenlight import Control
from phytotron.papers.greenlight_gym.experiments.table9 import (
    FILE,
    SHOWN,
    Cycles,
    Numerics,
    block_rows,
    load_cycles,
    relative_rmse,
    replay,
    table9,
)
from phytotron.papers.greenlight_gym.numbers import TABLE9
from phytotron.papers.result import Settings


@pytest.fixture(scope="module")
def cycles() -> Cycles:
    return load_cycles()


def test_the_record_is_small() -> None:
    file = resources.files("phytotron.papers.greenlight_gym").joinpath("data", FILE)
    assert len(file.read_bytes()) < 400_000


def test_there_is_a_cycle_of_ten_days_from_the_first_of_every_month(cycles: Cycles) -> None:
    assert cycles.starts == tuple(f"2010-{month:02d}-01" for month in range(1, 13))
    assert (len(cycles.states), cycles.state_interval) == (1440, 600)
    assert (len(cycles.controls), cycles.control_interval) == (86401, 10)
    assert cycles.controls.shape[1:] == (12, 8) and cycles.weather.shape[1:] == (12, 10)


def test_recorded_values_are_possible(cycles: Cycles) -> None:
    assert np.all((cycles.controls >= 0.0) & (cycles.controls <= 1.0))
    low, high = np.array([300.0, 5.0, 500.0, 2e5]), np.array([3000.0, 45.0, 5000.0, 4e5])
    assert np.all((cycles.states > low) & (cycles.states < high))
    np.testing.assert_allclose(cycles.states[0, :, 1], 16.5, atol=1e-3)  # the initial state of GreenLight-Gym
    lamp = cycles.controls[:, :, names(Control).index("lamp")]
    assert np.all(lamp[18 * 360 + 1 : 24 * 360] < 1e-6)  # off from 18 h to midnight


def test_the_error_is_that_of_equation_8() -> None:
    reference = np.array([[1.0], [3.0]])
    np.testing.assert_allclose(relative_rmse(reference + 0.2, reference), [10.0])


def test_a_long_hold_takes_the_mean(cycles: Cycles) -> None:
    some = cycles.only(slice(0, 1))
    start, end = block_rows(some.controls, some, 300.0, 0, 1)
    assert start.shape == (1, 2, 1, 8)
    np.testing.assert_allclose(start, end)
    rows = some.controls[:31, 0]
    np.testing.assert_allclose(start[0, 0, 0], (0.5 * (rows[1:] + rows[:-1])).mean(axis=0), atol=1e-12)


@pytest.mark.slow
def test_a_cycle_is_nearer_to_the_original_than_the_paper(cycles: Cycles) -> None:
    some = cycles.only(slice(3, 4))
    told: list[tuple[int, int]] = []
    ours = replay(some, Numerics("rk4", 2.0), lambda done, blocks: told.append((done, blocks)))
    errors = relative_rmse(ours, some.states[1:])[0]
    assert all(error < TABLE9[2.0][state][0] for state, error in zip(SHOWN, errors, strict=True))
    assert told[-1][0] == told[-1][1]


@pytest.mark.slow
def test_all_cycles_are_nearer_to_the_original_than_the_paper_with_every_step() -> None:
    rows = [row for row in table9(Settings()).rows if row.setting.startswith("RK4")]
    assert len(rows) == 12
    assert all(row.difference is not None and row.difference < 0.0 for row in rows)
