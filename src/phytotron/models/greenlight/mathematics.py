"""Functions whose values and gradients stay finite at zero, elementwise over any batch."""

from collections.abc import Callable, Sequence

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value

# Below this the magnitude of a difference counts as zero. gl-gym adds the same number inside |dT|.
SMALLEST = 1e-10


def together(function: Callable[[Array], Array], *arguments: Value) -> Sequence[Array]:
    """Apply an elementwise function to several arguments.

    Scalars (a single environment) go through as one array: a compiled function of a few hundred scalars spends its time
    on starting kernels. Batches stay apart, so that nothing is copied and a GPU kernel keeps them in registers.
    """
    arrays = [jnp.asarray(argument) for argument in arguments]
    if all(array.ndim == 0 for array in arrays):
        return list(function(jnp.stack(arrays)))
    return [function(array) for array in arrays]


def magnitude_powers(pairs: Sequence[tuple[Value, Value]]) -> Sequence[Array]:
    """Return `|x| ** exponent` for several pairs (x, exponent)."""
    logarithms = together(lambda x: jnp.log(jnp.maximum(jnp.abs(x), SMALLEST)), *(x for x, _ in pairs))
    return together(jnp.exp, *(n * logarithm for (_, n), logarithm in zip(pairs, logarithms, strict=True)))


def magnitude_power(x: Value, exponent: Value) -> Array:
    """Return `|x| ** exponent` as `exp(exponent log |x|)`, which vectorises where `pow` does not."""
    return jnp.exp(exponent * jnp.log(jnp.maximum(jnp.abs(x), SMALLEST)))


def root(x: Value) -> Array:
    """Return `sqrt(|x|)`."""
    return jnp.sqrt(jnp.maximum(jnp.abs(x), SMALLEST))


def switch(x: Value) -> Array:
    """Return the logistic function 1 / (1 + exp(-x)), with the exponent kept in the range of float32."""
    return 1.0 / (1.0 + jnp.exp(jnp.minimum(-jnp.asarray(x), 80.0)))
