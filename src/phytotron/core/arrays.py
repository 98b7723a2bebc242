"""Floating-point numbers: the same formula for NumPy series and for JAX values, and their precision."""

from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.errors import PhytotronError, UnknownNameError

PRECISIONS = ("float32", "float64")

Tree = TypeVar("Tree")


def namespace(*values: Any) -> Any:
    """Return NumPy where all arrays are NumPy's, which keeps float64.

    JAX for everything else, plain numbers included.
    """
    if any(isinstance(value, jax.Array) for value in values):
        return jnp
    return np if any(isinstance(value, np.ndarray | np.generic) for value in values) else jnp


def cast(tree: Tree, precision: str) -> Tree:
    """Return all numbers of a pytree as JAX arrays of a precision."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, precision), tree)


def read_only(tree: Tree) -> Tree:
    """Return a pytree whose NumPy arrays can no longer be written to, as it is held for all who ask."""
    for leaf in jax.tree.leaves(tree):
        if isinstance(leaf, np.ndarray):
            leaf.setflags(write=False)
    return tree


@jax.custom_jvp
def soft_clip(value: Any) -> Any:
    """Return `value` clipped at -1 and 1, with the slope of an arctan, so that a gradient tells of what is out of
    reach.
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
        raise PhytotronError("float64 has to be switched on first: jax.config.update('jax_enable_x64', True)")
