"""The crop files that InterCropGym ships: what is wrong with them is found, and what is right is read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import DataFileError
from phytotron.crop_files import import_crop
from phytotron.models.crops import load_crop
from phytotron.models.lintul3.parameter_sets import SHARES

LEGUMES = ("chickpea", "soybean", "faba_bean", "cowpea")
IN_CENTIMETRES = ("chickpea", "faba_bean", "cowpea")
OF_SHOOT = ("faba_bean", "cowpea")


def written(folder: Path, name: str, **changes: float | None) -> Path:
    """The file of a crop in PCSE's format, with values changed or, if None, left out."""
    values = json.loads(shared("reference", "intercrop", "crop_parameters.json").read_text(encoding="utf-8"))[name]
    lines = [f"{key} = {value!r}" for key, value in (values | changes).items() if value is not None]
    path = folder / f"{name}.crop"
    path.write_text("# as shipped\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", LEGUMES)
def test_mineralisation_of_kilograms_per_day_is_found_in_all(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"RNMIN sets 0\.\d+ g m-2 of nitrogen free every day"):
        import_crop([written(tmp_path, name)], name, base=name)


@pytest.mark.parametrize("name", IN_CENTIMETRES)
def test_depths_in_centimetres_are_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        DataFileError, match=r"ROOTDI is \d+ m, which looks like another unit than m; .* if it is in cm"
    ):
        import_crop([written(tmp_path, name, RNMIN=None)], name, base=name)


@pytest.mark.parametrize("name", OF_SHOOT)
def test_shares_of_the_shoot_are_found_and_converted_to_those_of_the_package(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, name, RNMIN=None, ROOTDI=0.1, ROOTDM=1.0)
    with pytest.raises(DataFileError, match="these look like shares of the above-ground part"):
        import_crop([path], name, base=name)
    plant, ours = import_crop([path], name, base=name, shares_of_shoot=True).file.crop().plant, load_crop(name).plant
    stages = np.linspace(0.0, 2.0, 201)
    for share in SHARES:
        np.testing.assert_allclose(getattr(plant, share)(stages), getattr(ours, share)(stages), atol=2e-6)


def test_its_wheat_is_that_of_cropgym(tmp_path: Path) -> None:
    path = written(tmp_path, "lintul3_winterwheat", RNMIN=None)
    made = import_crop([path], "wheat", base="winter_wheat")
    heights = {"height.initial", "height.maximum", "height.rate"}
    assert set(made.from_base) == {"nitrogen_fixation", "flooded_crop", *heights}
    plant, ours = made.file.crop().plant, load_crop("winter_wheat").plant
    for name in made.file.plant:
        given, known = getattr(plant, name), getattr(ours, name)
        given, known = (each(np.linspace(-10.0, 50.0, 601)) if callable(each) else each for each in (given, known))
        np.testing.assert_allclose(given, known, rtol=1e-9, atol=2e-4 if name in SHARES else 1e-12)
