"""Twins as files that commands and environments take."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from greenhouse_logs import made_log

from phytotron.adapters.sharing import environment_of
from phytotron.calibration.ensemble import read_ensemble, write_ensemble
from phytotron.calibration.twin_file import (
    EARLIER,
    load_twin,
    published_twin,
    read_residuals,
    starting_twin,
    write_twin,
)
from phytotron.core.errors import DataFileError
from phytotron.environments.glasshouse.parameters import choose_parameters
from phytotron.logs.variables import CLIMATE
from phytotron.models.greenlight.greenhouse_file import options_beside

BASE = "katzin2020_144m2"


def written(folder: Path, leakage: float = 5e-5) -> Path:
    twin = published_twin(made_log())
    changed = dataclasses.replace(
        twin,
        parameters=dataclasses.replace(twin.parameters, leakage=leakage),
        installation=dataclasses.replace(twin.installation, wet_area=0.3),
    )
    tables = {"intervals": {"leakage": [4e-5, 6e-5]}, "residuals": {name: [-1.0, 2.0] for name in CLIMATE}}
    return write_twin(folder, changed, BASE, {"log": 'house "3"'}, tables)


def test_a_twin_is_read_as_it_was_written_from_folder_and_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    for choice in (tmp_path, path):
        twin, base = load_twin(str(choice), made_log())
        assert base == BASE
        assert twin.parameters.leakage == 5e-5
        assert twin.installation.wet_area == 0.3
    assert choose_parameters(str(path), {}).leakage == 5e-5
    assert options_beside(path) == []
    assert read_residuals(str(tmp_path)).tolist() == [[-1.0] * 3, [2.0] * 3]
    assert read_residuals(BASE) is None


def test_a_calibration_begins_with_an_earlier_one_at_the_size_of_its_log(tmp_path: Path) -> None:
    twin, base = starting_twin("agc2022", dataclasses.replace(made_log(), floor_area=192.0))
    embedded, _ = load_twin(str(EARLIER["agc2022"]), made_log())
    assert base == BASE
    assert twin.parameters.cover_area == pytest.approx(2.0 * embedded.parameters.cover_area)
    assert twin.installation.one_sided == embedded.installation.one_sided
    assert twin.installation.lamp_light == published_twin(made_log()).installation.lamp_light
    with pytest.raises(DataFileError, match="neither"):
        starting_twin("agc2023", made_log())


def test_a_published_set_takes_the_floor_area_of_the_log() -> None:
    log = dataclasses.replace(made_log(), floor_area=96.0)
    twin, _ = load_twin(BASE, log)
    assert twin.parameters.floor_area == 96.0
    assert twin.parameters.cover_area == pytest.approx(216.6 * 96.0 / 144.0)


@pytest.mark.parametrize(("old", "new"), [("leakage = 5e-05", "leakage = -1.0"), ("leakage =", "leakge ="),
                                          ("wet_area = 0.3", "wet_area = -1.0"), ("[parameters]", "[values]"),
                                          ("base =", "base ")])  # fmt: skip
def test_mistakes_in_a_file_name_it(tmp_path: Path, old: str, new: str) -> None:
    path = written(tmp_path)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataFileError, match=r"greenhouse\.toml"):
        load_twin(str(path), made_log())


def test_a_changed_calibration_is_read_anew_by_adapters(tmp_path: Path) -> None:
    def made() -> Any:
        return environment_of("phytotron/Greenhouse-v0", {"parameters": str(tmp_path)})

    written(tmp_path)
    first = made()
    assert made() is first
    written(tmp_path, leakage=1.5e-4)
    assert float(made().default_params.model.leakage) == pytest.approx(1.5e-4)


def test_a_published_set_has_no_ensemble_whatever_lies_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_ensemble(tmp_path, {"leakage": [1e-4, 2e-4]})
    monkeypatch.chdir(tmp_path)
    assert read_ensemble(".") is not None
    assert read_ensemble("katzin2020_144m2") is None


def test_what_is_neither_set_nor_folder_is_refused() -> None:
    with pytest.raises(DataFileError, match="katzin2020"):
        load_twin("katzin2019", made_log())
