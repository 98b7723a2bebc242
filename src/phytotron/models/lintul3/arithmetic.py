"""Divisions whose values and gradients stay finite."""

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value


def ratio(part: Value, whole: Value, otherwise: float = 0.0) -> Array:
    """Return part / whole; `otherwise` where whole is zero."""
    divides = whole != 0.0
    return jnp.where(divides, part / jnp.where(divides, whole, 1.0), otherwise)


def root(x: Value) -> Array:
    """Return sqrt(x), with a gradient of zero at x = 0."""
    positive = x > 0.0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, x, 1.0)), 0.0)
