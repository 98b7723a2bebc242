"""Ensembles: replays with parameters drawn from what a calibration leaves open, and how often they hold the truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.calibration.adjustable import ADJUSTABLE, with_values
from phytotron.calibration.inputs import Windows
from phytotron.calibration.replay import Twin, compiled_simulation
from phytotron.core.errors import DataFileError
from phytotron.core.files import write_text
from phytotron.core.tensor_files import read_json
from phytotron.logs.variables import CLIMATE
from phytotron.models.greenlight import PARAMETER_SETS

FILE_NAME = "ensemble.json"
REMEDY = "calibrate again, or remove the file"
MEMBERS_AT_ONCE = {"cpu": 32}  # by backend; elsewhere all of them
ENDS = (0.05, 0.95)  # of the band of an ensemble


def write_ensemble(folder: Path, values: Mapping[str, Any]) -> Path:
    """Write the values of every member, by name of parameter, beside the file of the twin."""
    path = folder / FILE_NAME
    write_text(path, json.dumps({"parameters": {name: list(map(float, each)) for name, each in values.items()}}) + "\n")
    return path


def read_ensemble(choice: str) -> dict[str, Any] | None:
    """Return the values of the members by name, from the folder of a calibration or its greenhouse file.

    It is None where there is no ensemble, as for a published parameter set.
    """
    if choice in PARAMETER_SETS:
        return None
    folder = Path(choice) if Path(choice).is_dir() else Path(choice).parent
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    raw = read_json(path, "ensemble", REMEDY)
    try:
        values = {str(name): np.array(each, float) for name, each in raw["parameters"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise DataFileError(path, f"is no ensemble ({error})", REMEDY) from None
    sizes = {each.shape for each in values.values()}
    if len(sizes) != 1 or not all(np.isfinite(each).all() and each.ndim == 1 for each in values.values()):
        raise DataFileError(path, "has members of different size, or that are not finite", REMEDY)
    unknown = [name for name in values if name not in ADJUSTABLE]
    if unknown:
        raise DataFileError(path, f"has the unknown parameter {unknown[0]}", REMEDY)
    return values


def simulate_members(twin: Twin, values: Mapping[str, Any], given: Windows, substeps: int = 20) -> Any:
    """Return the simulated climate of every member: (members, steps, windows, 3)."""
    count, windows = len(next(iter(values.values()))), given.starts.size
    free = jnp.arange(given.drive.light.shape[0]) >= given.spin_up
    size = min(MEMBERS_AT_ONCE.get(jax.default_backend(), count), count)
    drive = jax.tree.map(lambda column: jnp.tile(jnp.asarray(column), (1, size)), given.drive)
    mean = jnp.tile(jnp.asarray(given.mean_temperature), size)
    tied = {other: each for name, each in values.items() for other in ADJUSTABLE[name].tied}
    parts = []
    for begin in range(0, count, size):
        rows = np.minimum(np.arange(begin, begin + size), count - 1)
        own = {
            name: jnp.repeat(jnp.asarray(each[rows], mean.dtype), windows)
            for name, each in (dict(values) | tied).items()
        }
        simulated = compiled_simulation(substeps)(with_values(twin, own), drive, mean, free)[given.spin_up :]
        apart = np.asarray(simulated).reshape(simulated.shape[0], size, windows, len(CLIMATE))
        parts.append(np.moveaxis(apart, 1, 0)[: count - begin])
    return np.concatenate(parts)


def band(members: Any, residuals: Any = None) -> tuple[Any, Any]:
    """Return the 5th and 95th percentile of the members; with those of `residuals` (2, 3) added, of a measurement."""
    low, high = np.quantile(members, ENDS, axis=0)
    if residuals is not None:
        low, high = low + residuals[0], high + residuals[1]
    return low, high


def coverage(ends: tuple[Any, Any], given: Windows) -> dict[str, float]:
    """Return the share of measurements within a band, by quantity."""
    found = {}
    for index, name in enumerate(CLIMATE):
        measured = given.measured[..., index]
        known = np.isfinite(measured)
        inside = (measured >= ends[0][..., index]) & (measured <= ends[1][..., index])
        found[name] = float(inside[known].mean()) if known.any() else float("nan")
    return found
