"""The search of every calibration, on an objective that can be solved by hand; progress on disk; Laplace's account."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phytotron.calibration.adjustable import Adjustable
from phytotron.calibration.fit import LEAST_VARIANCE, NormalEquations, asked_weights, same_weights
from phytotron.calibration.laplace import Laplace
from phytotron.calibration.progress import Progress
from phytotron.calibration.search import Evaluated, Vector, search, starting_points
from phytotron.core.errors import DataFileError, PhytotronError

SETTINGS = {"log": ["House"], "starts": 3}


@dataclasses.dataclass
class Line:
    """Three points of a line with known error, whose offset and slope are to be found."""

    seen: Vector
    low: Vector = dataclasses.field(default_factory=lambda: np.array([-5.0, -5.0]))
    high: Vector = dataclasses.field(default_factory=lambda: np.array([5.0, 5.0]))
    prior: Vector = dataclasses.field(default_factory=lambda: np.zeros(2))
    calls: int = 0

    def evaluate(self, coordinates: Vector) -> Evaluated:
        self.calls += 1
        slopes = np.stack([np.ones(3), np.arange(3.0)], axis=-1) / 0.1
        residuals = slopes @ coordinates - self.seen / 0.1
        loss = 0.5 * float(residuals @ residuals) + 0.5 * float(coordinates @ coordinates)
        return loss, slopes.T @ residuals + coordinates, slopes.T @ slopes + np.eye(2)


def test_all_starts_lead_to_the_line_and_the_best_comes_first() -> None:
    objective = Line(np.array([1.0, 1.5, 2.0]))
    found = search(objective, starting_points(objective, 3, seed=0), iterations=20, scouting=2)
    assert [each.loss for each in found] == sorted(each.loss for each in found)
    assert found[0].coordinates == pytest.approx([1.0, 0.5], abs=0.02)
    assert found[0].ended
    assert all(each.steps >= 1 for each in found)


def test_a_start_that_cannot_be_evaluated_comes_last() -> None:
    @dataclasses.dataclass
    class Broken(Line):
        def evaluate(self, coordinates: Vector) -> Evaluated:
            loss, slope, curvature = super().evaluate(coordinates)
            return (np.nan if coordinates[0] < -1.0 else loss), slope, curvature

    found = search(Broken(np.array([1.0, 1.5, 2.0])), [np.array([-2.0, 0.0]), np.zeros(2)], iterations=20, scouting=2)
    assert found[0].coordinates == pytest.approx([1.0, 0.5], abs=0.02)
    assert np.isnan(found[-1].loss)


def test_a_range_stops_a_search() -> None:
    objective = Line(np.array([1.0, 1.5, 2.0]), high=np.array([0.3, 5.0]))
    (found,) = search(objective, [objective.prior])
    assert found.coordinates[0] == 0.3


def test_a_search_that_was_stopped_goes_on_exactly_from_where_it_was(tmp_path: Path) -> None:
    kept: list[list[dict[str, Any]]] = []
    starts = starting_points(Line(np.array([1.0, 1.5, 2.0])), 2, seed=0)
    whole = search(Line(np.array([1.0, 1.5, 2.0])), starts, iterations=9, scouting=2, keep=kept.append)
    for stopped in kept:
        progress = Progress(tmp_path, SETTINGS)
        progress.keep(stopped)
        again = search(Line(np.array([1.0, 1.5, 2.0])), starts, iterations=9, scouting=2, kept=progress.kept())
        assert again[0].coordinates.tolist() == whole[0].coordinates.tolist()
        assert [each.steps for each in again] == [each.steps for each in whole]
    progress.end()
    with pytest.raises(PhytotronError, match="holds no calibration"):
        progress.kept()


def houses_with(pulls: Vector) -> list[NormalEquations]:
    """A house whose residuals pull so, in all three quantities."""
    nothing = np.zeros(3)
    return [NormalEquations(nothing, nothing, nothing, nothing, np.stack([pulls] * 3, axis=-1))]


def test_residuals_weigh_by_their_size_and_by_how_long_they_last() -> None:
    """White noise of 0.2 weighs 1 / 0.2^2; with a correlation of 0.9 it counts (1 - 0.9) / (1 + 0.9) of that."""
    random = np.random.default_rng(0)
    white = 0.2 * random.normal(size=(288, 20))
    assert asked_weights(houses_with(white)) == pytest.approx(25.0, rel=0.1)
    lasting = np.zeros((2288, 20))
    for row in range(1, len(lasting)):
        lasting[row] = 0.9 * lasting[row - 1] + 0.2 * (1.0 - 0.9**2) ** 0.5 * random.normal(size=20)
    assert asked_weights(houses_with(lasting)) == pytest.approx(25.0 * 0.1 / 1.9, rel=0.2)
    assert asked_weights(houses_with(np.zeros((288, 20)))) == pytest.approx(1.0 / LEAST_VARIANCE)
    assert same_weights(np.array([1.0, 2.0]), np.array([1.05, 2.1]))
    assert not same_weights(np.array([1.0, 2.0]), np.array([1.05, 3.0]))


def test_progress_of_other_settings_or_a_damaged_file_is_refused(tmp_path: Path) -> None:
    Progress(tmp_path, SETTINGS).keep([])
    with pytest.raises(PhytotronError, match=r"starts 3, not 4.*--resume"):
        Progress(tmp_path, SETTINGS | {"starts": 4}).kept()
    for text in ("{", "[]", '{"settings": {}, "searches": [{"steps": 1}]}'):
        (tmp_path / "progress.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataFileError, match=r"progress\.json"):
            Progress(tmp_path, SETTINGS).kept()


def test_intervals_hold_the_truth_as_often_as_they_say_and_an_ensemble_spreads_as_widely() -> None:
    """90 % intervals of 200 noisy lines; 85 to 95 % may hold the truth."""
    random, truth = np.random.default_rng(0), np.array([1.0, 0.5])
    choice = (Adjustable("offset", -5.0, 5.0, 1.0, logarithmic=False), Adjustable("slope", -5.0, 5.0, 1.0, False))
    held = []
    for _ in range(200):
        objective = Line(truth[0] + truth[1] * np.arange(3.0) + random.normal(0.0, 0.1, 3))
        (found,) = search(objective, [objective.prior])
        said = Laplace(choice, found.coordinates, np.linalg.inv(found.curvature))
        held.append([low <= true <= high for (low, high), true in zip(said.intervals.values(), truth, strict=True)])
    assert 0.85 <= np.mean(held) <= 0.95
    drawn = said.sample(4000, seed=0)
    assert np.cov(drawn.T) == pytest.approx(said.covariance, rel=0.15)
    assert said.undetermined == ()
    assert Laplace(choice, np.zeros(2), np.eye(2)).undetermined == ("offset", "slope")
    same = Laplace(choice, np.array([5.0, 0.0]), np.array([[0.1, 0.099], [0.099, 0.1]]))
    assert same.at_bounds == ("offset",)
    assert same.inseparable[0][:2] == ("offset", "slope")
