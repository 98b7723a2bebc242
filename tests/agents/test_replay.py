"""The replay buffer: what is kept, what is overwritten, what is drawn."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.agents import replay
from phytotron.agents.replay import Replay, ReplayBatch
from phytotron.core.errors import PhytotronError

DISCRETE = ((), jnp.int32)


def rows(*numbers: int) -> ReplayBatch:
    each = jnp.asarray(numbers, jnp.float32)
    return ReplayBatch(
        jnp.stack([each, -each], axis=1), each.astype(jnp.int32), each, jnp.stack([each + 1, -each], axis=1), each > 3
    )


def rewards(buffer: Replay) -> list[float]:
    return np.asarray(buffer.rows.reward).tolist()


def test_batches_are_kept_one_after_the_other() -> None:
    buffer = replay.add(replay.add(replay.empty(5, 2, DISCRETE), rows(1, 2)), rows(3, 4))
    assert rewards(buffer) == [1, 2, 3, 4, 0]
    assert int(replay.filled(buffer)) == 4
    np.testing.assert_array_equal(buffer.rows.observation[:4], rows(1, 2, 3, 4).observation)
    np.testing.assert_array_equal(buffer.rows.following[:4], rows(1, 2, 3, 4).following)
    assert np.asarray(buffer.rows.terminated).tolist() == [False, False, False, True, False]


def test_when_full_the_oldest_rows_are_overwritten_within_a_batch_too() -> None:
    buffer = replay.empty(5, 2, DISCRETE)
    for first in (1, 4, 7):
        buffer = replay.add(buffer, rows(first, first + 1, first + 2))
    assert rewards(buffer) == [6, 7, 8, 9, 5]
    assert int(replay.filled(buffer)) == 5
    assert int(buffer.added) == 9


def test_a_batch_larger_than_the_buffer_is_refused() -> None:
    with pytest.raises(PhytotronError, match="at most its capacity, 2"):
        replay.add(replay.empty(2, 2, DISCRETE), rows(1, 2, 3))


def test_only_what_was_added_is_drawn_each_row_as_often() -> None:
    buffer = replay.add(replay.empty(100, 2, DISCRETE), rows(1, 2, 3, 4))
    drawn = replay.sample(buffer, jax.random.key(0), (50, 80))
    assert drawn.observation.shape == (50, 80, 2)
    values, counts = np.unique(np.asarray(drawn.reward), return_counts=True)
    assert values.tolist() == [1, 2, 3, 4]
    assert np.all(np.abs(counts - 1000) < 5 * np.sqrt(4000 * 0.25 * 0.75))  # five standard deviations


def test_a_drawn_row_is_whole() -> None:
    buffer = replay.add(replay.empty(8, 2, DISCRETE), rows(1, 2, 3, 4, 5, 6))
    drawn = replay.sample(buffer, jax.random.key(1), (64,))
    expected = rows(*np.asarray(drawn.choice).tolist())
    for one, other in zip(drawn, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_it_is_single_precision_and_goes_through_jit_and_vmap() -> None:
    buffer = replay.empty(4, 2, ((3,), jnp.float32))
    assert {leaf.dtype for leaf in jax.tree.leaves(buffer)} == {np.dtype(n) for n in ("float32", "int32", "bool")}
    many = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), replay.empty(4, 2, DISCRETE))
    batches = jax.tree.map(lambda *each: jnp.stack(each), rows(1, 2), rows(3, 4))
    added = jax.jit(jax.vmap(replay.add))(many, batches)
    assert np.asarray(added.rows.reward).tolist() == [[1, 2, 0, 0], [3, 4, 0, 0]]
