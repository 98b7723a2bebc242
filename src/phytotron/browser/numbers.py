"""Many arrays of numbers in one text: each in the smallest format that holds it exactly, packed together."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What JavaScript calls them: Uint16Array, Float32Array, Float64Array; and half precision, which it has not.
FORMATS = {"u": "<u2", "e": "<f2", "f": "<f4", "d": "<f8"}

Place = tuple[str, int, int]  # format, first byte, number of elements


class Archive:
    """Arrays one after another; each is found again by its place."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._places: dict[bytes, Place] = {}  # of the arrays that it holds

    def add(self, values: Any) -> Place:
        """Put an array at the end, unless it holds one like it, and say where it lies."""
        exact = np.ascontiguousarray(values, np.float64).ravel()
        if exact.tobytes() not in self._places:
            letter, data = smallest(exact)
            self._bytes += bytes(-len(self._bytes) % 8)
            self._places[exact.tobytes()] = letter, len(self._bytes), exact.size
            self._bytes += data.tobytes()
        return self._places[exact.tobytes()]

    def text(self) -> str:
        """Return all arrays, deflated (zlib), in base64."""
        return base64.b64encode(zlib.compress(bytes(self._bytes), 9)).decode("ascii")


def smallest(exact: NDArray[np.float64]) -> tuple[str, NDArray[Any]]:
    """Return numbers in the smallest format that holds them exactly, and its letter."""
    for letter, kind in FORMATS.items():
        with np.errstate(over="ignore", invalid="ignore"):
            tried = exact.astype(kind)
        if np.array_equal(tried.astype(np.float64), exact, equal_nan=True):
            return letter, tried
    raise AssertionError("every float64 is a float64")
