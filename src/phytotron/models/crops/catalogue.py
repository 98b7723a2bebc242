"""The crops that come with the package, and those of a user's files."""

from __future__ import annotations

import functools
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError
from phytotron.models.crops.crop import Crop
from phytotron.models.crops.crop_file import CropFile, read_crop_file
from phytotron.models.lintul3 import override

FOLDER = Path(__file__).parent / "data"
NAMES = ("winter_wheat", "faba_bean", "chickpea", "soybean", "cowpea")
CROPS: MappingProxyType[str, Path] = MappingProxyType({name: FOLDER / f"{name}.toml" for name in NAMES})


def load_crop(name: str | Path, **overrides: Any) -> Crop:
    """A crop by its name or by the path of its file, with overrides of LINTUL-3 parameters by name or symbol.

    >>> load_crop("faba_bean", WCI=0.25).plant.nitrogen_fixation
    0.8
    """
    crop = describe_crop(name).crop()
    return Crop(plant=override(crop.plant, overrides), height=crop.height)


def describe_crop(name: str | Path) -> CropFile:
    """What is known of a crop: every parameter with its source."""
    if name in CROPS:
        return _shipped(str(name))
    path = Path(name)
    if path.suffix == ".toml":
        if path.is_file():
            return read_crop_file(path)
        raise PhytotronError(f"no crop file {name}; give the path of one, or a crop of the package: {', '.join(CROPS)}")
    if path.is_file():
        remedy = f"make one of it: phytotron crop import {name} --name NAME --base CROP --output NAME.toml"
        raise DataFileError(path, "is not a crop file (.toml)", remedy)
    raise UnknownNameError("crop", str(name), CROPS)


@functools.cache
def _shipped(name: str) -> CropFile:
    return read_crop_file(CROPS[name])
