"""Twins as files: what a calibration found, with where it comes from; and twins of a published set."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.calibration.installation import Installation, installation_of
from phytotron.calibration.replay import Twin
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import names, replace
from phytotron.core.parameter_files import write_parameter_file
from phytotron.logs import GreenhouseLog
from phytotron.logs.variables import CLIMATE
from phytotron.models.greenlight import PARAMETER_SETS, Parameters, load_parameters
from phytotron.models.greenlight.greenhouse_file import FILE_NAME, read_greenhouse, read_greenhouse_tables
from phytotron.models.greenlight.parameter_sets import altered

# Calibrations that the package holds; benchmarks/fit_agc2022.py makes them.
EARLIER = {"agc2022": Path(__file__).parent / "data" / "agc2022.toml"}
FROM_LIGHT = ("crop_area_fraction", "lamp_light", "sun_share", "direct_share")
DEFAULT_BASE = "katzin2020_144m2"  # a compartment of the same size and place as those of the logs at hand


def published_twin(log: GreenhouseLog, base: str = DEFAULT_BASE) -> Twin:
    """Return a published greenhouse with the floor area of a log and the installation that its light tells."""
    size = {} if log.floor_area is None else {"floor_area": log.floor_area}
    parameters = load_parameters(base, **size)
    return Twin(parameters=parameters, installation=installation_of(log, parameters))


def load_twin(choice: str, log: GreenhouseLog) -> tuple[Twin, str]:
    """Return a twin from a parameter set, or from a folder or file of a calibration; and the set that it began with."""
    if choice in PARAMETER_SETS:
        return published_twin(log, choice), choice
    path = Path(choice)
    if not path.exists():
        known = ", ".join(PARAMETER_SETS)
        raise DataFileError(path, "is neither a folder of a calibration nor a parameter set", f"sets: {known}")
    raw, parameters = read_greenhouse_tables(path), read_greenhouse(path)
    own = installation_of(log, parameters)
    try:
        installation = replace(own, raw.get("installation", {}))
    except PhytotronError as error:
        raise DataFileError(path, str(error), "correct the value in the file") from None
    return Twin(parameters=parameters, installation=installation), raw["base"]


def starting_twin(choice: str, log: GreenhouseLog) -> tuple[Twin, str]:
    """Return the twin at which a calibration begins: a set, an earlier calibration, or one of the package; and its set.

    Of an earlier one the house counts; what the light in the log itself says of lamps and sun, and the size of the
    house and its crop, are those of the log.
    """
    twin, base = load_twin(str(EARLIER.get(choice, choice)), log)
    size = {} if log.floor_area is None else {"floor_area": log.floor_area}
    parameters = altered(twin.parameters, size)
    own = installation_of(log, parameters)
    from_light = {name: getattr(own, name) for name in FROM_LIGHT}
    return Twin(parameters=parameters, installation=dataclasses.replace(twin.installation, **from_light)), base


def read_residuals(choice: str) -> Any:
    """Return the 5th and 95th percentiles of a twin's residuals on the days of its fit, (2, quantities).

    It is None where the file has none.
    """
    table = {} if choice in PARAMETER_SETS else read_greenhouse_tables(Path(choice)).get("residuals", {})
    known = isinstance(table, dict) and all(_is_pair(table.get(name)) for name in CLIMATE)
    return np.array([table[name] for name in CLIMATE], float).T if known else None


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, float | int) for end in value)


def write_twin(folder: Path, twin: Twin, base: str, about: Mapping[str, Any], tables: Mapping[str, Any]) -> Path:
    """Write a twin to `greenhouse.toml` in a folder; `tables` are more tables of numbers or lists of them."""
    published = load_parameters(base)
    changed = {
        name: float(getattr(twin.parameters, name))
        for name in names(Parameters)
        if float(getattr(twin.parameters, name)) != float(getattr(published, name))
    }
    installed = {name: float(getattr(twin.installation, name)) for name in names(Installation)}
    groups = {"about": about, "parameters": changed, "installation": installed, **tables}
    return write_parameter_file(folder / FILE_NAME, base, groups)
