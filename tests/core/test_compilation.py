"""One kernel on the CPU: the same results, whatever is handed to it."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.compilation import jit_as_kernel, single_kernel


def relax(value: jax.Array, target: jax.Array) -> jax.Array:
    return jax.lax.fori_loop(0, 5, lambda _, now: now + 0.1 * jnp.sin(target - now), value)


@pytest.mark.parametrize("size", [1, 3000])
def test_constants_may_be_operands(size: int) -> None:
    # XLA aborts the process when such a call is given long constants as they are.
    target = jnp.linspace(0.0, 1.0, size)
    start = jnp.zeros(size)
    expected = np.asarray(jax.jit(relax)(start, target))
    assert np.asarray(jax.jit(lambda value: single_kernel(relax)(value, target))(start)) == pytest.approx(expected)
    assert np.asarray(jax.jit(lambda: single_kernel(relax)(start, target))()) == pytest.approx(expected)


def test_vmap_and_grad_go_through() -> None:
    one, many = jnp.asarray(0.3), jnp.linspace(0.0, 1.0, 7)
    batched = jax.vmap(single_kernel(relax), (0, None))(many, one)
    assert np.asarray(batched) == pytest.approx(np.asarray(jax.vmap(relax, (0, None))(many, one)))
    slope = jax.jit(jax.grad(single_kernel(relax)))(one, jnp.asarray(1.0))
    assert float(slope) == pytest.approx(float(jax.grad(relax)(one, jnp.asarray(1.0))))


def test_what_cannot_be_one_kernel_is_compiled_as_it_is() -> None:
    def many_draws(seeds: jax.Array) -> jax.Array:
        return jax.vmap(lambda seed: jax.random.normal(jax.random.key(seed), (96,)).cumsum())(seeds)

    seeds = jnp.arange(64, dtype=jnp.uint32)
    call = jit_as_kernel(many_draws)
    expected = np.asarray(jax.jit(many_draws)(seeds))
    for _ in range(2):
        assert np.asarray(call(seeds)) == pytest.approx(expected, rel=1e-6)
