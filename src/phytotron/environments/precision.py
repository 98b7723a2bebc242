"""The floating-point numbers that environments compute with."""

from __future__ import annotations

import jax.numpy as jnp

from phytotron.core.errors import PhytotronError, UnknownNameError

PRECISIONS = ("float32", "float64")


def check_precision(precision: str) -> None:
    """Refuse a precision that does not exist, or that JAX has not been told to use."""
    if precision not in PRECISIONS:
        raise UnknownNameError("precision", precision, PRECISIONS)
    if precision == "float64" and jnp.result_type(float) != jnp.float64:
        raise PhytotronError("float64 has to be switched on first: jax.config.update('jax_enable_x64', True)")
