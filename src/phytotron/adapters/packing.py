"""A tree of many small arrays as a few long ones, because every array that crosses to the device costs microseconds."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

Vectors = dict[str, Array]


class Place(NamedTuple):
    """Where a leaf lies: which vector, from where, in which shape."""

    dtype: str
    offset: int
    shape: tuple[int, ...]


class Packing:
    """How trees of one structure are packed into one vector per dtype."""

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
        """A tree as one vector per dtype."""
        parts: dict[str, list[Array]] = {}
        for place, leaf in zip(self._places, jax.tree.leaves(tree), strict=True):
            parts.setdefault(place.dtype, []).append(jnp.ravel(leaf))
        return {dtype: jnp.concatenate(vectors) for dtype, vectors in parts.items()}

    def unpack(self, vectors: Any) -> Any:
        """The tree again, of views into the vectors: NumPy from NumPy, JAX from JAX."""
        leaves = [
            vectors[dtype][offset : offset + math.prod(shape)].reshape(shape) if shape else vectors[dtype][offset]
            for dtype, offset, shape in self._places
        ]
        return jax.tree.unflatten(self._structure, leaves)
