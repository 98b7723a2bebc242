"""Scalar expressions of JavaScript, shared where they are the same, in the block that they have to be computed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError

ELEMENT = "{0}[{1}]"  # of an array

Values = NDArray[Any]  # of numbers where all are known, otherwise of objects: numbers and `Node`s


@dataclass(eq=False)
class Scope:
    """A block of JavaScript: the function, or the body of a loop within it."""

    parent: Scope | None = None
    items: list[Node | Loop] = field(default_factory=list)
    made: dict[Any, Node] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """Return the number of blocks around it."""
        return 0 if self.parent is None else self.parent.depth + 1


@dataclass(eq=False)
class Node:
    """A value that is known when the function runs. In `template`, {0}, {1} and so on stand for `args`.

    One with a `name` is a variable that something else assigns; `source` is the loop that does.
    """

    template: str
    args: tuple[Any, ...]
    scope: Scope
    name: str | None = None
    source: Loop | None = None
    index: int = 0  # of a variable among those of its loop
    size: int | None = None  # of one that is an array


@dataclass(eq=False)
class Loop:
    """A loop over some steps, or until `goes_on` is false. Variables have a first value and one for the next step."""

    scope: Scope
    length: int | None
    counter: str
    names: list[str]
    first: list[Any] = field(default_factory=list)
    following: list[Any] = field(default_factory=list)
    goes_on: Any = True
    series: list[tuple[str, int, list[Any]]] = field(default_factory=list)  # array, width, values of each step


class Builder:
    """Makes the nodes of one function; what is known while it is compiled is computed at once."""

    def __init__(self, tables: list[Values]) -> None:
        self.root = Scope()
        self.scope = self.root
        self.tables = tables  # shared by the functions of a module
        self._arrays: dict[int, tuple[Values, Node | str]] = {}  # made before, by the identity of their values
        self._names = 0

    def fresh(self, letter: str) -> str:
        """Return a name that is not in use."""
        self._names += 1
        return f"{letter}{self._names}"

    def make(self, template: str, *args: Any) -> Node:
        """Return the node of a template, made before or now, in the innermost block among those of its arguments.

        What does not change in a loop is thereby computed before it.
        """
        scope = self.root
        for each in args:
            if isinstance(each, Node) and each.scope.depth > scope.depth:
                scope = each.scope
        key = (template, *(id(each) if isinstance(each, Node) else (type(each), repr(each)) for each in args))
        if key not in scope.made:
            node = Node(template, args, scope)
            scope.made[key] = node
            scope.items.append(node)
        return scope.made[key]

    def variable(self, name: str, scope: Scope, source: Loop | None = None, index: int = 0) -> Node:
        """Return a variable that the function is given, or that a loop assigns."""
        return Node("", (), scope, name, source, index)

    def table(self, values: Values) -> str:
        """Return the name of an array of numbers that the module holds."""
        flat = np.ascontiguousarray(values, np.float64).ravel()
        for number, held in enumerate(self.tables):
            if held.shape == flat.shape and held.tobytes() == flat.tobytes():
                return f"T{number}"
        self.tables.append(flat)
        return f"T{len(self.tables) - 1}"

    def array(self, values: Values) -> Node | str:
        """Return a JavaScript array of values: a table where all are known, otherwise one that is made at run time."""
        if id(values) not in self._arrays:
            self._arrays[id(values)] = values, self._array(values.ravel())
        return self._arrays[id(values)][1]

    def _array(self, flat: Values) -> Node | str:
        if is_known(flat) or not any(isinstance(each, Node) for each in flat):
            return self.table(flat)
        owners = {each.args[0] if isinstance(each, Node) and each.template == ELEMENT else None for each in flat}
        owner = owners.pop() if len(owners) == 1 else None
        if owner is not None and owner.size == flat.size and all(each.args[1] == n for n, each in enumerate(flat)):
            return owner
        return self.make(f"[{','.join(f'{{{n}}}' for n in range(flat.size))}]", *flat)

    def element(self, array: Node | str, place: Any) -> Node:
        """Return an element of an array; the place may be a node."""
        if isinstance(array, str):
            return self.make(f"{array}[{{0}}]", place)
        return self.make(ELEMENT, array, place)

    def elements(self, array: Node, shape: Sequence[int]) -> Values:
        """Return all elements of an array, as values of a shape."""
        array.size = int(np.prod(shape))
        found = np.empty(array.size, object)
        for place in range(found.size):
            found[place] = self.element(array, place)
        return found.reshape(tuple(shape))


class UnknownPrimitiveError(PhytotronError):
    """An operation that the compiler does not know."""

    def __init__(self, primitive: str, function: str) -> None:
        if primitive.startswith(("random_", "threefry")):
            super().__init__(
                f"{function} draws random numbers ({primitive!r} of JAX), and a page cannot draw any in a step; choose "
                "options of the environment that do without them, if it has such, or draw them all in `initial`"
            )
            return
        super().__init__(
            f"{function} uses the operation {primitive!r} of JAX, which has no form in JavaScript here; choose options "
            "of the environment that do without it"
        )


def as_objects(values: Values) -> Values:
    """Return the same values, of which each may be replaced by a node."""
    return values if values.dtype == object else values.astype(object)


def is_known(values: Values) -> bool:
    """Return whether all values are numbers."""
    return values.dtype != object
