"""LINTUL-3 against recorded seasons: what passes, what fails, what is refused."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from shared_data import shared

from phytotron import verification
from phytotron.core.errors import DataFileError
from phytotron.core.fields import quantities
from phytotron.models.lintul3 import State, harvest
from phytotron.verification import lintul3 as lintul3_verification
from phytotron.verification.archives import archives
from phytotron.verification.lintul3 import (
    BOUND,
    STATES,
    column_of,
    read_season,
    stacked,
    stacked_parameters,
)
from phytotron.verification.models import verify_model

SAMPLE = Path(verification.__file__).parent / "data" / "lintul3"
SEASON = SAMPLE / "synthetic_unpatched_weekly.npz"
SINGLE_PRECISION = 5e-4  # of each state at the harvest

Change = Callable[..., Path]


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Writes a copy of the season with arrays or parameters replaced, or left out where the new value is None."""

    def write(parameters: dict[str, Any] | None = None, **arrays: Any) -> Path:
        with np.load(SEASON) as file:
            content = {key: file[key] for key in file.files} | arrays
        copy = tmp_path / SEASON.name
        np.savez_compressed(copy, **{key: value for key, value in content.items() if value is not None})
        described = json.loads(SEASON.with_suffix(".json").read_text())
        for key, value in (parameters or {}).items():
            group = next((each for each in ("crop", "soil", "site") if key in described[each]), None)
            holder = described if group is None else described[group]
            holder[key] = value
            if value is None:
                del holder[key]
        copy.with_suffix(".json").write_text(json.dumps(described))
        return copy

    return write


def test_the_sample_passes_with_every_state() -> None:
    result = verify_model("lintul3")
    assert result.passed and len(result.files) == 2
    content = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    for file in content["files"]:
        assert (file["kind"], file["parameter_set"]) == ("season", "pcse_winter_wheat")
        assert {column.rsplit(".", 1)[1] for column in STATES} <= set(file["states"])
        assert all(state["bound"] == BOUND for state in file["states"].values())
        assert all(rate["error"] < BOUND and "bound" not in rate for rate in file["rates"].values())


def test_the_sample_is_of_a_dry_and_of_a_waterlogged_season() -> None:
    usual, wet = (read_season(path).columns for path in archives(SAMPLE)[::-1])
    assert usual["pheno.DVS"][-1] == 2.0
    assert usual["crop.r.TRANRF"][1:].min() < 0.5
    assert wet["soil.st.WC"].max() == pytest.approx(0.5)
    assert wet["soil.st.TRUNOF"][-1] > 100.0


def test_every_state_of_every_recorded_season_is_within_the_bound() -> None:
    folder = shared("reference", "lintul3")
    result = verify_model("lintul3", folder)
    missed = {f"{f.file}:{name}": s for f in result.files for name, s in f.states.items() if not s.passed}
    assert not missed
    assert {file.file for file in result.files} == {path.name for path in folder.glob("*.npz")}
    assert {file.parameter_set for file in result.files} == {"cropgym_winter_wheat", "pcse_winter_wheat"}
    states = {name for file in result.files for name in file.states}
    with np.load(folder / "nl515_5_1992_patched_zero.npz") as file:
        columns = [name for name in file["columns"].tolist() if ".st." in name]
    assert {name.rsplit(".", 1)[1] for name in columns} <= states


@pytest.mark.slow
def test_single_precision_is_close_at_the_end_of_every_recorded_season() -> None:
    recorded = [read_season(path) for path in archives(shared("reference", "lintul3"))]
    days = max(each.days for each in recorded)
    weather = jax.tree.map(lambda x: jnp.asarray(x, jnp.float32), stacked([each.weather for each in recorded], days))
    management = stacked([each.management for each in recorded], days)
    last = harvest(weather, management, stacked_parameters([each.parameters for each in recorded]))
    assert last.grain_mass.dtype == jnp.float32
    for q in quantities(State):
        if column_of(q.symbol) in STATES:
            expected = [each.columns[column_of(q.symbol)][-1] for each in recorded]
            np.testing.assert_allclose(
                getattr(last, q.name), expected, rtol=SINGLE_PRECISION, atol=1e-6, err_msg=q.name
            )


def test_a_parameter_that_is_off_by_a_millionth_misses_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def off(path: Path, required: tuple[str, ...] = ()) -> Any:
        right = read_season(path, required)
        wrong = dataclasses.replace(right.parameters, light_extinction=0.6 * (1.0 + 1e-6))
        return dataclasses.replace(right, parameters=wrong)

    monkeypatch.setattr(lintul3_verification, "read_season", off)
    result = verify_model("lintul3")
    assert not any(file.passed for file in result.files)


