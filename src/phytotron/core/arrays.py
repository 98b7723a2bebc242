"""The same formula for NumPy series and for JAX values."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def namespace(*values: Any) -> Any:
    """NumPy where all arrays are NumPy's, which keeps float64; JAX for everything else, plain numbers included."""
    if any(isinstance(value, jax.Array) for value in values):
        return jnp
    return np if any(isinstance(value, np.ndarray | np.generic) for value in values) else jnp
