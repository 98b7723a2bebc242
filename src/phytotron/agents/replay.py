"""A buffer of past transitions, from which off-policy agents learn (Lin 1992)."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import ValueRangeError


class ReplayBatch(NamedTuple):
    """A batch of transitions, one per row. Truncation is not kept, because values continue beyond a time limit."""

    observation: Array
    choice: Array
    reward: Array
    following: Array
    terminated: Array


class Replay(NamedTuple):
    """The latest transitions, one row each; the oldest are overwritten."""

    rows: ReplayBatch
    added: Array  # transitions that were ever added


def empty(capacity: int, observation: int, choice: tuple[tuple[int, ...], Any]) -> Replay:
    """Return an empty buffer for `capacity` transitions, with observations of this length and choices of this shape and
    dtype.
    """
    shape, dtype = choice
    rows = ReplayBatch(
        jnp.zeros((capacity, observation), jnp.float32),
        jnp.zeros((capacity, *shape), dtype),
        jnp.zeros(capacity, jnp.float32),
        jnp.zeros((capacity, observation), jnp.float32),
        jnp.zeros(capacity, bool),
    )
    return Replay(rows, jnp.zeros((), jnp.int32))


def add(replay: Replay, rows: ReplayBatch) -> Replay:
    """Return the buffer with a batch of rows (n, ...) added."""
    capacity, new = replay.rows.reward.shape[0], rows.reward.shape[0]
    if new > capacity:
        raise ValueRangeError("a batch added to a replay buffer", new, f"at most its capacity, {capacity}")
    places = (replay.added + jnp.arange(new, dtype=jnp.int32)) % capacity

    def put(old: Array, rows: Array) -> Array:
        return old.at[places].set(rows.astype(old.dtype), unique_indices=True)

    return Replay(jax.tree.map(put, replay.rows, rows), replay.added + new)


def filled(replay: Replay) -> Array:
    """Return the number of rows that hold a transition."""
    return jnp.minimum(replay.added, replay.rows.reward.shape[0])


def sample(replay: Replay, key: Array, shape: tuple[int, ...]) -> ReplayBatch:
    """Return uniform draws with replacement; before anything was added, all rows are the same."""
    chosen = jax.random.randint(key, shape, 0, jnp.maximum(filled(replay), 1), jnp.int32)
    return jax.tree.map(lambda each: each[chosen], replay.rows)
