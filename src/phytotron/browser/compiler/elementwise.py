"""Operations on single numbers: how JavaScript writes them, and what they give where all is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from phytotron.browser.compiler.graph import Builder, Node, Values, as_objects, is_known

VECTOR = 48  # elements from which an operation is a loop over an array, and not one expression for each


class Rule(NamedTuple):
    """A template with operands as {0}, {1} and so on, and the same operation for numbers that are known."""

    template: str
    known: Callable[..., Any]


def _rounded(x: Any) -> Any:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


# Of floating-point numbers, and of integers and truth values unless given otherwise below.
RULES = {
    "abs": Rule("Math.abs({0})", np.abs),
    "acos": Rule("Math.acos({0})", np.arccos),
    "add": Rule("{0}+{1}", np.add),
    "asin": Rule("Math.asin({0})", np.arcsin),
    "atan": Rule("Math.atan({0})", np.arctan),
    "atan2": Rule("Math.atan2({0},{1})", np.arctan2),
    "cbrt": Rule("Math.cbrt({0})", np.cbrt),
    "ceil": Rule("Math.ceil({0})", np.ceil),
    "clamp": Rule("Math.min(Math.max({1},{0}),{2})", lambda low, x, high: np.minimum(np.maximum(x, low), high)),
    "cos": Rule("Math.cos({0})", np.cos),
    "cosh": Rule("Math.cosh({0})", np.cosh),
    "div": Rule("{0}/{1}", np.divide),
    "eq": Rule("{0}==={1}", np.equal),
    "exp": Rule("Math.exp({0})", np.exp),
    "exp2": Rule("Math.pow(2,{0})", np.exp2),
    "expm1": Rule("Math.expm1({0})", np.expm1),
    "floor": Rule("Math.floor({0})", np.floor),
    "ge": Rule("{0}>={1}", np.greater_equal),
    "gt": Rule("{0}>{1}", np.greater),
    "is_finite": Rule("Number.isFinite({0})", np.isfinite),
    "le": Rule("{0}<={1}", np.less_equal),
    "log": Rule("Math.log({0})", np.log),
    "log1p": Rule("Math.log1p({0})", np.log1p),
    "logistic": Rule("1/(1+Math.exp(-({0})))", special.expit),
    "lt": Rule("{0}<{1}", np.less),
    "max": Rule("Math.max({0},{1})", np.maximum),
    "min": Rule("Math.min({0},{1})", np.minimum),
    "mul": Rule("{0}*{1}", np.multiply),
    "ne": Rule("{0}!=={1}", np.not_equal),
    "neg": Rule("-{0}", np.negative),
    "pow": Rule("Math.pow({0},{1})", np.power),
    "rem": Rule("{0}%{1}", np.fmod),
    "rsqrt": Rule("1/Math.sqrt({0})", lambda x: 1.0 / np.sqrt(x)),
    "sign": Rule("Math.sign({0})", np.sign),
    "sin": Rule("Math.sin({0})", np.sin),
    "sinh": Rule("Math.sinh({0})", np.sinh),
    "sqrt": Rule("Math.sqrt({0})", np.sqrt),
    "square": Rule("{0}*{0}", np.square),
    "sub": Rule("{0}-{1}", np.subtract),
    "tan": Rule("Math.tan({0})", np.tan),
    "tanh": Rule("Math.tanh({0})", np.tanh),
}
OF_TRUTH = {  # which in arrays are 0 and 1
    "and": Rule("{0}&&{1}", np.logical_and),
    "eq": Rule("!{0}===!{1}", np.equal),
    "ne": Rule("!{0}!==!{1}", np.not_equal),
    "not": Rule("!{0}", np.logical_not),
    "or": Rule("{0}||{1}", np.logical_or),
    "xor": Rule("!{0}!==!{1}", np.not_equal),
}
OF_INTEGERS = {
    "and": Rule("{0}&{1}", np.bitwise_and),
    "div": Rule("Math.trunc({0}/{1})", lambda x, y: np.trunc(np.divide(x, y)).astype(np.int64)),
    "not": Rule("~{0}", np.invert),
    "or": Rule("{0}|{1}", np.bitwise_or),
    "xor": Rule("{0}^{1}", np.bitwise_xor),
}
ROUNDING = {0: Rule("(Math.sign({0})*Math.floor(Math.abs({0})+0.5))", _rounded), 1: Rule("even({0})", np.round)}
CHOICE = Rule("{0}?{2}:{1}", lambda which, no, yes: np.where(which, yes, no))
SAME = Rule("{0}", lambda x: x)
TRUNCATED = Rule("Math.trunc({0})", np.trunc)
TO_NUMBER = Rule("+{0}", lambda x: np.asarray(x, np.float64))
TO_TRUTH = Rule("{0}!==0", lambda x: np.not_equal(x, 0))
# Which operand may be left out where the other one is this number.
NEUTRAL: dict[str, tuple[tuple[int, float], ...]] = {
    "{0}+{1}": ((0, 0.0), (1, 0.0)),
    "{0}-{1}": ((1, 0.0),),
    "{0}*{1}": ((0, 1.0), (1, 1.0)),
    "{0}/{1}": ((1, 1.0),),
    "{0}&&{1}": ((0, True), (1, True)),
    "{0}||{1}": ((0, False), (1, False)),
}


def rule_of(name: str, kind: str, params: dict[str, Any]) -> Rule | None:
    """Return the rule of a primitive for operands of a kind ("f", "i", "u" or "b", as NumPy has it), where there is
    one.
    """
    if name == "round":
        return ROUNDING[int(params["rounding_method"])]
    own = OF_TRUTH if kind == "b" else OF_INTEGERS if kind in "iu" else {}
    return own.get(name) or RULES.get(name)


def conversion(before: str, after: str) -> Rule:
    """Return the rule that makes numbers of one kind from those of another."""
    if after == "b":
        return SAME if before == "b" else TO_TRUTH
    if before == "b":
        return TO_NUMBER
    return TRUNCATED if after in "iu" and before == "f" else SAME


def in_single(rule: Rule) -> Rule:
    """Return the same rule with a result in float32."""
    return Rule(f"Math.fround({rule.template})", rule.known)


def apply(builder: Builder, rule: Rule, *operands: Values) -> Values:
    """Return a rule on every element of operands of one shape, or that can be broadcast to one."""
    if all(map(is_known, operands)):
        with np.errstate(all="ignore"):
            return np.asarray(rule.known(*operands))
    if rule is SAME:
        return operands[0]
    spread = np.broadcast_arrays(*operands)
    if spread[0].size >= VECTOR:
        return _vector(builder, rule, operands, spread[0].shape)
    found = np.empty(spread[0].shape, object)
    for place in np.ndindex(found.shape):
        found[place] = scalar(builder, rule, *(each[place] for each in spread))
    return found


def scalar(builder: Builder, rule: Rule, *operands: Any) -> Any:
    """Return a rule on numbers or nodes."""
    if not any(isinstance(each, Node) for each in operands):
        with np.errstate(all="ignore"):
            return np.asarray(rule.known(*operands))[()]
    if rule is CHOICE and not isinstance(operands[0], Node):
        return operands[2] if operands[0] else operands[1]
    if rule is CHOICE and operands[1] is operands[2]:
        return operands[1]
    for place, number in NEUTRAL.get(rule.template, ()):
        if not isinstance(operands[place], Node) and operands[place] == number:
            return operands[1 - place]
    return builder.make(rule.template, *operands)


def _vector(builder: Builder, rule: Rule, operands: tuple[Values, ...], shape: tuple[int, ...]) -> Values:
    """A rule as a loop over arrays."""
    body, args = rule.template, list[Any]()
    for place, each in reversed([*enumerate(operands)]):  # so that no number is replaced twice
        flat = as_objects(each).ravel()
        same = all(other is flat[0] for other in flat)
        found = flat[0] if same else builder.array(np.broadcast_to(each, shape))
        written = f"<{len(args)}>" if same else f"{found}[i]" if isinstance(found, str) else f"<{len(args)}>[i]"
        args += [] if isinstance(found, str) else [found]
        body = body.replace(f"{{{place}}}", written)
    body = re.sub(r"<(\d+)>", r"{\1}", body)
    array = builder.make(f"map({int(np.prod(shape))},i=>{body})", *args)
    return builder.elements(array, shape)
