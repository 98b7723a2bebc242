"""Steps that lead to an impossible state: how they are recognised, undone and named."""

from __future__ import annotations

from typing import Any, TypeVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import kept_if
from phytotron.core.fields import quantities

State = TypeVar("State")  # a record


def first_outside(state: Any) -> Array:
    """Return the number of the first quantity that is not finite or outside its range; -1 if there is none."""
    first = jnp.full((), -1, jnp.int32)
    for number, q in reversed(tuple(enumerate(quantities(state)))):
        value = getattr(state, q.name)
        first = jnp.where((value >= q.low) & (value <= q.high), first, number)
    return first


def last_possible(before: State, after: State) -> tuple[State, Array]:
    """Return the state after a step, or the state before it where the step led to an impossible one; and
    `first_outside`.
    """
    left = first_outside(after)
    return kept_if(left >= 0, before, after), left


def reason(record: type[Any], left: int) -> str:
    """Return the meaning of a number of `first_outside` in words; empty for -1."""
    if left < 0:
        return ""
    q = tuple(quantities(record))[left]
    return f"{q.name} is no number, or has left what is possible ({q.range})"
