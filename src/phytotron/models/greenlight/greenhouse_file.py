"""Greenhouses in files: a published set with other numbers, as a calibration writes them (TOML).

base = "katzin2020_144m2"
[about]                 # where the numbers come from
[parameters]            # by name, in the units of `Parameters`
leakage = 2.5e-5
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.toml_files import read_toml
from phytotron.models.greenlight.parameter_sets import altered, load_parameters
from phytotron.models.greenlight.parameters import Parameters

FILE_NAME = "greenhouse.toml"


def read_greenhouse_tables(path: Path) -> dict[str, Any]:
    """All tables of a greenhouse file; a folder means the file of the usual name in it."""
    path = path / FILE_NAME if path.is_dir() else path
    raw = read_toml(path, "a greenhouse file", f"give a folder with {FILE_NAME}, or the path of such a file")
    if not isinstance(raw.get("base"), str) or not isinstance(raw.get("parameters"), dict):
        raise DataFileError(path, "has no `base` or no table [parameters]", "name a parameter set, and its changes")
    return raw


def read_greenhouse(path: Path) -> Parameters:
    """The parameters of a greenhouse file."""
    raw = read_greenhouse_tables(path)
    try:
        return altered(load_parameters(raw["base"]), _whole(raw["parameters"]))
    except PhytotronError as error:
        raise DataFileError(path, str(error), "correct the value in the file") from None


def _whole(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: float(value) if isinstance(value, int) else value for name, value in parameters.items()}
