"""The way from the operations of JAX (a jaxpr) to nodes: calls are inlined, loops stay loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, Literal

from phytotron.browser.compiler.elementwise import CHOICE, RULES, apply, conversion, in_single, rule_of
from phytotron.browser.compiler.graph import (
    Builder,
    Loop,
    Node,
    Scope,
    UnknownPrimitiveError,
    Values,
    as_objects,
    is_known,
)
from phytotron.browser.compiler.structural import STRUCTURAL

UNCHANGED = frozenset(
    {"optimization_barrier", "stop_gradient", "copy", "copy_p", "reduce_precision", "device_put", "sharding_constraint"}
)
CALLS = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # parameters that hold what a call runs
UNKNOWN = "unknown operation: "  # begins the template of what must not be used


class Lowering:
    """Runs through the operations of one function."""

    def __init__(self, builder: Builder, function: str) -> None:
        self.builder = builder
        self.function = function  # its name, for errors

    def closed(self, jaxpr: Any, inputs: Sequence[Values]) -> list[Values]:
        """Return the outputs of operations with the constants that go with them."""
        constants = [self._constant(each) for each in jaxpr.consts] if isinstance(jaxpr, ClosedJaxpr) else []
        inner: Jaxpr = jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr
        return self.run(inner, constants, inputs)

    def run(self, jaxpr: Jaxpr, constants: Sequence[Values], inputs: Sequence[Values]) -> list[Values]:
        """Return the outputs of operations on values, one after another."""
        held: dict[Any, Values] = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *inputs], strict=True))

        def read(atom: Any) -> Values:
            return np.asarray(atom.val) if isinstance(atom, Literal) else held[atom]

        for equation in jaxpr.eqns:
            operands = [read(each) for each in equation.invars]
            held.update(zip(equation.outvars, self.outputs(equation, operands), strict=True))
        return [read(each) for each in jaxpr.outvars]

    def outputs(self, equation: Any, operands: list[Values]) -> list[Values]:
        """Return the outputs of one operation, as values of the generated code."""
        name, params, builder = equation.primitive.name, equation.params, self.builder
        aval: Any = equation.outvars[0].aval if equation.outvars else None
        if name in UNCHANGED:
            return operands
        if name == "scan":
            return self.scan(params, operands)
        if name == "while":
            return self.repeat(params, operands)
        if name == "cond":
            return self.branches(params, operands)
        called = next((params[each] for each in CALLS if each in params), None)
        if called is not None:
            return self.closed(called, operands)
        if name == "convert_element_type":
            before = equation.invars[0].aval.dtype
            rule = conversion(before.kind, aval.dtype.kind)
            narrower = aval.dtype == np.float32 and before != np.float32
            return [_cast(apply(builder, in_single(rule) if narrower else rule, *operands), aval)]
        kinds = [getattr(each.aval.dtype, "kind", "V") for each in equation.invars]
        found = rule_of(name, kinds[0], params) if kinds else None
        if found is not None:
            found = in_single(found) if aval.dtype == np.float32 else found
            return [_cast(apply(builder, found, *operands), aval)]
        if name in STRUCTURAL:
            moved = STRUCTURAL[name](builder, params, aval, operands)
            if moved is not None:
                return [_cast(moved, aval)]
        before = _unknown_within([one for each in operands for one in each.flat])
        return [self._unknown(before or name, each.aval.shape) for each in equation.outvars]

    def _constant(self, value: Any) -> Values:
        """A constant; keys of random numbers are none that can be used."""
        is_key = jnp.issubdtype(jax.typeof(value).dtype, jax.dtypes.prng_key)
        return self._unknown("random_bits", value.shape) if is_key else np.asarray(value)

    def _unknown(self, name: str, shape: tuple[int, ...]) -> Values:
        """Values that are an error as soon as anything depends on them."""
        return np.full(shape, Node(UNKNOWN + name, (), self.builder.root), object)

    # Control

    def branches(self, params: dict[str, Any], operands: list[Values]) -> list[Values]:
        """Return all branches, of whose outputs one is chosen: operations have no effects."""
        which, *inputs = operands
        found = self.closed(params["branches"][-1], inputs)
        for number, branch in reversed([*enumerate(params["branches"][:-1])]):
            here = apply(
                self.builder, RULES["eq"], apply(self.builder, conversion("b", "i"), which), np.asarray(number)
            )
            own = self.closed(branch, inputs)
            found = [apply(self.builder, CHOICE, here, other, mine) for mine, other in zip(own, found, strict=True)]
        return found

    def scan(self, params: dict[str, Any], operands: list[Values]) -> list[Values]:
        """Return a loop over a number of steps that is known, with its inputs and outputs of every step."""
        builder, length = self.builder, params["length"]
        constants, carried = params["num_consts"], params["num_consts"] + params["num_carry"]
        series = operands[carried:]
        loop, before = self._enter(operands[constants:carried], length)
        outer = loop.scope.parent
        counter: Any = builder.variable(loop.counter, loop.scope)
        if params["reverse"]:
            counter = builder.make("{0}-{1}", length - 1, counter)
        inputs = [self._row(each, counter) for each in series]
        after = self.closed(params["jaxpr"], [*operands[:constants], *before, *inputs])
        loop.following = _flat(after[: params["num_carry"]])
        results = self._leave(loop, operands[constants:carried])
        for each in after[params["num_carry"] :]:
            name, width = builder.fresh("s"), max(each.size, 1)
            loop.series.append((name, width, [counter, *as_objects(each).ravel()]))
            array = Node("", (), outer, name, loop, -len(loop.series))  # type: ignore[arg-type]
            results.append(builder.elements(array, (length, *each.shape)))
        return results

    def _row(self, values: Values, counter: Node) -> Values:
        """The row of a series at a step of the loop."""
        width = int(np.prod(values.shape[1:]))
        array, found = self.builder.array(values), np.empty(width, object)
        for place in range(width):
            index = counter if width == 1 else self.builder.make("{0}*{1}+{2}", counter, width, place)
            found[place] = self.builder.element(array, index)
        return found.reshape(values.shape[1:])

    def repeat(self, params: dict[str, Any], operands: list[Values]) -> list[Values]:
        """Return a loop that goes on while a condition holds."""
        of_condition, of_body = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        loop, before = self._enter(operands[of_body:], None)
        loop.goes_on = self.closed(params["cond_jaxpr"], [*operands[:of_condition], *before])[0][()]
        after = self.closed(params["body_jaxpr"], [*operands[of_condition:of_body], *before])
        loop.following = _flat(after)
        return self._leave(loop, operands[of_body:])

    def _enter(self, first: Sequence[Values], length: int | None) -> tuple[Loop, list[Values]]:
        """A loop, and the values of its variables within it."""
        builder, flat = self.builder, _flat(first)
        scope = Scope(builder.scope)
        loop = Loop(scope, length, builder.fresh("i"), [builder.fresh("c") for _ in flat], flat)
        builder.scope = scope
        within = [builder.variable(name, scope, loop, place) for place, name in enumerate(loop.names)]
        return loop, _shaped(within, first)

    def _leave(self, loop: Loop, like: Sequence[Values]) -> list[Values]:
        """The values of the variables of a loop after it."""
        outer = loop.scope.parent
        assert outer is not None
        self.builder.scope = outer
        outer.items.append(loop)
        return _shaped([Node("", (), outer, name, loop, place) for place, name in enumerate(loop.names)], like)


def lower(jaxpr: ClosedJaxpr, inputs: Sequence[Values], builder: Builder, function: str) -> list[Values]:
    """Return the outputs of a function, as nodes of its inputs."""
    return Lowering(builder, function).closed(jaxpr, inputs)


def _unknown_within(values: list[Any]) -> str | None:
    """The name of an operation that is not known and that some values depend on, if there is one."""
    visited: set[int] = set()
    while values:
        value = values.pop()
        if not isinstance(value, Node) or id(value) in visited:
            continue
        if value.template.startswith(UNKNOWN):
            return value.template.removeprefix(UNKNOWN)
        visited.add(id(value))
        values.extend(value.args)
    return None


def check_known(node: Node, function: str) -> None:
    """Refuse what depends on an operation that is not known."""
    if node.template.startswith(UNKNOWN):
        raise UnknownPrimitiveError(node.template.removeprefix(UNKNOWN), function)


def _cast(values: Values, aval: Any) -> Values:
    return values.astype(aval.dtype) if is_known(values) and aval.dtype.kind in "fiub" else values


def _flat(values: Sequence[Values]) -> list[Any]:
    return [one for each in values for one in as_objects(np.asarray(each)).ravel()]


def _shaped(nodes: Sequence[Node], like: Sequence[Values]) -> list[Values]:
    found, begin = [], 0
    for each in like:
        part = np.empty(each.size, object)
        part[:] = nodes[begin : begin + each.size]
        found.append(part.reshape(each.shape))
        begin += each.size
    return found
