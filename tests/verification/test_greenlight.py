"""Verification against reference runs: what passes, what fails, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shared_data import shared

from phytotron import verification
from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.core.fields import symbols
from phytotron.models.greenlight import PARAMETER_SETS, State, load_parameters
from phytotron.verification.greenlight import checks
from phytotron.verification.greenlight import files as reference_files
from phytotron.verification.greenlight.checks import FileResult, Verification, check_table
from phytotron.verification.greenlight.files import Trajectory, read_folder, read_reference
from phytotron.verification.greenlight.replay import cubic, follows_rules, pchip_slopes
from phytotron.verification.models import verify_model

SAMPLE = Path(verification.__file__).parent / "data" / "greenlight"
TABLE, HELD, CLOSED = (
    SAMPLE / name for name in ("glgym_derivative_table.npz", "glgym_one_day.npz", "greenlight205_one_day.npz")
)

Change = Callable[..., Path]


@pytest.fixture(scope="module")
def sample() -> dict[str, FileResult]:
    return {file.file: file for file in verify_model("greenlight").files}


@pytest.fixture
def reference_folder() -> Path:
    return shared("reference", "greenlight")


@pytest.fixture
def changed(tmp_path: Path) -> Change:
    """Writes a copy of a file with some arrays replaced, or left out where the new value is None."""

    def write(path: Path, **arrays: Any) -> Path:
        with np.load(path) as file:
            content = {key: file[key] for key in file.files} | arrays
        copy = tmp_path / path.name
        np.savez_compressed(copy, **{key: value for key, value in content.items() if value is not None})
        return copy

    return write


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path) as file:
        return {key: file[key] for key in file.files}


def test_the_sample_passes(sample: dict[str, FileResult]) -> None:
    assert sorted(sample) == sorted(path.name for path in (TABLE, HELD, CLOSED))
    assert all(file.passed for file in sample.values())


def test_a_closed_loop_run_that_follows_the_rules_is_replayed_with_them(sample: dict[str, FileResult]) -> None:
    closed = sample[CLOSED.name]
    assert closed.control == "rules"
    assert closed.interpolated is not None
    assert closed.states["co2Air"].error < closed.interpolated["co2Air"].error
    assert sample[HELD.name].control is None


@pytest.mark.slow
def test_the_recorded_ten_day_runs_pass(reference_folder: Path) -> None:
    result = verify_model("greenlight", reference_folder)
    missed = {
        f"{file.file}:{symbol}": state
        for file in result.files
        for symbol, state in file.states.items()
        if not state.passed
    }
    assert not missed
    assert {file.file for file in result.files} == {path.name for path in reference_folder.glob("*.npz")}


def test_json_has_the_promised_form(sample: dict[str, FileResult]) -> None:
    result = json.loads(json.dumps(Verification("greenlight", tuple(sample.values())).as_dict(), allow_nan=False))
    assert set(result) == {"model", "passed", "files"}
    assert (result["model"], result["passed"]) == ("greenlight", True)
    for file in result["files"]:
        assert {"file", "kind", "passed", "states"} <= set(file)
        assert file["kind"] == ("derivative" if file["file"] == TABLE.name else "trajectory")
        assert tuple(file["states"]) == symbols(State)
        assert all(isinstance(state["error"], float) for state in file["states"].values())
    closed = next(file for file in result["files"] if file["file"] == CLOSED.name)
    bound = {symbol: state["bound"] for symbol, state in closed["states"].items() if "bound" in state}
    assert bound == {"co2Air": 1.5, "tAir": 1.5, "vpAir": 1.5, "cFruit": 0.05}
    assert tuple(closed["interpolated"]) == symbols(State)


def test_a_parameter_that_is_off_by_a_percent_misses_the_bounds_of_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    def off(name: str, **overrides: Any) -> Any:
        right = load_parameters(name, **overrides)
        return dataclasses.replace(right, roof_par_transmission=1.01 * right.roof_par_transmission)

    monkeypatch.setattr(reference_files, "load_parameters", off)
    result = verify_model("greenlight")
    assert not result.passed
    missed = {file.file for file in result.files if not file.passed}
    assert {TABLE.name, HELD.name} <= missed


def test_the_bounds_cover_every_parameter_set() -> None:
    assert set(checks.RATE_BOUNDS) == set(PARAMETER_SETS)


def test_a_difference_quotient_is_given_its_resolution(changed: Change) -> None:
    days = arrays_of(TABLE)["x"]
    days[:, -1] = 353.0
    path = changed(TABLE, x=days, parameter_set=np.array("greenlight_gym_1p4ha_led"))
    bound = check_table(read_reference(path)).states["time"].bound
    assert bound == pytest.approx(2e-5 + 4.9e-5, rel=0.01)


def test_columns_are_found_by_name(changed: Change) -> None:
    arrays = arrays_of(TABLE)
    states, weather = np.arange(28)[::-1], np.roll(np.arange(10), 3)
    path = changed(
        TABLE,
        **{key: arrays[key][..., states] for key in ("x", "dxdt", "state_names")},
        **{key: arrays[key][..., weather] for key in ("d", "weather_names")},
    )
    assert check_table(read_reference(path)).states == check_table(read_reference(TABLE)).states


def test_rates_that_are_not_finite_fail_with_a_number(changed: Change) -> None:
    states = arrays_of(TABLE)["x"]
    states[3, symbols(State).index("tAir")] = -238.3  # the pole of the saturation vapour pressure
    result = check_table(read_reference(changed(TABLE, x=states)))
    assert not result.passed
    json.dumps(result.as_dict(), allow_nan=False)


def test_a_lamp_may_hold_either_side_of_its_switching_instant_but_not_elsewhere() -> None:
    recorded = read_reference(CLOSED)
    assert isinstance(recorded, Trajectory)
    assert follows_rules(recorded)
    lamp, interlamp, boiler = 4, 5, 0
    at_18_h, at_12_h = 18 * 12, 12 * 12  # rows of 300 s

    def with_control(row: int, *columns: int) -> Trajectory:
        u = recorded.u.copy()
        u[row, columns] = 1.0 - u[row, columns]
        return dataclasses.replace(recorded, u=u)

    assert follows_rules(with_control(at_18_h, lamp, interlamp))
    assert not follows_rules(with_control(at_12_h, lamp, interlamp))
    assert not follows_rules(with_control(at_18_h, boiler))


def test_a_closed_loop_run_under_other_rules_is_replayed_with_its_controls(changed: Change, tmp_path: Path) -> None:
    u = arrays_of(CLOSED)["u"]
    u[100, 0] = 0.5
    changed(CLOSED, u=u)
    (file,) = verify_model("greenlight", tmp_path).files
    assert file.control == "interpolated"
    assert file.interpolated is None


@pytest.mark.slow
def test_files_of_different_length_are_replayed_together(
    changed: Change, tmp_path: Path, sample: dict[str, FileResult]
) -> None:
    arrays = arrays_of(HELD)
    short = changed(HELD, **{key: arrays[key][:50] for key in ("t", "x", "u", "d")})
    short.rename(tmp_path / "short.npz")
    shutil.copy(HELD, tmp_path)
    whole, part = verify_model("greenlight", tmp_path).files
    assert part.passed
    assert whole.states["tAir"].error == pytest.approx(sample[HELD.name].states["tAir"].error, rel=1e-3)


def test_pchip_keeps_monotone_data_monotone_and_passes_through_them() -> None:
    values = np.array([[0.0], [1.0], [1.0], [4.0], [2.0]])
    assert pchip_slopes(values, 2.0)[:, 0] == pytest.approx([0.75, 0.0, 0.0, 0.0, -2.25])
    coefficients = cubic(values, 2.0)[..., 0]
    time = np.linspace(0.0, 2.0, 21)
    curves = np.stack([np.polynomial.polynomial.polyval(time, each) for each in coefficients])
    assert curves[:, 0] == pytest.approx(values[:-1, 0])
    assert curves[:, -1] == pytest.approx(values[1:, 0])
    assert np.all(np.diff(curves, axis=1) * np.sign(np.diff(values, axis=0)) >= -1e-12)
    assert pchip_slopes(np.array([[1.0], [3.0]]), 2.0)[:, 0] == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize(
    ("file", "arrays", "message"),
    [
        (TABLE, {"u": None}, "array 'u' is missing"),
        (TABLE, {"dxdt": None}, "array 'dxdt' is missing, and so is 't'"),
        (TABLE, {"d": np.zeros((40, 9))}, r"array 'd' has shape \(40, 9\); expected shape \(40, 10\)"),
        (TABLE, {"u": np.zeros((39, 8))}, r"array 'u' has shape \(39, 8\); expected shape \(40, 8\)"),
        (TABLE, {"u": np.full((40, 8), "0")}, "array 'u' has shape"),
        (TABLE, {"x": np.full((40, 28), np.nan)}, r"array 'x' is nan at \[0, 0\]; expected finite numbers"),
        (TABLE, {"parameter_set": np.array("katzin2020")}, "unknown parameter set 'katzin2020'; did you mean"),
        (TABLE, {"parameter_set": np.array(["a", "b"])}, "expected one string"),
        (TABLE, {"weather_names": np.array(["iGlob"] * 10)}, "lacks tOut, vpOut"),
        (TABLE, {"weather_names": None}, "array 'weather_names' is missing"),
        (TABLE, {"elevation": np.array([np.inf])}, "elevation"),
        (TABLE, {"elevation": np.array([1.0, 2.0])}, r"array 'elevation' has shape \(2,\); expected one number"),
        (HELD, {"hold": None}, "array 'hold' is missing"),
        (HELD, {"hold": np.array("cubic")}, "array 'hold' is 'cubic'; expected 'constant' or"),
        (HELD, {"t": np.arange(289.0) ** 2}, "array 't' is not a series of even steps"),
        (HELD, {"t": np.arange(200.0)}, r"array 'u' has shape \(288, 8\); expected shape \(199 or 200, 8\)"),
        (CLOSED, {"u": np.zeros((287, 8))}, r"array 'u' has shape \(287, 8\); expected shape \(288, 8\)"),
        (CLOSED, {"d": np.zeros((0, 10))}, r"array 'd' has shape \(0, 10\)"),
    ],
)
def test_arrays_that_are_missing_or_wrong_are_named(
    file: Path, arrays: dict[str, Any], message: str, changed: Change
) -> None:
    path = changed(file, **arrays)
    with pytest.raises(DataFileError, match=message) as caught:
        read_reference(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", ["truncated", "damaged", "empty", "text", "single array", "pickled", "folder"])
def test_files_that_are_no_archives_are_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    whole = TABLE.read_bytes()
    if content == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    elif content == "damaged":
        path.write_bytes(whole[:2000] + bytes(500) + whole[2500:])
    elif content in ("empty", "text"):
        path.write_text("" if content == "empty" else "t,x\n0,1\n")
    elif content == "single array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
    elif content == "pickled":
        np.savez(path, allow_pickle=True, x=np.array([{}], dtype=object))
    else:
        path.mkdir()
    with pytest.raises(DataFileError, match=r"run\.npz: cannot be read as a \.npz file"):
        read_folder(tmp_path)


def test_folders_without_reference_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"has no \.npz file"):
        verify_model("greenlight", tmp_path)
    with pytest.raises(DataFileError, match="no such folder"):
        verify_model("greenlight", tmp_path / "missing")


def test_unknown_models_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'greenlight'"):
        verify_model("greenlite")
