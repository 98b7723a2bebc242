"""Reset and step of one environment, or of many copies of it, as one compiled call each.

What goes in and out is packed: a tree of many small arrays as a few long ones, because every array that crosses to the
device costs microseconds.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.compilation import jit_as_kernel
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError

Vectors = dict[str, Array]


class Place(NamedTuple):
    """The place of a leaf: the vector that holds it, its offset, and its shape."""

    dtype: str
    offset: int
    shape: tuple[int, ...]


class Packing:
    """The layout by which trees of one structure are packed into one vector per dtype."""

    def __init__(self, example: Any) -> None:
        """`example` is a tree of arrays, or of shapes as `jax.eval_shape` gives them."""
        leaves, self._structure = jax.tree.flatten(example)
        ends: dict[str, int] = {}
        self._places: list[Place] = []
        for leaf in leaves:
            name = str(leaf.dtype)
            self._places.append(Place(name, ends.get(name, 0), tuple(leaf.shape)))
            ends[name] = ends.get(name, 0) + math.prod(leaf.shape)

    def pack(self, tree: Any) -> Vectors:
        """Return a tree as one vector per dtype."""
        parts: dict[str, list[Array]] = {}
        for place, leaf in zip(self._places, jax.tree.leaves(tree), strict=True):
            parts.setdefault(place.dtype, []).append(jnp.ravel(leaf))
        return {dtype: jnp.concatenate(vectors) for dtype, vectors in parts.items()}

    def unpack(self, vectors: Any) -> Any:
        """Return the tree again, of views into the vectors: NumPy from NumPy, JAX from JAX."""
        leaves = [
            vectors[dtype][offset : offset + math.prod(shape)].reshape(shape) if shape else vectors[dtype][offset]
            for dtype, offset, shape in self._places
        ]
        return jax.tree.unflatten(self._structure, leaves)


CHUNK = 128  # environments that a CPU core steps together: what they need fits its cache

Carry = tuple[Array, Any]  # what goes from step to step: the key's data and the state


class Compiled(NamedTuple):
    """Functions whose keys and states are carried in packed form.

    `reset(vectors, numbers, mask)` begins the episodes that the numbers stand for where the mask is True, and gives
    observations and what is carried; `step(vectors, actions)` gives what is carried and a packed outcome.
    """

    reset: Callable[..., Any]
    step: Callable[..., Any]
    carry: Packing  # (key, state)
    outcome: Packing  # (observation, reward, terminated, truncated, info)
    nothing: Vectors  # what is carried before the first reset
    reset_from: Callable[..., Any]  # reset with the parameters of chosen starts as another argument

    def state(self, vectors: Vectors | None) -> Any:
        """Return the state of the environments from the packed vectors."""
        if vectors is None:
            raise PhytotronError("call reset first")
        return self.carry.unpack(vectors)[1]

    def stepped(self, vectors: Vectors | None, actions: Any) -> tuple[Vectors, Any]:
        """Take a step; return the packed vectors after it, and its outcome (observation, reward, terminated, truncated,
        info) in NumPy.
        """
        if vectors is None:
            raise PhytotronError("call reset before step")
        after, packed = self.step(vectors, actions)
        return after, self.outcome.unpack({dtype: np.array(vector) for dtype, vector in packed.items()})


def compiled(environment: Environment[Any, Any], count: int | None = None) -> Compiled:
    """Return the functions of one environment, or of `count` copies; compiled once for each."""
    made: Compiled = environment.kept(("compiled", count), lambda: _compile(environment, count))
    return made


def _compile(environment: Environment[Any, Any], count: int | None) -> Compiled:
    begin: Callable[..., Any] = functools.partial(_begin, environment)
    proceed: Callable[..., Any] = functools.partial(_proceed, environment)
    if count is not None:
        begin, proceed = jax.vmap(begin), in_chunks(jax.vmap(proceed), count)
    shape = () if count is None else (count,)

    def reset(vectors: Vectors, numbers: Array, mask: Array) -> Any:
        return chosen(vectors, mask, *begin(numbers))

    def reset_from(vectors: Vectors, numbers: Array, mask: Array, params: Any) -> Any:
        start = functools.partial(_begin, environment)
        several = start if count is None else jax.vmap(start, (0, environment.kept("starts", environment.starts).axes))
        return chosen(vectors, mask, *several(numbers, params))

    def chosen(vectors: Vectors, mask: Array, observation: Array, after: Carry) -> Any:
        def choose(new: Array, old: Array) -> Array:
            return jnp.where(mask.reshape(*shape, *(1,) * (new.ndim - len(shape))), new, old)

        return observation, packing.pack(jax.tree.map(choose, after, packing.unpack(vectors)))

    def step(vectors: Vectors, actions: Array) -> Any:
        carry, outcome = proceed(packing.unpack(vectors), actions)
        return packing.pack(carry), outcome_packing.pack(outcome)

    space = environment.action_space
    _, carry = jax.eval_shape(begin, np.zeros(shape, np.uint32))
    _, outcome = jax.eval_shape(proceed, carry, np.zeros((*shape, *space.shape), space.dtype))
    packing, outcome_packing = Packing(carry), Packing(outcome)
    nothing = packing.pack(jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), carry))
    return Compiled(jax.jit(reset), jit_as_kernel(step), packing, outcome_packing, nothing, jax.jit(reset_from))


def _begin(environment: Environment[Any, Any], number: Array, params: Any = None) -> tuple[Array, Carry]:
    """Return the first observation of the episode with a random number, and the carry for the next step."""
    key, now = jax.random.split(jax.random.key(number))
    observation, state = environment.reset(now, params)
    return observation, (jax.random.key_data(key), state)


def _proceed(environment: Environment[Any, Any], carry: Carry, action: Array) -> tuple[Carry, Any]:
    """Return the carry for the next step, and (observation, reward, terminated, truncated, info)."""
    key, now = jax.random.split(jax.random.wrap_key_data(carry[0]))
    observation, state, *rest = environment.step(now, carry[1], action)
    return (jax.random.key_data(key), state), (observation, *rest)


def in_chunks(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a function of batches, run by the CPU on parts of about equal size, one after the other."""
    chunks = -(-count // CHUNK)
    if chunks == 1 or jax.default_backend() != "cpu":
        return function
    size = -(-count // chunks)
    spare = chunks * size - count

    def split(leaf: Array) -> Array:
        filled = jnp.concatenate([leaf, leaf[:spare]]) if spare else leaf
        return filled.reshape(chunks, size, *leaf.shape[1:])

    def join(leaf: Array) -> Array:
        return leaf.reshape(chunks * size, *leaf.shape[2:])[:count]

    def call(*arguments: Any) -> Any:
        parts = jax.tree.map(split, arguments)
        return jax.tree.map(join, jax.lax.map(lambda part: function(*part), parts))

    return call