def test_seasons_of_different_length_are_replayed_together(changed: Change, tmp_path: Path) -> None:
    with np.load(SEASON) as file:
        data, day = file["data"][:50], file["day"][:50]
    short = changed(data=data, day=day)
    for each in (short, short.with_suffix(".json")):
        each.rename(each.with_stem("short"))
    for suffix in (".npz", ".json"):
        shutil.copy(SEASON.with_suffix(suffix), tmp_path)
    result = verify_model("lintul3", tmp_path)
    assert result.passed and len(result.files) == 2


def test_tables_of_different_length_are_stacked(changed: Change) -> None:
    nine = np.linspace(0.0, 50.0, 9)
    finer = read_season(changed({"DTSMTB": np.stack([nine, nine], axis=1).ravel().tolist()})).parameters
    both = stacked_parameters([finer, read_season(SEASON).parameters]).temperature_response
    assert both.x.shape == (2, 9)
    assert both(jnp.array([12.3, 12.3])) == pytest.approx([12.3, 12.3])


def without(column: str) -> dict[str, Any]:
    with np.load(SEASON) as file:
        keep = file["columns"] != column
        return {"columns": file["columns"][keep], "data": file["data"][:, keep]}


def with_column(column: str, value: float) -> dict[str, Any]:
    with np.load(SEASON) as file:
        return {"data": np.where(file["columns"] == column, value, file["data"])}


def test_rates_need_not_be_there(changed: Change, tmp_path: Path) -> None:
    changed(**without("crop.r.TRAN"))
    for suffix in (".npz", ".json"):
        shutil.copy(SAMPLE / f"synthetic_unpatched_waterlogged{suffix}", tmp_path)
    _, file = verify_model("lintul3", tmp_path).files
    assert file.passed and file.rates is not None and "TRAN" not in file.rates


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"data": None}, "array 'data' is missing"),
        ({"columns": None}, "array 'columns' is missing"),
        ({"day": None}, "array 'day' is missing"),
        ({"data": np.zeros((5, 3))}, r"array 'data' has shape \(5, 3\)"),
        ({"data": np.full((215, 52), np.nan), "columns": np.arange(52)}, "array 'data' is nan"),
        ({"day": np.arange(215)}, "array 'day' has shape"),
        (
            {"day": np.datetime64("2001-01-01") + 2 * np.arange(215).astype("timedelta64[D]")},
            "expected one day after the other",
        ),
        (without("crop.st.WSO"), "array 'columns' lacks crop.st.WSO"),
        (without("wx.RAIN"), "array 'columns' lacks wx.RAIN"),
        (with_column("wx.RAIN", -1.0), "Weather.rain"),
        (with_column("wx.TMIN", 55.0), "not above the maximum temperature"),
        (without("N_applied_g_m2"), "array 'columns' lacks N_applied_g_m2"),
    ],
)
def test_arrays_that_are_missing_or_wrong_are_named(arrays: dict[str, Any], message: str, changed: Change) -> None:
    path = changed(**arrays)
    with pytest.raises(DataFileError, match=message) as caught:
        verify_model("lintul3", path.parent)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"variant": None}, "lacks variant"),
        ({"variant": "mended"}, "'variant' is 'mended'; expected 'patched' or 'unpatched'"),
        ({"variant": "patched"}, "lacks FRTRL, TNSOILI, RTMIN"),
        ({"crop": None}, "lacks crop"),
        ({"soil": [1]}, "has no object for soil"),
        ({"LUE": None}, "lacks LUE"),
        ({"RNMIN": None}, "lacks RNMIN"),
        ({"LUE": -1.0}, "light_use_efficiency is -1.0"),
        ({"LUE": "much"}, "light_use_efficiency is 'much'"),
        ({"FRTTB": [0, 1, 2, 1]}, "expected 1"),
        ({"IDSL": 1}, "'IDSL' is 1; expected 0"),
    ],
)
def test_parameters_that_are_missing_or_wrong_are_named(
    parameters: dict[str, Any], message: str, changed: Change
) -> None:
    path = changed(parameters)
    with pytest.raises(DataFileError, match=message) as caught:
        verify_model("lintul3", path.parent)
    assert str(path.with_suffix(".json")) in str(caught.value)


def test_a_season_without_its_parameters_is_refused(changed: Change) -> None:
    description = changed().with_suffix(".json")
    description.write_text("{")
    with pytest.raises(DataFileError, match="it is no JSON"):
        verify_model("lintul3", description.parent)
    description.unlink()
    with pytest.raises(DataFileError, match="there is no such file"):
        verify_model("lintul3", description.parent)
