"""Running moments against those of all data at once."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.typing import NDArray

from phytotron.agents.normalisation import Moments

# Single precision, and one part in 10^4 / n of a prior with mean 0 and variance 1.
NEAR = 1e-5


def seen(batches: list[NDArray[np.float32]]) -> Moments:
    moments = Moments.of_nothing(batches[0].shape[1:])
    for batch in batches:
        moments = moments.with_batch(jnp.asarray(batch))
    return moments


@pytest.mark.parametrize("sizes", [(7, 1, 100, 13), (1,) * 60])
def test_moments_of_batches_are_those_of_all_the_data(sizes: tuple[int, ...]) -> None:
    generator = np.random.default_rng(0)
    batches = [generator.normal([1.0, -3.0, 0.2], [2.0, 0.5, 1.0], (n, 3)).astype(np.float32) for n in sizes]
    moments, data = seen(batches), np.concatenate(batches).astype(np.float64)
    np.testing.assert_allclose(moments.mean, data.mean(axis=0), rtol=NEAR, atol=NEAR)
    np.testing.assert_allclose(moments.variance, data.var(axis=0), rtol=1e-4)
    assert float(moments.count) == pytest.approx(len(data), rel=NEAR)


def test_many_single_rows_do_not_lose_precision() -> None:
    data = np.random.default_rng(1).normal(20.0, 3.0, (20_000, 1)).astype(np.float32)
    moments, _ = jax.jit(
        lambda rows: jax.lax.scan(lambda now, row: (now.with_batch(row[None]), None), Moments.of_nothing((1,)), rows)
    )(jnp.asarray(data))
    assert float(moments.mean[0]) == pytest.approx(float(data.mean(dtype=np.float64)), rel=1e-4)
    assert float(moments.variance[0]) == pytest.approx(float(data.var(dtype=np.float64)), rel=1e-3)


def test_normalised_values_are_centred_scaled_and_clipped() -> None:
    moments = Moments(jnp.float32(2.0), jnp.float32(9.0), jnp.float32(10.0))
    np.testing.assert_allclose(moments.normalise(jnp.float32([5.0, 2.0, -100.0]), 10.0), [1.0, 0.0, -10.0], rtol=1e-6)


def test_scaled_values_are_not_centred() -> None:
    moments = Moments(jnp.float32(2.0), jnp.float32(9.0), jnp.float32(10.0))
    np.testing.assert_allclose(moments.scale(jnp.float32([3.0, 0.0, 600.0]), 50.0), [1.0, 0.0, 50.0], rtol=1e-6)


def test_a_quantity_that_never_changes_is_normalised_to_nothing() -> None:
    moments = seen([np.full((10, 1), 1.0, np.float32)] * 20)
    assert float(jnp.abs(moments.normalise(jnp.ones(1, jnp.float32), 10.0))[0]) < 0.1


def test_it_stays_in_single_precision_where_double_is_enabled() -> None:
    moments = seen([np.ones((3, 2), np.float32)])
    assert {leaf.dtype for leaf in jax.tree.leaves(moments)} == {jnp.dtype(jnp.float32)}
