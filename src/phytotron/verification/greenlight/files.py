"""Reference runs of the GreenLight model: .npz files recorded from the published implementations.

A file is recognised by its arrays, not by its name. Both kinds have x (28 states), u (8 controls), d (10 weather
inputs), whose columns are named by `state_names`, `control_names` and `weather_names`, the name of the `parameter_set`
and, if the site is not at sea level, its `elevation` [m].

derivative table
    `dxdt`: rates of change at independent points, one row each.
trajectory
    `t` [s] in even steps, x at these times, and `hold`: what u and d do between the times. "constant": row k holds
    from t[k] to t[k + 1]. "pchip weather, constant control": u likewise, d by a monotone cubic through its rows.
    "linear": u and d are samples of a continuous run in closed loop.
"""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import symbols
from phytotron.models.greenlight import Control, Equations, Parameters, State, Weather, load_parameters, published

Floats = NDArray[np.float64]

CONSTANT, PCHIP, LINEAR = "constant", "pchip weather, constant control", "linear"
HOLDS = (CONSTANT, PCHIP, LINEAR)

# What numpy raises on files that are cut off, damaged, pickled, or single arrays (which are no context managers).
UNREADABLE = (OSError, EOFError, ValueError, TypeError, NotImplementedError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, eq=False)
class Reference:
    """What both kinds of file have. Columns are in the order of our records."""

    name: str
    parameter_set: str
    parameters: Parameters
    x: Floats
    u: Floats
    d: Floats

    @property
    def equations(self) -> Equations:
        return published(self.parameter_set)


@dataclass(frozen=True, eq=False)
class DerivativeTable(Reference):
    dxdt: Floats


@dataclass(frozen=True, eq=False)
class Trajectory(Reference):
    hold: str
    interval: float  # s, between the rows of x


class Arrays:
    """The arrays of one file; whatever is wrong with one is said with file, array and what was expected."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                self.arrays: dict[str, NDArray[Any]] = {key: file[key] for key in file.files}
        except UNREADABLE as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            problem = f"cannot be read as a .npz file ({reason})"
            raise DataFileError(path, problem, "expected a complete .npz archive without pickled objects") from error

    def __contains__(self, key: str) -> bool:
        return key in self.arrays

    def fail(self, problem: str, expected: str) -> DataFileError:
        return DataFileError(self.path, problem, f"expected {expected}")

    def get(self, key: str, expected: str) -> NDArray[Any]:
        if key not in self.arrays:
            raise self.fail(f"array {key!r} is missing", f"{key}: {expected}")
        return self.arrays[key]

    def text(self, key: str, expected: str) -> str:
        array = self.get(key, expected)
        if array.size != 1 or array.dtype.kind != "U":
            raise self.fail(f"array {key!r} has shape {array.shape} and type {array.dtype}", f"one string: {expected}")
        return str(array.item())

    def numbers(self, key: str, dimensions: int, expected: str) -> Floats:
        array = self.get(key, expected)
        if array.ndim != dimensions or array.dtype.kind not in "fiu":
            raise self.fail(f"array {key!r} has shape {array.shape} and type {array.dtype}", f"numbers {expected}")
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            where = ", ".join(map(str, wrong[0]))
            raise self.fail(f"array {key!r} is {array[tuple(wrong[0])]} at [{where}]", "finite numbers")
        return array.astype(np.float64)

    def table(self, key: str, record: type[Any], names_key: str, rows: tuple[int, ...] = ()) -> Floats:
        """A table of numbers with its columns in the order of a record; `rows` are the lengths it may have."""
        wanted = symbols(record)
        length = " or ".join(map(str, rows)) or "n"
        array = self.numbers(key, 2, f"of shape ({length}, {len(wanted)})")
        if array.shape[1] != len(wanted) or array.shape[0] < 1 or (rows and array.shape[0] not in rows):
            raise self.fail(f"array {key!r} has shape {array.shape}", f"shape ({length}, {len(wanted)})")
        names = self.get(names_key, f"the names of the columns of {key}").astype(str).ravel().tolist()
        if sorted(names) != sorted(wanted):
            missing = ", ".join(symbol for symbol in wanted if symbol not in names) or "nothing"
            problem = f"array {names_key!r} has {len(names)} names and lacks {missing}"
            raise self.fail(problem, f"each of {' '.join(wanted)} once")
        return array[:, [names.index(symbol) for symbol in wanted]]

    def parameters(self) -> tuple[str, Parameters]:
        name = self.text("parameter_set", "the name of a parameter set")
        try:
            published(name)
            if "elevation" not in self:
                return name, load_parameters(name)
            elevation = self.get("elevation", "one number [m]")
            if elevation.size != 1 or elevation.dtype.kind not in "fiu":
                raise self.fail(f"array 'elevation' has shape {elevation.shape}", "one number [m]")
            return name, load_parameters(name, elevation=float(elevation.item()))
        except DataFileError:
            raise
        except PhytotronError as error:
            raise self.fail(str(error), "a parameter set and an elevation that the model knows") from error


def read_reference(path: Path) -> DerivativeTable | Trajectory:
    """The reference in a file of either kind."""
    arrays = Arrays(path)
    if "dxdt" in arrays:
        x = arrays.table("x", State, "state_names")
        rows = (len(x),)
        u, d = arrays.table("u", Control, "control_names", rows), arrays.table("d", Weather, "weather_names", rows)
        dxdt = arrays.table("dxdt", State, "state_names", rows)
        return DerivativeTable(path.name, *arrays.parameters(), x, u, d, dxdt)
    if "t" not in arrays or "x" not in arrays:
        missing = " and ".join(repr(key) for key in ("t", "x") if key not in arrays)
        problem = f"array 'dxdt' is missing, and so is {missing}"
        raise arrays.fail(problem, "dxdt (a derivative table) or t and x (a trajectory)")
    t = arrays.numbers("t", 1, "of shape (n,): times [s]")
    steps = np.diff(t)
    if len(t) < 2 or steps[0] <= 0.0 or not np.allclose(steps, steps[0], rtol=1e-6, atol=0.0):
        raise arrays.fail("array 't' is not a series of even steps", "at least two times [s], evenly spaced")
    hold = arrays.text("hold", " or ".join(map(repr, HOLDS)))
    if hold not in HOLDS:
        raise arrays.fail(f"array 'hold' is {hold!r}", " or ".join(map(repr, HOLDS)))
    lengths = (len(t),) if hold == LINEAR else (len(t) - 1, len(t))
    u, d = arrays.table("u", Control, "control_names", lengths), arrays.table("d", Weather, "weather_names", lengths)
    x = arrays.table("x", State, "state_names", (len(t),))
    return Trajectory(path.name, *arrays.parameters(), x, u, d, hold, float(steps[0]))


def archives(folder: Path) -> list[Path]:
    """The .npz files of a folder, by name."""
    if not folder.is_dir():
        raise DataFileError(folder, "there is no such folder", "expected a folder with reference files (.npz)")
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        raise DataFileError(folder, "has no .npz file", "expected recorded runs (.npz)")
    return paths


def read_folder(folder: Path) -> list[DerivativeTable | Trajectory]:
    """All references in a folder, by name."""
    return [read_reference(path) for path in archives(folder)]
