"""Seeds: the numbers that are allowed, and the random key of each."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

from phytotron.core.errors import ValueRangeError

if TYPE_CHECKING:
    from jax import Array

LARGEST_SEED = 2**32 - 1  # in single precision JAX takes a larger one modulo 2^32: the same key twice


def is_seed(value: Any) -> bool:
    """Return whether a value is a seed: a whole number from 0 to `LARGEST_SEED`, each with a random key of its own."""
    return isinstance(value, Integral) and not isinstance(value, bool) and 0 <= int(value) <= LARGEST_SEED


def random_key(seed: int) -> Array:
    """Return the random key of a seed; other values are refused."""
    import jax  # commands know the range of seeds before they need JAX

    if not is_seed(seed):
        raise ValueRangeError("seed", seed, f"a whole number from 0 to {LARGEST_SEED}")
    return jax.random.key(seed)
