"""Returns of the published code of InterCropGym, for pairs and doses of which no steps were kept."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pytest
from shared_data import shared
from wheat_episodes import Played, play

from phytotron.environments.intercrop import Intercrop, published_code
from phytotron.verification.intercrop import Episode, read_intercrop

STEPS = 30
TOLERANCE = 1e-9  # g m-2; returns are up to 7000


@pytest.fixture(scope="module")
def weather() -> Any:
    recorded = read_intercrop(shared("reference", "intercrop", "traj_chickpea__winterwheat__zero0.npz"))
    assert isinstance(recorded, Episode)
    return recorded.weather


def rows() -> dict[str, dict[str, str]]:
    with shared("reference", "intercrop", "summary.csv").open(encoding="utf-8") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def compare(made: Played, row: dict[str, str]) -> None:
    assert made.steps == int(row["steps"])
    assert made.episode_return == pytest.approx(float(row["ret"]), abs=TOLERANCE)
    last = made.steps - 1
    for number, crop in enumerate(made.state.crops, start=1):
        assert crop.grain_mass[last] == pytest.approx(float(row[f"rawWSO{number}"]), abs=TOLERANCE)
        assert crop.stage[last] == pytest.approx(float(row[f"DVS{number}"]), abs=TOLERANCE)
        shown = made.info["growth_effect"][last, number - 1] * crop.grain_mass[last]
        assert shown == pytest.approx(float(row[f"WSO{number}"]), abs=TOLERANCE)
    assert (bool(made.terminated[last]), bool(made.truncated[last])) == (row["done"] == "True", row["trunc"] == "True")


@pytest.mark.parametrize(
    ("pair", "crops"),
    [
        ("winterwheat__chickpea", ("winter_wheat", "chickpea")),
        ("winterwheat__winterwheat", ("winter_wheat", "winter_wheat")),
        ("soybean__winterwheat", ("soybean", "winter_wheat")),
    ],
)
@pytest.mark.slow
def test_returns_yields_and_ends_are_those_of_the_published_code(
    pair: str, crops: tuple[str, str], weather: Any
) -> None:
    env = Intercrop(**published_code(crops), weather=weather, precision="float64")
    for policy, action in (("zero0", 0), ("max0", 6)):
        compare(play(env, np.full(STEPS, action, np.int32)), rows()[f"{pair}__{policy}"])


@pytest.mark.slow
def test_in_the_published_code_neither_crop_nor_dose_changes_what_grows(weather: Any) -> None:
    env = Intercrop(**published_code(), weather=weather, precision="float64")
    none, much = (play(env, np.full(STEPS, action, np.int32)) for action in (0, 6))
    for one, other in zip(none.state.crops, much.state.crops, strict=True):
        assert np.array_equal(one.grain_mass, other.grain_mass)
    assert not np.any(much.info["lost_mass"])
