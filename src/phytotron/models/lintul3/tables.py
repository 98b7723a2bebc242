"""Functions given by points: straight lines between them, constant beyond both ends (AFGEN)."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Value, quantity


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """Points of a function, along the last axis; leading axes are those of a batch of fields.

    Only the last point may be there more than once: `padded` repeats it, so that tables of all lengths can be stacked.
    """

    x: Value
    y: Value

    def __call__(self, value: Value) -> Array:
        """The function, elementwise; the result has the precision of its argument."""
        at = jnp.asarray(value, jnp.result_type(value, float))
        x, y = jnp.asarray(self.x, at.dtype), jnp.asarray(self.y, at.dtype)
        run = x[..., 1:] - x[..., :-1]
        slope = jnp.where(run > 0.0, (y[..., 1:] - y[..., :-1]) / jnp.where(run > 0.0, run, 1.0), 0.0)
        segment = jnp.sum(at[..., None] >= x[..., 1:-1], axis=-1, dtype=jnp.int32)
        beyond = jnp.clip(at, x[..., 0], x[..., -1]) - picked(x, segment)
        return picked(y, segment) + picked(slope, segment) * beyond

    @property
    def size(self) -> int:
        """Number of points."""
        return int(np.shape(self.x)[-1])

    def padded(self, size: int) -> Table:
        """Return the same function with this many points."""
        missing = size - self.size
        if missing < 0:
            raise PhytotronError(f"a table of {self.size} points cannot be shortened to {size}")
        wider = [(0, 0)] * (np.ndim(self.x) - 1) + [(0, missing)]
        return Table(np.pad(self.x, wider, mode="edge"), np.pad(self.y, wider, mode="edge"))


def picked(values: Array, index: Array) -> Array:
    """Return one value per field, from values that are the same for all fields or from those of each."""
    if values.ndim == 1:
        return values[index]
    return jnp.take_along_axis(jnp.broadcast_to(values, (*index.shape, values.shape[-1])), index[..., None], -1)[..., 0]


def table_of(points: Any, owner: str) -> Table:
    """Return a table of a `Table`, of rows (x, y), or of the flat list x, y, x, y, ... of crop parameter files."""
    if isinstance(points, Table):
        given = points
    else:
        try:
            numbers = np.asarray(points, float)
        except (TypeError, ValueError, OverflowError):
            raise ValueRangeError(owner, points, "rows (x, y) or the numbers x, y, x, y, ...") from None
        if numbers.ndim == 1 and numbers.size % 2 == 0:
            numbers = numbers.reshape(-1, 2)
        if numbers.ndim != 2 or numbers.shape[-1] != 2:
            raise PhytotronError(f"{owner} has shape {numbers.shape}; expected rows (x, y) or x, y, x, y, ...")
        given = Table(numbers[:, 0], numbers[:, 1])
    check_table(given, owner)
    return given


def check_table(table: Table, owner: str) -> None:
    """Refuse a table whose points are not finite, too few, or out of order."""
    if any(isinstance(each, jax.core.Tracer) for each in (table.x, table.y)):
        return
    x, y = np.asarray(table.x), np.asarray(table.y)
    if x.shape != y.shape or x.ndim < 1 or x.shape[-1] < 2:
        raise PhytotronError(f"{owner} has x of shape {x.shape} and y of shape {y.shape}; expected two points or more")
    if not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
        raise PhytotronError(f"{owner} has points that are not finite; expected numbers")
    runs = np.diff(x, axis=-1)
    padding = (np.flip(np.cumsum(np.flip(runs, -1), -1), -1) == 0.0) & (np.diff(y, axis=-1) == 0.0)
    if not np.all((runs > 0.0) | padding):
        raise PhytotronError(f"{owner} has x = {x.tolist()}; expected x that increases from point to point")


def table(symbol: str, unit: str, description: str, points: Any, *, low: float = -np.inf, high: float = np.inf) -> Any:
    """Return a field of a record that holds a table."""
    default = table_of(points, symbol)
    described = quantity(symbol, unit, description, low=low, high=high)
    return dataclasses.field(default_factory=lambda: default, metadata=described.metadata)
