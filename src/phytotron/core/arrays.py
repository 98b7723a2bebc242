"""Helpers for floating-point arrays: one formula for NumPy and JAX values, and the choice of precision."""

from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError, UnknownNameError

PRECISIONS = ("float32", "float64")

Tree = TypeVar("Tree")


def namespace(*values: Any) -> Any:
    """Return the array library for some values: NumPy where all arrays are from NumPy, which keeps float64; otherwise
    JAX.

    Plain numbers count as values for JAX.
    """
    if any(isinstance(value, jax.Array) for value in values):
        return jnp
    return np if any(isinstance(value, np.ndarray | np.generic) for value in values) else jnp


def cast(tree: Tree, precision: str) -> Tree:
    """Return all numbers of a pytree as JAX arrays of a precision."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, precision), tree)


def on_host(leaf: Any) -> NDArray[Any]:
    """Return a number or an array as a NumPy array; of a random key, its data."""
    is_key = jnp.issubdtype(jax.typeof(leaf).dtype, jax.dtypes.prng_key)
    return np.asarray(jax.random.key_data(leaf) if is_key else leaf)


def kept_if(condition: Any, before: Tree, after: Tree) -> Tree:
    """Return `before` where a condition holds and `after` elsewhere, leaf by leaf, in the types of `before`."""
    return jax.tree.map(lambda old, new: jnp.where(condition, old, new).astype(old.dtype), before, after)


def zero_if(condition: Any, tree: Tree) -> Tree:
    """Return a pytree with 0 in all leaves where a condition holds."""
    return jax.tree.map(lambda leaf: jnp.where(condition, jnp.zeros_like(leaf), leaf), tree)


def read_only(tree: Tree) -> Tree:
    """Return a pytree whose NumPy arrays can no longer be written to, because several users share it."""
    for leaf in jax.tree.leaves(tree):
        if isinstance(leaf, np.ndarray):
            leaf.setflags(write=False)
    return tree


@jax.custom_jvp
def soft_clip(value: Any) -> Any:
    """Return `value` clipped at -1 and 1, but with the gradient of an arctan, so that gradients do not vanish beyond
    the bounds.
    """
    return jnp.clip(value, -1.0, 1.0)


@soft_clip.defjvp
def _soft_clip_slope(values: Any, tangents: Any) -> tuple[Any, Any]:
    (value,), (tangent,) = values, tangents
    return soft_clip(value), tangent / (1.0 + value**2)


def check_precision(precision: str) -> None:
    """Refuse a precision that does not exist, or that JAX is not configured for."""
    if precision not in PRECISIONS:
        raise UnknownNameError("precision", precision, PRECISIONS)
    if precision == "float64" and jnp.result_type(float) != jnp.float64:
        raise PhytotronError(
            "float64 has to be switched on first: jax.config.update('jax_enable_x64', True) in a program, or the "
            "environment variable JAX_ENABLE_X64=1 before a command"
        )
