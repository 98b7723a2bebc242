"""Functions whose values and gradients stay finite at zero, elementwise over any batch."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array
from jax.typing import ArrayLike

KELVIN = 273.15

# Below this the magnitude of a difference counts as zero. gl-gym adds the same number inside |dT|.
SMALLEST = 1e-10


def magnitude_power(x: ArrayLike, exponent: ArrayLike) -> Array:
    """|x| ** exponent as exp(exponent log |x|), which vectorises where `pow` does not."""
    return jnp.exp(exponent * jnp.log(jnp.maximum(jnp.abs(x), SMALLEST)))


def root(x: ArrayLike) -> Array:
    """sqrt(|x|)."""
    return jnp.sqrt(jnp.maximum(jnp.abs(x), SMALLEST))


def switch(x: ArrayLike) -> Array:
    """The logistic function 1 / (1 + exp(-x)), with the exponent kept in the range of float32."""
    return 1.0 / (1.0 + jnp.exp(jnp.minimum(-jnp.asarray(x), 80.0)))
