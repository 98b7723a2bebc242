"""Gradients that a function was given: those of plain operations, under every transformation."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.core.adjoint import with_adjoint


def inline(x: Any, weights: dict[str, Any]) -> Any:
    """Something with a loop, two inputs of different structure, and two outputs."""

    def once(now: Any, _: None) -> tuple[Any, None]:
        return jnp.sin(weights["a"] * now) + weights["b"] * now**2, None

    last, _ = jax.lax.scan(once, x, length=5)
    return last, 3.0 * x


def loss(function: Any) -> Any:
    return lambda x, weights: function(x, weights)[0] + 0.5 * function(x, weights)[1] ** 2


X, WEIGHTS = 0.3, {"a": 1.7, "b": 0.2}
BATCH = np.linspace(-1.0, 1.0, 7)


def test_gradients_are_those_of_the_plain_operations() -> None:
    given = jax.jit(jax.value_and_grad(loss(with_adjoint(inline, inline)), argnums=(0, 1)))(X, WEIGHTS)
    plain = jax.value_and_grad(loss(inline), argnums=(0, 1))(X, WEIGHTS)
    for one, other in zip(jax.tree.leaves(given), jax.tree.leaves(plain), strict=True):
        assert float(one) == pytest.approx(float(other), rel=1e-12)


@pytest.mark.parametrize("order", ["gradients of many", "many gradients"])
def test_batches_have_the_gradients_of_their_members(order: str) -> None:
    function = loss(with_adjoint(inline, inline))
    if order == "many gradients":
        found = jax.vmap(jax.grad(function), (0, None))(BATCH, WEIGHTS)
    else:
        found = jax.grad(lambda x: jnp.sum(jax.vmap(function, (0, None))(x, WEIGHTS)))(BATCH)
    plain = [jax.grad(loss(inline))(x, WEIGHTS) for x in BATCH]
    assert np.asarray(found) == pytest.approx(np.asarray(plain), rel=1e-12)


def test_it_is_differentiated_step_by_step_in_a_loop() -> None:
    def rolled(function: Any) -> Any:
        def value(x: Any) -> Any:
            return jax.lax.scan(lambda now, _: (function(now, WEIGHTS)[0], None), x, length=4)[0]

        return jax.jit(jax.grad(value))

    assert rolled(with_adjoint(inline, inline))(X) == pytest.approx(float(rolled(inline)(X)), rel=1e-12)


def test_only_what_is_asked_for_is_differentiated() -> None:
    function = loss(with_adjoint(inline, inline))
    one, all_of_them = (str(jax.make_jaxpr(jax.grad(function, argnums=which))(X, WEIGHTS)) for which in (0, (0, 1)))
    assert len(one) < len(all_of_them)
