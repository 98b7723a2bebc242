"""Spaces of actions and observations: an array within bounds, or one of a few choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import ArrayLike, DTypeLike, NDArray

from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.fields import Quantity


@dataclass(frozen=True, eq=False)
class Box:
    """Arrays of one shape, each component between its own bounds (both included). `names`: those of the components."""

    low: NDArray[Any]
    high: NDArray[Any]
    names: tuple[str, ...] = ()
    dtype: np.dtype[Any] = field(default_factory=lambda: np.dtype(np.float32))

    @classmethod
    def uniform(cls, low: float, high: float, shape: tuple[int, ...], dtype: DTypeLike = np.float32) -> Box:
        """Return a box with the same bounds for every component."""
        return cls(np.full(shape, low, dtype), np.full(shape, high, dtype), dtype=np.dtype(dtype))

    @classmethod
    def of(cls, quantities: Iterable[Quantity], dtype: DTypeLike = np.float32) -> Box:
        """Return a box with one component per quantity, with its name and range."""
        each = tuple(quantities)
        low, high = np.array([q.low for q in each], dtype), np.array([q.high for q in each], dtype)
        return cls(low, high, tuple(q.name for q in each), np.dtype(dtype))

    @classmethod
    def of_group(cls, fields: Mapping[str, Iterable[Quantity]], group: str, dtype: DTypeLike = np.float32) -> Box:
        """Return the box of a group in the fields of an environment, which has to describe each component."""
        described = tuple(fields.get(group, ()))
        if not described or not all(isinstance(each, Quantity) for each in described):
            remedy = "one phytotron.core.fields.Quantity for each component, or define the space itself"
            raise PhytotronError(f"fields does not describe the {group}; give it, as {group!r}, {remedy}")
        return cls.of(described, dtype)

    def __post_init__(self) -> None:
        low, high = (np.asarray(bound, self.dtype) for bound in (self.low, self.high))
        if low.shape != high.shape:
            raise ShapeError("Box.high", str(low.shape), high.shape, "that of Box.low")
        if not np.all(low <= high):
            raise ValueRangeError("Box.low", self.low, "bounds that are numbers, none above Box.high")
        if self.names and (len(self.names),) != low.shape:
            raise ShapeError("Box.low", f"({len(self.names)},)", low.shape, ", ".join(self.names))
        for name, bound in (("low", low), ("high", high)):
            bound.setflags(write=False)
            object.__setattr__(self, name, bound)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the arrays."""
        return self.low.shape

    def sample(self, key: Array) -> Array:
        """Return a uniform draw."""
        if not jnp.issubdtype(self.dtype, jnp.floating):
            expected = "a floating-point one; a choice among whole numbers is a Discrete"
            raise ValueRangeError("the dtype of the space to sample from", str(self.dtype), expected)
        if not (np.all(np.isfinite(self.low)) and np.all(np.isfinite(self.high))):
            raise ValueRangeError("the space to sample from", self.names or self.shape, "finite bounds everywhere")
        return jax.random.uniform(key, self.shape, self.dtype, jnp.asarray(self.low), jnp.asarray(self.high))

    def contains(self, value: ArrayLike) -> bool:
        """Return whether a concrete value has the shape and lies within the bounds."""
        array = np.asarray(value)
        return bool(array.shape == self.shape and np.all(array >= self.low) and np.all(array <= self.high))

    def check(self, value: Any, what: str) -> None:
        """Refuse a value of the wrong shape or, if it is concrete, one that is not finite. Bounds are not checked."""
        if np.shape(value) != self.shape:
            raise ShapeError(what, str(self.shape), np.shape(value), ", ".join(self.names))
        if isinstance(value, jax.core.Tracer):
            return
        array = np.asarray(value)
        if array.dtype.kind not in "fiub":
            raise ValueRangeError(what, value, "an array of numbers")
        if not np.all(np.isfinite(array)):
            worst = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
            name = self.names[worst[0]] if self.names else ", ".join(map(str, worst))
            raise ValueRangeError(f"{what}[{name}]", float(array[worst]), "a finite number")


@dataclass(frozen=True)
class Discrete:
    """The choices 0 to n - 1. `names` are those of the choices."""

    low: ClassVar[int] = 0
    shape: ClassVar[tuple[int, ...]] = ()
    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.int32)

    n: int
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueRangeError("Discrete.n", self.n, "at least one choice")
        if self.names and len(self.names) != self.n:
            raise ShapeError("Discrete.names", f"({self.n},)", (len(self.names),), "one name per choice")

    @property
    def high(self) -> int:
        """The last choice."""
        return self.n - 1

    def sample(self, key: Array) -> Array:
        """Return a uniform draw."""
        return jax.random.randint(key, (), 0, self.n, self.dtype)

    def contains(self, value: ArrayLike) -> bool:
        """Return whether a concrete value is one of the choices."""
        array = np.asarray(value)
        return bool(array.shape == () and array.dtype.kind in "iu" and 0 <= array < self.n)

    def check(self, value: Any, what: str) -> None:
        """Refuse a value of the wrong shape or, if it is concrete, one that is not among the choices."""
        if np.shape(value) != ():
            raise ShapeError(what, "()", np.shape(value), "the number of one choice")
        if not isinstance(value, jax.core.Tracer) and not self.contains(value):
            raise ValueRangeError(what, value, f"an integer from 0 to {self.n - 1}")


Space = Box | Discrete
