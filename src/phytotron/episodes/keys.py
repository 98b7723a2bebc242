"""The random keys of an episode: how its key is split at the start and at every step.

Whatever runs an episode splits keys here, so that a plan meets the same random numbers as the controller it came from.
"""

import jax
from jax import Array


def start_keys(key: Array) -> Array:
    """Return three keys of the start of an episode: for its steps, its initial state, and its controller's memory."""
    return jax.random.split(key, 3)


def step_keys(key: Array) -> Array:
    """Return three keys of a step: for the steps that follow, the controller's action, and the transition."""
    return jax.random.split(key, 3)
