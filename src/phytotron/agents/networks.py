"""Multilayer perceptrons, whose leaves are all arrays, so that `jit`, `vmap` and `grad` accept them directly."""

import itertools
import math
from collections.abc import Callable, Sequence
from types import MappingProxyType

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError

ACTIVATIONS: MappingProxyType[str, Callable[[Array], Array]] = MappingProxyType(
    {"tanh": jnp.tanh, "relu": jax.nn.relu, "silu": jax.nn.silu}
)


LINEAR_PAIRS = ("relu", "silu")  # activations for which a(x) - a(-x) = x


class Layer(eqx.Module):
    """An affine map; rows of `weight` belong to outputs."""

    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        return x @ self.weight.T + self.bias


class MLP(eqx.Module):
    """Layers with an activation between them; the last axis of the input is that of the features."""

    layers: tuple[Layer, ...]
    activation: str = eqx.field(static=True)

    def __call__(self, x: Array) -> Array:
        *hidden, last = self.layers
        for layer in hidden:
            x = ACTIVATIONS[self.activation](layer(x))
        return last(x)


def mlp(
    key: Array,
    inputs: int,
    hidden: Sequence[int],
    outputs: int,
    activation: str,
    *,
    orthogonal: bool = True,
    last_gain: float = 1.0,
) -> MLP:
    """Return a network with random weights.

    Orthogonal weights have a gain of sqrt(2), and `last_gain` in the last layer, with biases of 0. Otherwise weights
    and biases are uniform within 1 / sqrt(inputs of the layer), as PyTorch draws them.
    """
    check_network(hidden, activation)
    sizes = (inputs, *hidden, outputs)
    keys = jax.random.split(key, len(sizes) - 1)
    layers = []
    for index, (one, (before, after)) in enumerate(zip(keys, itertools.pairwise(sizes), strict=True)):
        if orthogonal:
            gain = last_gain if index == len(hidden) else math.sqrt(2.0)
            layers.append(Layer(gain * orthogonal_matrix(one, after, before), jnp.zeros(after, jnp.float32)))
        else:
            of_weight, of_bias = jax.random.split(one)
            bound = 1.0 / np.sqrt(before)
            layers.append(
                Layer(
                    jax.random.uniform(of_weight, (after, before), jnp.float32, -bound, bound),
                    jax.random.uniform(of_bias, (after,), jnp.float32, -bound, bound),
                )
            )
    return MLP(tuple(layers), activation)


def with_linear_part(network: MLP, inputs: Sequence[int], weight: Array) -> MLP:
    """Return a plain network whose outputs are those of another network plus a linear map of some of its inputs.

    `weight`: (outputs, these inputs). Pairs of units carry the inputs through the hidden layers, because a(x) - a(-x) =
    x for the activations relu and silu.
    """
    if network.activation not in LINEAR_PAIRS:
        raise PhytotronError(f"{network.activation} carries no input unchanged; choose {' or '.join(LINEAR_PAIRS)}")
    *hidden, last = network.layers
    size = last.weight.shape[-1] if not hidden else hidden[0].weight.shape[-1]
    carried = jnp.eye(size, dtype=weight.dtype)[jnp.asarray(inputs)]  # (carried, values before the layer)
    layers = []
    for number, layer in enumerate(hidden):
        own = layer.weight
        if number:  # the layer before has units of its own and a pair for each input that is carried
            own = jnp.concatenate([own, jnp.zeros((own.shape[0], 2 * len(inputs)), own.dtype)], axis=1)
            nothing = jnp.zeros((len(inputs), layer.weight.shape[1]), own.dtype)
            same = jnp.eye(len(inputs), dtype=own.dtype)
            carried = jnp.concatenate([nothing, same, -same], axis=1)
        bias = jnp.concatenate([layer.bias, jnp.zeros(2 * len(inputs), layer.bias.dtype)])
        layers.append(Layer(jnp.concatenate([own, carried, -carried]), bias))
    if hidden:
        last = Layer(jnp.concatenate([last.weight, weight, -weight], axis=1), last.bias)
    else:
        last = Layer(last.weight + weight @ carried, last.bias)
    return MLP((*layers, last), network.activation)


def orthogonal_matrix(key: Array, rows: int, columns: int) -> Array:
    """Return random rows or columns, whichever are fewer, that are orthogonal and of length 1.

    Gram and Schmidt's method on normal draws, twice for each vector, which makes up for rounding. LAPACK's QR, of a
    batch of matrices as under `vmap`, can hang on a CPU with few cores.
    """
    few, long = sorted((rows, columns))
    drawn = jax.random.normal(key, (few, long), jnp.float32)

    def orthogonalised(index: Array, basis: Array) -> Array:
        vector = drawn[index]
        for _ in range(2):
            part = jnp.matmul(basis, vector, precision="highest")
            vector = vector - jnp.matmul(part, basis, precision="highest")
        return basis.at[index].set(vector / jnp.linalg.norm(vector))

    basis = jax.lax.fori_loop(0, few, orthogonalised, jnp.zeros_like(drawn))
    return basis if rows == few else basis.T


def check_network(hidden: Sequence[int], activation: str) -> None:
    """Refuse widths and activations that do not make a network."""
    if activation not in ACTIVATIONS:
        raise UnknownNameError("activation", activation, ACTIVATIONS)
    if not all(isinstance(width, int) and width >= 1 for width in hidden):
        raise ValueRangeError("the widths of a network", tuple(hidden), "whole numbers, at least 1")
