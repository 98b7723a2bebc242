"""Operations that move, choose and gather numbers; most of them leave no trace in JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phytotron.browser.compiler.elementwise import CHOICE, OF_TRUTH, RULES, Rule, apply, scalar
from phytotron.browser.compiler.graph import Builder, Node, Values, as_objects, is_known

Params = dict[str, Any]
# Of parameters, shape and kind, and operands; None where an operation has a form that is not known.
Structural = Callable[[Builder, Params, Any, list[Values]], Values | None]

BOTH, EITHER = OF_TRUTH["and"], OF_TRUTH["or"]
FOLDS: dict[str, tuple[Rule, Any]] = {  # and what there is where nothing is added up
    "reduce_and": (BOTH, True),
    "reduce_max": (RULES["max"], -np.inf),
    "reduce_min": (RULES["min"], np.inf),
    "reduce_or": (EITHER, False),
    "reduce_prod": (RULES["mul"], 1.0),
    "reduce_sum": (RULES["add"], 0.0),
}
LARGE = 256  # products of a matrix and a vector from which these are loops


def _broadcast(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    shape = [1] * len(params["shape"])
    for place, axis in enumerate(params["broadcast_dimensions"]):
        shape[axis] = operands[0].shape[place]
    return np.broadcast_to(operands[0].reshape(shape), params["shape"])


def _slice(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    strides = params["strides"] or (1,) * operands[0].ndim
    bounds = zip(params["start_indices"], params["limit_indices"], strides, strict=True)
    return operands[0][tuple(slice(*each) for each in bounds)]


def _reshape(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    return operands[0].reshape(aval.shape)


def _transpose(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    return np.transpose(operands[0], params["permutation"])


def _reverse(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    return np.flip(operands[0], params["dimensions"])


def _concatenate(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    return np.concatenate(_alike(operands), axis=params["dimension"])


def _stack(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    return np.stack(_alike(operands), axis=params["axis"])


def _alike(operands: list[Values]) -> list[Values]:
    return operands if all(map(is_known, operands)) else [as_objects(each) for each in operands]


def _iota(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    along = np.arange(params["shape"][params["dimension"]])
    shape = [1] * len(params["shape"])
    shape[params["dimension"]] = -1
    return np.broadcast_to(along.reshape(shape), params["shape"]).astype(aval.dtype)


def _select(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    which, *cases = operands
    if len(cases) == 2:
        return apply(builder, CHOICE, which, *cases)
    found = cases[-1]
    for number, case in reversed([*enumerate(cases[:-1])]):
        found = apply(builder, CHOICE, apply(builder, RULES["eq"], which, np.asarray(number)), found, case)
    return found


def _folded(rule: Rule, nothing: Any) -> Structural:
    def reduce(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
        axes = tuple(params["axes"])
        values = np.moveaxis(operands[0], axes, range(len(axes))).reshape(
            int(np.prod([operands[0].shape[axis] for axis in axes])), *aval.shape
        )
        found = np.asarray(values[0]) if len(values) else np.full(aval.shape, nothing)
        for each in values[1:]:
            found = apply(builder, rule, found, np.asarray(each))
        return found

    return reduce


def _running(rule: Rule) -> Structural:
    def cumulate(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
        along = np.moveaxis(operands[0], params["axis"], 0)
        along = along[::-1] if params["reverse"] else along
        sums = [np.asarray(along[0])]
        for each in along[1:]:
            sums.append(apply(builder, rule, sums[-1], np.asarray(each)))
        found = np.stack(_alike(sums))
        return np.moveaxis(found[::-1] if params["reverse"] else found, 0, params["axis"])

    return cumulate


def _extreme(better: Rule) -> Structural:
    """The place of the largest or the smallest value; the first where several are the same."""

    def place(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
        (axis,) = params["axes"]
        along = np.moveaxis(operands[0], axis, 0)
        best, found = np.asarray(along[0]), np.zeros(aval.shape, int)
        for number, each in enumerate(along[1:], 1):
            is_better = apply(builder, better, np.asarray(each), best)
            found = apply(builder, CHOICE, is_better, found, np.full(aval.shape, number))
            best = apply(builder, CHOICE, is_better, best, np.asarray(each))
        return found

    return place


def _power(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    """Whole powers by repeated squaring."""
    exponent, square, found = abs(params["y"]), operands[0], np.ones(operands[0].shape)
    while exponent:
        if exponent & 1:
            found = apply(builder, RULES["mul"], found, square)
        exponent >>= 1
        square = apply(builder, RULES["mul"], square, square) if exponent else square
    return apply(builder, RULES["div"], np.ones(found.shape), found) if params["y"] < 0 else found


def bounded(builder: Builder, place: Any, last: int) -> Any:
    """Return an index within 0 and the last one, as JAX has it."""
    if not isinstance(place, Node):
        return int(min(max(place, 0), last))
    return builder.make("Math.min(Math.max({0},0),{1})", place, last)


def taken(builder: Builder, operand: Values, place: Sequence[Any]) -> Any:
    """Return the element at a place, of which some indices may be nodes."""
    if not any(isinstance(each, Node) for each in place):
        return operand[tuple(int(each) for each in place)]
    flat: Any = 0
    for index, size in zip(place, operand.shape, strict=True):
        flat = scalar(builder, RULES["add"], scalar(builder, RULES["mul"], flat, size), index)
    return builder.element(builder.array(operand), flat)


def _dynamic_slice(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    operand, *starts = operands
    sizes = params["slice_sizes"]
    first = [bounded(builder, start[()], operand.shape[axis] - sizes[axis]) for axis, start in enumerate(starts)]
    found = np.empty(sizes, object)
    for place in np.ndindex(*sizes):
        at = [scalar(builder, RULES["add"], start, offset) for start, offset in zip(first, place, strict=True)]
        found[place] = taken(builder, operand, at)
    return found


def _gather(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values:
    """XLA's gather: windows of the operand that begin at indices, one for each place of the batch."""
    operand, indices = operands
    numbers, sizes = params["dimension_numbers"], params["slice_sizes"]
    own = dict(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True))
    batch = [axis for axis in range(len(aval.shape)) if axis not in numbers.offset_dims]
    kept = [a for a in range(operand.ndim) if a not in numbers.collapsed_slice_dims and a not in own]
    fills = "fill" in str(params["mode"]).lower()
    found = np.empty(aval.shape, object)
    for place in np.ndindex(*aval.shape):
        where = tuple(place[axis] for axis in batch)
        at: list[Any] = [0] * operand.ndim
        inside: Any = True
        for number, axis in enumerate(numbers.start_index_map):
            start, last = indices[(*where, number)], operand.shape[axis] - sizes[axis]
            if fills:
                inside = scalar(builder, BOTH, inside, scalar(builder, RULES["ge"], start, 0))
                inside = scalar(builder, BOTH, inside, scalar(builder, RULES["le"], start, last))
            at[axis] = bounded(builder, start, last)
        for axis, other in own.items():
            at[axis] = where[other]
        for axis, offset in zip(kept, numbers.offset_dims, strict=True):
            at[axis] = scalar(builder, RULES["add"], at[axis], place[offset])
        value = taken(builder, operand, at)
        found[place] = scalar(builder, CHOICE, inside, params["fill_value"] or np.nan, value) if fills else value
    return found


