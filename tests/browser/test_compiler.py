"""Every operation that the compiler knows gives in node what it gives in JAX, in double precision."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from javascript import call, needs_node

from phytotron.browser.compiler.elementwise import OF_INTEGERS, OF_TRUTH, RULES
from phytotron.browser.compiler.graph import UnknownPrimitiveError
from phytotron.browser.compiler.lowering import UNCHANGED
from phytotron.browser.compiler.module import Module, numbers
from phytotron.browser.compiler.structural import STRUCTURAL
from phytotron.core.errors import PhytotronError

lax = jax.lax
X, Y = np.array([0.3, -1.7, 2.5, 0.0]), np.array([1.4, 0.6, -2.0, 3.0])
SHARES, ABOVE = np.array([0.1, -0.9, 0.5, 1.0]), np.array([0.4, 1.0, 2.5, 9.0])
WHOLE, OTHER = np.array([7, -7, 4, 12], np.int32), np.array([2, 2, -3, 5], np.int32)
YES, MAYBE = np.array([True, False, True, False]), np.array([True, True, False, False])
MATRIX = np.arange(12.0).reshape(3, 4) - 5.0
LARGE = np.sin(np.arange(40.0 * 64.0)).reshape(40, 64)
VECTOR = np.cos(np.arange(64.0))
PLACE = np.int32(2)

Case = tuple[Callable[..., Any], tuple[Any, ...]]


@jax.custom_jvp
def own_gradient(x: Any) -> Any:
    return x * 2.0


own_gradient.defjvp(lambda primals, tangents: (own_gradient(*primals), tangents[0]))


@jax.custom_vjp
def own_adjoint(x: Any) -> Any:
    return x * 3.0


own_adjoint.defvjp(lambda x: (x, None), lambda _, gradient: (gradient,))

SAME_OF_ALL: dict[str, Case] = {
    **{
        name: (getattr(lax, name), (X,))
        for name in ("abs", "atan", "cbrt", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "floor", "is_finite",
                     "logistic", "neg", "sign", "sin", "sinh", "square", "tan", "tanh")
    },
    **{name: (getattr(lax, name), (SHARES,)) for name in ("acos", "asin")},
    **{name: (getattr(lax, name), (ABOVE,)) for name in ("log", "log1p", "rsqrt", "sqrt")},
    **{
        name: (getattr(lax, name), (X, Y))
        for name in ("add", "atan2", "div", "eq", "ge", "gt", "le", "lt", "max", "min", "mul", "ne", "rem", "sub")
    },
    **{f"{name} of truth": (getattr(lax, f"bitwise_{name}"), (YES, MAYBE)) for name in ("and", "or", "xor")},
    **{f"{name} of integers": (getattr(lax, f"bitwise_{name}"), (WHOLE, OTHER)) for name in ("and", "or", "xor")},
    **{f"{name} of integers": (getattr(lax, name), (WHOLE, OTHER)) for name in ("div", "rem")},
}  # fmt: skip
CASES: dict[str, Case] = SAME_OF_ALL | {
    "eq of truth": (lax.eq, (YES, MAYBE)),
    "ne of truth": (lax.ne, (YES, MAYBE)),
    "ne of truth in an array": (lambda n, p: (jnp.asarray(YES)[n] != p, jnp.asarray(YES)[n] == p), (PLACE, YES[0])),
    "not of truth": (lax.bitwise_not, (YES,)),
    "not of integers": (lax.bitwise_not, (WHOLE,)),
    "pow": (lambda x, y: lax.pow(x, y), (ABOVE, Y)),
    "clamp": (lambda x: lax.clamp(-1.0, x, 1.0), (X,)),
    "round": (lax.round, (np.array([0.5, -0.5, 1.5, 2.4]),)),
    "round to even": (jnp.round, (np.array([0.5, 1.5, -2.5, 2.4]),)),
    "convert_element_type": (lambda x: (x.astype(int), x.astype(bool), YES.astype(float) + x), (X,)),
    "single precision": (lambda x: x.astype(jnp.float32) * jnp.float32(0.1) + jnp.float32(0.2), (X,)),
    "integer_pow": (lambda x: (x**5, x**-3), (Y,)),
    "select_n": (lambda p, x, y: jnp.where(p, x, y), (YES, X, Y)),
    "select_n of three": (lambda n, x: lax.select_n(n, x, x + 1.0, x + 2.0), (np.int32([0, 1, 2, 1]), X)),
    "argmax": (lambda x: (jnp.argmax(x), jnp.argmax(x, axis=1)), (MATRIX * np.sin(MATRIX),)),
    "argmin": (lambda x: jnp.argmin(x, axis=0), (MATRIX * np.sin(MATRIX),)),
    "broadcast_in_dim": (lambda x: jnp.broadcast_to(x[:, None], (4, 3)), (X,)),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, np.ones(2)]), (X, Y)),
    "cumprod": (lambda x: jnp.cumprod(x), (X,)),
    "cumsum": (lambda x: (jnp.cumsum(x, axis=1), lax.cumsum(x, 0, reverse=True)), (MATRIX,)),
    "dot_general": (lambda x, y: x @ y, (MATRIX, X)),
    "dot_general of a large matrix": (lambda x: (LARGE @ x, x @ LARGE.T), (VECTOR,)),
    "a large vector": (lambda x: jnp.tanh(LARGE @ x) * 2.0 + x[:40], (VECTOR,)),
    "dynamic_slice": (lambda n: (lax.dynamic_slice(MATRIX, (n, n - 1), (1, 2)), jnp.asarray(X)[n]), (PLACE,)),
    "dynamic_slice of what is not known": (lambda x, n: lax.dynamic_slice(x, (n,), (2,)), (X, PLACE)),
    "expand_dims": (lambda x: lax.expand_dims(x, (0,)), (X,)),
    "gather": (lambda n: (jnp.asarray(MATRIX)[n], jnp.asarray(MATRIX)[:, n]), (np.int32([0, 2, -1]),)),
    "gather of what is not known": (lambda x, n: x[n, n], (MATRIX, np.int32([0, 2]))),
    "gather beyond the end": (lambda n: jnp.asarray(X).at[n].get(mode="fill"), (np.int32([1, 9]),)),
    "iota": (lambda x: x + jnp.arange(4), (X,)),
    "reduce_and": (jnp.all, (YES,)),
    "reduce_max": (lambda x: jnp.max(x, axis=0), (MATRIX,)),
    "reduce_min": (lambda x: jnp.min(x, axis=1), (MATRIX,)),
    "reduce_or": (jnp.any, (YES,)),
    "reduce_prod": (lambda x: jnp.prod(x, axis=1), (MATRIX,)),
    "reduce_sum": (lambda x: (jnp.sum(x), jnp.sum(x, axis=0), jnp.sum(x[:0])), (MATRIX,)),
    "reshape": (lambda x: x.reshape(2, 6), (MATRIX,)),
    "rev": (lambda x: x[::-1], (MATRIX,)),
    "slice": (lambda x: x[1:, ::2], (MATRIX,)),
    "squeeze": (lambda x: x[None].squeeze(0), (X,)),
    "stack": (lambda x, y: jnp.stack([x, y], axis=1), (X, Y)),
    "transpose": (lambda x: x.T, (MATRIX,)),
    "cond": (lambda x: lax.cond(x[0] > 0.0, lambda: x * 2.0, lambda: x - 1.0), (X,)),
    "switch": (lambda n, x: lax.switch(n, [jnp.sin, jnp.cos, jnp.tanh], x), (PLACE, X)),
    "scan": (lambda x: lax.scan(lambda c, a: (c * a[0] + a[1], c), 1.0, x), (MATRIX,)),
    "scan backwards over what is known": (
        lambda x: lax.scan(lambda c, a: (jnp.sin(c) + a, c), x, jnp.asarray(Y), reverse=True),
        (np.float64(0.3),),
    ),
    "loops within loops": (
        lambda x: lax.fori_loop(0, 3, lambda n, c: lax.fori_loop(0, 2, lambda m, d: d[::-1] * 0.5 + n + m, c), x),
        (X,),
    ),
    "while": (lambda x: lax.while_loop(lambda c: c[0] < 50.0, lambda c: (c[0] * 1.5, c[1] + 1), (x, 0)), (X[2],)),
    "jit": (lambda x: jax.jit(jnp.sin)(x), (X,)),
    "custom_jvp_call": (own_gradient, (X,)),
    "custom_vjp_call": (own_adjoint, (X,)),
    "checkpoint": (jax.checkpoint(jnp.sin), (X,)),
    "optimization_barrier": (lambda x: lax.optimization_barrier(x) + 1.0, (X,)),
    "stop_gradient": (lambda x: lax.stop_gradient(x) + 1.0, (X,)),
    "copy": (lambda x: jnp.array(x, copy=True) + 1.0, (X,)),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 11, 52) + 1.0, (X,)),
    "numbers that are not finite": (lambda x: (x / 0.0, jnp.isnan(x), jnp.maximum(x, jnp.nan)), (X,)),
}  # fmt: skip
ALIASES = {"copy_p", "device_put", "sharding_constraint"}  # which no function of JAX makes on one device


def named(index: int) -> str:
    return f"case{index}"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    module, calls = Module(), []
    for index, (function, inputs) in enumerate(CASES.values()):
        arrays = [jnp.asarray(each) for each in inputs]
        module.add(named(index), function, *arrays)
        calls.append((named(index), numbers(arrays), ()))
    return dict(zip(CASES, call(tmp_path_factory.mktemp("node"), module, calls), strict=True))


@needs_node
@pytest.mark.parametrize("name", CASES)
def test_an_operation_gives_in_node_what_it_gives_in_jax(name: str, results: dict[str, np.ndarray]) -> None:
    function, inputs = CASES[name]
    with jax.disable_jit(name not in ("scan", "while", "loops within loops")):
        expected = numbers(function(*map(jnp.asarray, inputs)))
    np.testing.assert_allclose(results[name], expected, rtol=1e-13, atol=1e-15)


def test_every_operation_that_the_compiler_knows_has_a_case() -> None:
    used = {name.partition(" ")[0] for name in CASES}
    known = {*RULES, *OF_TRUTH, *OF_INTEGERS, *STRUCTURAL, *UNCHANGED} - ALIASES
    assert known <= used


def test_an_operation_that_is_not_known_is_named() -> None:
    with pytest.raises(UnknownPrimitiveError, match=r"sorted uses the operation 'sort'.*choose options"):
        Module().add("sorted", jnp.sort, jnp.asarray(X))


def test_random_numbers_within_a_function_are_refused() -> None:
    key = jax.random.key(0)
    with pytest.raises(UnknownPrimitiveError, match=r"random numbers \('random_bits' of JAX\), and a page cannot"):
        Module().add("noisy", lambda x: x + jax.random.uniform(key), jnp.asarray(0.5))


def test_a_random_key_among_numbers_is_refused() -> None:
    state = {"level": jnp.asarray(0.5), "key": jax.random.key(0)}
    with pytest.raises(
        PhytotronError, match=r"^a random key \(\['key'\] of a state\) cannot be held by a page; draw all"
    ):
        Module().add("step", lambda x: x, state)


def test_a_form_of_a_matrix_product_that_is_not_known_is_named() -> None:
    with pytest.raises(UnknownPrimitiveError, match=r"products uses the operation 'dot_general'"):
        Module().add("products", lambda x: jnp.einsum("bij,bj->bi", x, x[:, 0]), jnp.ones((2, 3, 3)))


def test_what_nothing_depends_on_may_be_unknown() -> None:
    module = Module()
    module.add("unused", lambda x: (jnp.sort(x), x + 1.0)[1], jnp.asarray(X))
    assert "x[0]" in module.texts["unused"]


def test_what_does_not_change_in_a_loop_is_computed_before_it() -> None:
    module = Module()
    module.add("loop", lambda x: lax.fori_loop(0, 9, lambda _, c: c * jnp.exp(x), x), jnp.asarray(0.5))
    before, _, within = module.texts["loop"].partition("for(")
    assert "Math.exp" in before and "Math.exp" not in within


def test_what_is_used_nowhere_is_not_written() -> None:
    module = Module()
    module.add(
        "short", lambda x: (jnp.exp(x), lax.fori_loop(0, 9, lambda _, c: c * x, x), x + 1.0)[2], jnp.asarray(0.5)
    )
    assert "exp" not in module.texts["short"] and "for(" not in module.texts["short"]


def test_constants_are_computed_while_compiling(tmp_path: Path) -> None:
    module = Module()
    module.add("folded", lambda x: x * jnp.exp(jnp.asarray(2.0)), jnp.asarray(0.5))
    assert "Math.exp" not in module.texts["folded"] and "7.38905609893065" in module.texts["folded"]
