"""JavaScript modules: functions of JAX that read numbers from one array and write numbers into another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.browser.compiler.graph import Builder, Values, as_objects
from phytotron.browser.compiler.lowering import lower
from phytotron.browser.compiler.writing import Writer
from phytotron.core.errors import PhytotronError


@dataclass(frozen=True)
class Slot:
    """A leaf of the inputs or outputs of a function: where it lies among the numbers, and its shape."""

    name: str
    begin: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """Return its number of elements."""
        return int(np.prod(self.shape))


@dataclass
class Module:
    """Functions to be written as one JavaScript text, and the tables of numbers that they share.

    A function is called as `name(x, y, w)`: it reads its inputs from `x`, writes its outputs into `y`, and finds large
    arrays that the caller gives in `w`.
    """

    tables: list[Values] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, list[Slot]] = field(default_factory=dict)
    outputs: dict[str, list[Slot]] = field(default_factory=dict)

    def add(self, name: str, function: Callable[..., Any], *inputs: Any, given: Sequence[Any] = ()) -> None:
        """Compile a function of pytrees of arrays (or of their shapes and dtypes), by a name in JavaScript.

        `given`: leaves of arrays that are the last arguments of the function and come in `w`, one array each.
        """
        jaxpr, shapes = jax.make_jaxpr(function, return_shape=True)(*inputs, *given)
        builder = Builder(self.tables)
        self.inputs[name] = slots = layout(inputs)
        values = [_read(builder, slot) for slot in slots]
        for place, each in enumerate(given):
            array = builder.variable(f"w[{place}]", builder.root)
            values.append(builder.elements(array, each.shape) if np.size(each) else np.empty(each.shape))
        found = lower(jaxpr, values, builder, name)
        self.outputs[name] = layout(shapes)
        flat = [one for each in found for one in as_objects(np.asarray(each)).ravel()]
        writer = Writer(flat, builder.root, name)
        lines = writer.block(builder.root)
        lines += [f"y[{place}]={writer.value(each)};" for place, each in enumerate(flat)]
        body = "\n".join(lines)
        self.texts[name] = f"function {name}(x,y,w){{\n{body}\n}}"

    def text(self) -> str:
        """Return the functions, as one function `compiled(tables)` that gives them by name."""
        named = ",".join(f"T{n}" for n in range(len(self.tables)))
        functions = "\n".join(self.texts.values())
        return f"function compiled([{named}]){{\n{functions}\nreturn {{{','.join(self.texts)}}};\n}}\n"


def runtime() -> str:
    """Return the JavaScript that compiled functions call."""
    return resources.files("phytotron.browser.compiler").joinpath("runtime.js").read_text(encoding="utf-8")


def layout(tree: Any) -> list[Slot]:
    """Return the slots of the leaves of a pytree among the numbers of a function."""
    found, begin = [], 0
    for path, leaf in jax.tree.leaves_with_path(tree):
        if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            place = jax.tree_util.keystr(path[-1:])
            remedy = "draw all random numbers in `initial`, and keep them in the state"
            raise PhytotronError(f"a random key ({place} of a state) cannot be held by a page; {remedy}")
        slot = Slot(jax.tree_util.keystr(path), begin, tuple(leaf.shape), np.dtype(leaf.dtype))
        found.append(slot)
        begin += slot.size
    return found


def numbers(tree: Any) -> NDArray[np.float64]:
    """Return the numbers of a pytree of arrays, in the order of `layout`."""
    return np.concatenate([np.ravel(np.asarray(each, np.float64)) for each in jax.tree.leaves(tree)] or [np.empty(0)])


def _read(builder: Builder, slot: Slot) -> Values:
    found = np.empty(slot.size, object)
    for place in range(slot.size):
        held = builder.make("x[{0}]", slot.begin + place)
        found[place] = builder.make("{0}!==0", held) if slot.dtype.kind == "b" else held
    return found.reshape(slot.shape)
