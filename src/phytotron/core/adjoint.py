"""Reverse-mode gradients of a long computation as two kernels: one forwards, one backwards."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero
from jax.tree_util import Partial

from phytotron.core.compilation import single_kernel


def with_adjoint(run: Callable[..., Any], inline: Callable[..., Any]) -> Callable[..., Any]:
    """Return `run`, differentiated as `inline`, which gives the same and consists of plain operations.

    On the CPU both directions are one compiled kernel each; left to itself, XLA starts a kernel for every few of the
    thousands of operations on the way back. Only inputs that a gradient is asked for cost anything. Forward mode
    (`jvp`) has to take `inline` itself.
    """

    @jax.custom_vjp
    def call(*inputs: Any) -> Any:
        return run(*inputs)

    def forward(*inputs: Any) -> tuple[Any, Partial]:
        primals, structure = jax.tree.flatten(inputs)
        wanted = [index for index, each in enumerate(primals) if each.perturbed]

        def outcome_and_pullback(values: list[Any]) -> Any:
            def of_wanted(chosen: list[Any]) -> Any:
                filled = dict(enumerate(values)) | dict(zip(wanted, chosen, strict=True))
                return inline(*jax.tree.unflatten(structure, list(filled.values())))

            return jax.vjp(of_wanted, [values[index] for index in wanted])

        def backward(pullback: Any, gradient: Any) -> Any:
            (found,) = single_kernel(lambda pull, of: pull(of))(pullback, jax.tree.map(_instantiated, gradient))
            gradients = dict.fromkeys(range(len(primals))) | dict(zip(wanted, found, strict=True))
            return jax.tree.unflatten(structure, list(gradients.values()))

        outcome, pullback = single_kernel(outcome_and_pullback)([each.value for each in primals])
        return outcome, Partial(backward, pullback)

    call.defvjp(forward, lambda residual, gradient: residual(gradient), symbolic_zeros=True)
    return call


def _instantiated(gradient: Any) -> Any:
    return jnp.zeros(gradient.shape, gradient.dtype) if isinstance(gradient, SymbolicZero) else gradient
