"""Distributions of parameters that differ from episode to episode (domain randomisation)."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Value, check_value, find


class Distribution(Protocol):
    """Draws a value of a parameter, given its nominal value."""

    def sample(self, key: Array, nominal: Value) -> Array:
        """Draw a value of a parameter whose nominal value is given."""

    def extremes(self, nominal: Value) -> tuple[float, ...]:
        """Return values to be checked against the range of the parameter."""


@dataclass(frozen=True)
class Uniform:
    """A uniform distribution between two values."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueRangeError("Uniform", (self.low, self.high), "two finite numbers, the lower one first")

    def sample(self, key: Array, nominal: Value) -> Array:
        """Draw a value between `low` and `high`."""
        return jax.random.uniform(key, (), jnp.asarray(nominal).dtype, self.low, self.high)

    def extremes(self, nominal: Value) -> tuple[float, ...]:
        """Return the lowest and the highest value."""
        return self.low, self.high


@dataclass(frozen=True)
class Normal:
    """A normal distribution, cut off at three standard deviations from the mean."""

    mean: float
    std: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mean) and math.isfinite(self.std) and self.std > 0.0):
            raise ValueRangeError("Normal", (self.mean, self.std), "a finite mean and a positive standard deviation")

    def sample(self, key: Array, nominal: Value) -> Array:
        """Draw a value from the normal distribution, cut off at three standard deviations."""
        dtype = jnp.asarray(nominal).dtype
        return self.mean + self.std * jax.random.truncated_normal(key, -3.0, 3.0, (), dtype)

    def extremes(self, nominal: Value) -> tuple[float, ...]:
        """Return the values three standard deviations below and above the mean."""
        return self.mean - 3.0 * self.std, self.mean + 3.0 * self.std


@dataclass(frozen=True)
class Relative:
    """A uniform distribution around the nominal value; 0.1 is ten per cent to either side."""

    spread: float

    def __post_init__(self) -> None:
        if not 0.0 < self.spread < 1.0:
            raise ValueRangeError("Relative", self.spread, "above 0 and below 1")

    def sample(self, key: Array, nominal: Value) -> Array:
        """Draw a value within the relative spread around the nominal one."""
        value = jnp.asarray(nominal)
        return value * jax.random.uniform(key, (), value.dtype, 1.0 - self.spread, 1.0 + self.spread)

    def extremes(self, nominal: Value) -> tuple[float, ...]:
        """Return the lowest and the highest value around the nominal one."""
        return float(nominal) * (1.0 - self.spread), float(nominal) * (1.0 + self.spread)


@dataclass(frozen=True)
class Choice:
    """One of some values, all equally likely."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values or not all(math.isfinite(value) for value in self.values):
            raise ValueRangeError("Choice", self.values, "one or more finite numbers")

    def sample(self, key: Array, nominal: Value) -> Array:
        """Draw one of the values, all equally likely."""
        return jax.random.choice(key, jnp.asarray(self.values, jnp.asarray(nominal).dtype))

    def extremes(self, nominal: Value) -> tuple[float, ...]:
        """Return all values."""
        return self.values


def check_randomisation(chosen: Mapping[str, Any], nominal: Any) -> dict[str, Distribution]:
    """Return the distributions by the names of their parameters, which may be given by name or symbol.

    An error names a distribution whose values lie outside the range of its parameter.
    """
    checked: dict[str, Distribution] = {}
    for key, distribution in chosen.items():
        q = find(type(nominal), key)
        value = getattr(nominal, q.name)
        if dataclasses.is_dataclass(value):
            raise PhytotronError(f"{q.name} is a table and cannot vary from episode to episode; choose a number")
        if not (hasattr(distribution, "sample") and hasattr(distribution, "extremes")):
            raise PhytotronError(f"{key} is to vary by {distribution!r}; expected Uniform, Normal, Relative or Choice")
        if q.name in checked:
            raise PhytotronError(f"{q.name} is given twice, by name and by symbol")
        for extreme in distribution.extremes(np.asarray(value)):
            check_value(q, extreme, f"randomised {type(nominal).__name__}")
        checked[q.name] = distribution
    return checked


def corners(chosen: Mapping[str, Distribution], nominal: Any, related: Iterable[str]) -> Any:
    """Return the parameters at every combination of the extremes of those among the `related` ones that vary.

    These are arrays with one axis for each of them.
    """
    varying = [name for name in dict.fromkeys(related) if name in chosen]
    extremes = np.ix_(*(chosen[name].extremes(getattr(nominal, name)) for name in varying))
    changes: Any = dict(zip(varying, extremes, strict=True))
    return dataclasses.replace(nominal, **changes)


def sample_parameters(key: Array, chosen: Mapping[str, Distribution], nominal: Any, dtype: Any) -> dict[str, Array]:
    """Return a draw of every parameter that varies."""
    keys = jax.random.split(key, max(len(chosen), 1))
    return {
        name: distribution.sample(one, jnp.asarray(getattr(nominal, name), dtype))
        for one, (name, distribution) in zip(keys, chosen.items(), strict=False)
    }
