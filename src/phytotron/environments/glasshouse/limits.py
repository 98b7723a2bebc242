"""Where the states of a greenhouse leave what is physically possible, which ends an episode."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import quantities, stack
from phytotron.models.greenlight import State


def first_outside(state: State) -> Array:
    """The number of the first state that is not finite or beyond its physical range; -1 if there is none."""
    values, ranges = stack(state), tuple(quantities(State))
    low = jnp.asarray([q.low for q in ranges], values.dtype)
    high = jnp.asarray([q.high for q in ranges], values.dtype)
    outside = ~((values >= low) & (values <= high))
    return jnp.where(jnp.any(outside), jnp.argmax(outside), -1).astype(jnp.int32)


def last_possible(after: State, before: State) -> tuple[State, Array]:
    """The state after a step, or that before where it left what is possible; and `first_outside`."""
    left = first_outside(after)
    return jax.tree.map(lambda new, old: jnp.where(left >= 0, old, new), after, before), left


def reason(left: int) -> str:
    """What `first_outside` means in words; empty for -1."""
    if left < 0:
        return ""
    q = tuple(quantities(State))[left]
    return f"{q.name} left what is possible ({q.range})"