def _dot(builder: Builder, params: Params, aval: Any, operands: list[Values]) -> Values | None:
    """Return sums of products over one axis, as loops for a large constant matrix and a vector.

    None for products in batches or over several axes.
    """
    (left_axes, right_axes), (left_batch, right_batch) = params["dimension_numbers"]
    left, right = operands
    if left_batch or right_batch or len(left_axes) != 1:
        return None
    left, right = np.moveaxis(left, left_axes[0], -1), np.moveaxis(right, right_axes[0], -1)
    for matrix, vector in ((left, right), (right, left)):
        if is_known(matrix) and matrix.ndim == 2 and vector.ndim == 1 and matrix.size >= LARGE:
            rows, columns = matrix.shape
            array: Any = builder.array(vector)
            if array.size is None:  # a plain array; JavaScript is faster where all are of one kind
                array = builder.make(f"map({columns},i=>{{0}}[i])", array)
            product = builder.make(f"map({rows},i=>dot({builder.table(matrix)},i*{columns},{{0}}))", array)
            return builder.elements(product, aval.shape)
    found = np.empty(aval.shape, object)
    for place in np.ndindex(*aval.shape):
        one, other = left[place[: left.ndim - 1]], right[place[left.ndim - 1 :]]
        total: Any = 0.0
        for a, b in zip(np.ravel(one), np.ravel(other), strict=True):
            total = scalar(builder, RULES["add"], total, scalar(builder, RULES["mul"], a, b))
        found[place] = total
    return found


STRUCTURAL: dict[str, Structural] = {
    "argmax": _extreme(RULES["gt"]),
    "argmin": _extreme(RULES["lt"]),
    "broadcast_in_dim": _broadcast,
    "concatenate": _concatenate,
    "cumprod": _running(RULES["mul"]),
    "cumsum": _running(RULES["add"]),
    "dot_general": _dot,
    "dynamic_slice": _dynamic_slice,
    "expand_dims": _reshape,
    "gather": _gather,
    "integer_pow": _power,
    "iota": _iota,
    "reshape": _reshape,
    "rev": _reverse,
    "select_n": _select,
    "slice": _slice,
    "squeeze": _reshape,
    "stack": _stack,
    "transpose": _transpose,
    **{name: _folded(*each) for name, each in FOLDS.items()},
}
