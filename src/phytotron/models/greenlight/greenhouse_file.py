"""Greenhouses in files of parameters, as users write them and calibrations do (`core.parameter_files`)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.parameter_files import BASE, NOTES, PARAMETERS, read_parameter_file
from phytotron.core.parameter_files import FILE_NAME as FILE_NAME
from phytotron.models.greenlight.parameter_sets import altered, load_parameters
from phytotron.models.greenlight.parameters import Parameters


def read_greenhouse_tables(path: Path) -> dict[str, Any]:
    """Return the content of a greenhouse file: `base`, all numbers of the model as `parameters`, and other tables."""
    raw = read_parameter_file(path)
    if BASE not in raw:
        raise DataFileError(path, f"has no `{BASE}`", "name the parameter set that the numbers are changes of")
    loose = [name for name, value in raw.items() if name != BASE and not isinstance(value, dict)]
    raw[PARAMETERS] = {name: raw.pop(name) for name in loose} | raw[PARAMETERS]
    if not raw[PARAMETERS]:
        raise DataFileError(path, f"has no table [{PARAMETERS}]", f"write one, or name the set {raw[BASE]!r} itself")
    return raw


def read_greenhouse(path: Path) -> Parameters:
    """Return the parameters of a greenhouse file."""
    raw = read_greenhouse_tables(path)
    try:
        return altered(load_parameters(raw[BASE]), _whole(raw[PARAMETERS]))
    except PhytotronError as error:
        raise DataFileError(path, str(error), "correct the value in the file") from None


def options_beside(path: Path) -> list[str]:
    """Return the tables of a greenhouse file that are options of an environment, such as rules."""
    return [name for name in read_greenhouse_tables(path) if name not in (BASE, PARAMETERS, *NOTES)]


def _whole(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: float(value) if isinstance(value, int) else value for name, value in parameters.items()}
