"""Two crops against recorded runs: what passes, what fails, what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_data import shared

from phytotron import verification
from phytotron.core.errors import DataFileError
from phytotron.verification.intercrop import (
    EPISODE_BOUND,
    INPUTS,
    TABLE_BOUND,
    Episode,
    check_episode,
    check_interactions,
    read_intercrop,
    relative_error,
)
from phytotron.verification.models import verify_model

SAMPLE = Path(verification.__file__).parent / "data" / "intercrop"
TABLE, EPISODE = SAMPLE / "interaction_table.npz", SAMPLE / "soybean_winterwheat.npz"

Change = Callable[..., Path]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Writes a copy of a file with arrays replaced, or left out where the new value is None."""

    def write(path: Path, **arrays: Any) -> Path:
        with np.load(path) as file:
            content = {key: file[key] for key in file.files} | arrays
        copy = tmp_path / path.name
        np.savez_compressed(copy, **{key: value for key, value in content.items() if value is not None})
        return copy

    return write


def test_the_sample_passes_with_every_state() -> None:
    result = verify_model("intercrop")
    assert result.passed
    content = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    table, episode = content["files"]
    assert (table["kind"], episode["kind"]) == ("interaction", "episode")
    assert episode["parameter_set"] == "soybean + winter_wheat"
    assert len(table["states"]) == 98 and {each["bound"] for each in table["states"].values()} == {TABLE_BOUND}
    assert len(episode["states"]) == 4 * 18 + 4 + 3 + 2
    assert {each["bound"] for each in episode["states"].values()} == {EPISODE_BOUND}


@pytest.mark.slow
def test_every_recorded_run_is_reproduced() -> None:
    folder = shared("reference", "intercrop")
    result = verify_model("intercrop", folder)
    assert {file.file for file in result.files} == {path.name for path in folder.glob("*.npz")}
    missed = {f"{f.file}:{name}": s for f in result.files for name, s in f.states.items() if s.error > 1e-12}
    assert not missed


def test_a_difference_counts_per_largest_value_or_per_one() -> None:
    assert relative_error(np.array([0.0, 1e-3]), np.array([0.0, 2e-3])) == pytest.approx(1e-3)
    assert relative_error(np.array([90.0, 50.0]), np.array([100.0, 50.0])) == pytest.approx(0.1)
    assert relative_error(np.array([np.nan]), np.array([1.0])) > 1e300


def test_a_table_that_says_otherwise_is_missed(changed: Change) -> None:
    with np.load(TABLE) as file:
        table = file["table"].copy()
        table[3, file["columns"].tolist().index("out_obs2_wso")] += 1e-6
    result = check_interactions(read_intercrop(changed(TABLE, table=table), INPUTS))  # type: ignore[arg-type]
    assert [name for name, state in result.states.items() if not state.passed] == ["out_obs2_wso"]


def test_an_episode_that_says_otherwise_is_missed() -> None:
    recorded = read_intercrop(EPISODE)
    assert isinstance(recorded, Episode)
    days = {name: values.copy() for name, values in recorded.daily.items()}
    steps = {"obs": recorded.observations.copy(), **recorded.series}
    assert check_episode(recorded, days, steps).passed
    days["base2"][100, 0] += 1.0
    steps["obs"][5, 53 + 20] *= 1.01
    result = check_episode(recorded, days, steps)
    assert [name for name, state in result.states.items() if not state.passed] == ["base2.DVS", "obs2.weather"]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"obs": None}, "table .* or obs"),
        ({"actions": np.array([0.5])}, "actions"),
        ({"actions": np.array([0, 1])}, "obs"),
        ({"crop1": np.array("faba_bean")}, "faba_bean"),
        ({"rewards": np.zeros(3)}, "rewards"),
        ({"weather_cols": np.array(list("ABCDEFGHI"))}, "VAP"),
        ({"columns": np.array(["DVS"] * 18)}, "TGROWTH"),
        ({"daily2": None}, "daily2"),
    ],
)
def test_episodes_that_cannot_be_used_are_refused(arrays: dict[str, Any], message: str, changed: Change) -> None:
    with pytest.raises(DataFileError, match=message):
        read_intercrop(changed(EPISODE, **arrays))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"columns": np.array(["mode", "nothing"]), "table": np.zeros((3, 2))}, "par_light_competition_factor"),
        ({"table": np.zeros((3, 2))}, "shape"),
        ({"columns": None}, "columns"),
    ],
)
def test_tables_that_cannot_be_used_are_refused(arrays: dict[str, Any], message: str, changed: Change) -> None:
    with pytest.raises(DataFileError, match=message):
        read_intercrop(changed(TABLE, **arrays), INPUTS)


def test_tables_alone_need_no_episode(tmp_path: Path) -> None:
    shutil.copy(TABLE, tmp_path)
    assert verify_model("intercrop", tmp_path).passed
