"""Files of recorded runs: .npz archives that are checked array by array when they are read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.array_files import read_arrays
from phytotron.core.errors import DataFileError
from phytotron.core.fields import symbols
from phytotron.core.files import DAMAGED

Floats = NDArray[np.float64]


def archives(folder: Path) -> list[Path]:
    """Return the .npz files of a folder, by name."""
    if not folder.is_dir():
        raise DataFileError(folder, "there is no such folder", "expected a folder with reference files (.npz)")
    paths = sorted(folder.glob("*.npz"))
    if not paths:
        raise DataFileError(folder, "has no .npz file", "expected recorded runs (.npz)")
    return paths


class Arrays:
    """The arrays of one file; errors name the file, the array and the expected content."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.arrays: dict[str, NDArray[Any]] = read_arrays(path.read_bytes())
        except DAMAGED as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            problem = f"cannot be read as a .npz file ({reason})"
            raise DataFileError(path, problem, "expected a complete .npz archive without pickled objects") from error

    def __contains__(self, key: str) -> bool:
        return key in self.arrays

    def fail(self, problem: str, expected: str) -> DataFileError:
        """Return the error that names the file, what is wrong with it and what was expected."""
        return DataFileError(self.path, problem, f"expected {expected}")

    def get(self, key: str, expected: str) -> NDArray[Any]:
        """Return an array as it is."""
        if key not in self.arrays:
            raise self.fail(f"array {key!r} is missing", f"{key}: {expected}")
        return self.arrays[key]

    def text(self, key: str, expected: str) -> str:
        """Return an array that holds one string."""
        array = self.get(key, expected)
        if array.size != 1 or array.dtype.kind != "U":
            raise self.fail(f"array {key!r} has shape {array.shape} and type {array.dtype}", f"one string: {expected}")
        return str(array.item())

    def number(self, key: str, expected: str) -> float:
        """Return an array that holds one number."""
        array = self.get(key, expected)
        if array.size != 1 or array.dtype.kind not in "fiu":
            raise self.fail(f"array {key!r} has shape {array.shape}", expected)
        return float(array.item())

    def numbers(self, key: str, dimensions: int, expected: str) -> Floats:
        """Return an array of finite numbers."""
        array = self.get(key, expected)
        if array.ndim != dimensions or array.dtype.kind not in "fiu":
            raise self.fail(f"array {key!r} has shape {array.shape} and type {array.dtype}", f"numbers {expected}")
        wrong = np.argwhere(~np.isfinite(array))
        if len(wrong):
            where = ", ".join(map(str, wrong[0]))
            raise self.fail(f"array {key!r} is {array[tuple(wrong[0])]} at [{where}]", "finite numbers")
        return array.astype(np.float64)

    def shaped(self, key: str, shape: tuple[int, ...]) -> Floats:
        """Return an array of finite numbers, of this very shape."""
        array = self.numbers(key, len(shape), f"of shape {shape}")
        if array.shape != shape:
            raise self.fail(f"array {key!r} has shape {array.shape}", f"shape {shape}")
        return array

    def names(self, key: str, of: str) -> list[str]:
        """Return an array that names the columns of another."""
        return self.get(key, f"the names of the columns of {of}").astype(str).ravel().tolist()

    def columns(self, key: str, names_key: str, required: Sequence[str] = ()) -> dict[str, Floats]:
        """Return the columns of a table of numbers by their names, which are given once each."""
        names = self.names(names_key, key)
        table = self.numbers(key, 2, f"of shape (rows, {len(names)})")
        if table.shape[1] != len(names) or not len(table):
            raise self.fail(f"array {key!r} has shape {table.shape}", f"shape (rows, {len(names)}), one per name")
        missing = [name for name in required if name not in names]
        if missing:
            raise self.fail(f"array {names_key!r} lacks {', '.join(missing)}", f"these columns of {key}")
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise self.fail(f"array {names_key!r} has {twice!r} twice", "every name once")
        return {name: table[:, place] for place, name in enumerate(names)}

    def table(self, key: str, record: type[Any], names_key: str, rows: tuple[int, ...] = ()) -> Floats:
        """Return a table of numbers with its columns in the order of a record; `rows` are the lengths it may have."""
        wanted = symbols(record)
        length = " or ".join(map(str, rows)) or "n"
        array = self.numbers(key, 2, f"of shape ({length}, {len(wanted)})")
        if array.shape[1] != len(wanted) or array.shape[0] < 1 or (rows and array.shape[0] not in rows):
            raise self.fail(f"array {key!r} has shape {array.shape}", f"shape ({length}, {len(wanted)})")
        names = self.names(names_key, key)
        if sorted(names) != sorted(wanted):
            missing = ", ".join(symbol for symbol in wanted if symbol not in names) or "nothing"
            problem = f"array {names_key!r} has {len(names)} names and lacks {missing}"
            raise self.fail(problem, f"each of {' '.join(wanted)} once")
        return array[:, [names.index(symbol) for symbol in wanted]]
