"""Digests that identify stored plans: a few hexadecimal digits, equal in every process and on every machine.

Options are compared exactly, by those that differ from their defaults, so that a new option changes nothing for tasks
that do not use it. Computed data, such as weather, may differ in its last digits between machines: for arrays, averages
with six digits are compared.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from numbers import Number
from types import CodeType
from typing import Any

import jax
import numpy as np

from phytotron.core.environment import Environment, Starts

DIGITS = 6  # of averages
NEXT_TO_NOTHING = 1e-9  # of the largest value; an average below this share of it counts as 0


def fingerprint(env: Environment[Any, Any]) -> str:
    """Return sixteen hexadecimal digits of the id and the options of an environment, whichever starts it has."""
    options = "".join(f"{name}={text};" for name, text in sorted(changed_options(env).items()))
    return hashlib.sha256(f"{env.id}{options}".encode()).hexdigest()[:16]


def changed_options(env: Environment[Any, Any]) -> dict[str, str]:
    """Return the options that differ from their defaults as text, except those that choose weather or observations.

    Where an environment is not a dataclass, defaults are not known and everything that it holds counts.
    """
    if is_dataclass(env):
        return _changed(env, env.plans_ignore)
    return {name: as_text(each) for name, each in env.__getstate__().items() if name not in env.plans_ignore}


def window_keys(env: Environment[Any, Any]) -> dict[str, str]:
    """Return a key for each label of a start: the label, and eight digits of the data on which an episode from there
    depends.
    """
    starts = env.starts()
    own = own_places(starts)
    shared = [leaf for place, leaf in enumerate(jax.tree.leaves(starts.params)) if place not in own]
    found = {}
    for number, label in enumerate(starts.labels):
        data = env.start_data(number)
        digest = hashlib.sha256("".join(_averages(shared if data is None else data)).encode())
        found[label] = f"{label} {digest.hexdigest()[:8]}"
    return found


def own_places(starts: Starts) -> tuple[int, ...]:
    """Return the indices of the leaves of the parameters that differ between the starts."""

    def absent(part: Any) -> bool:  # as an axis: shared; as a parameter: not there, and no leaf
        return part is None

    axes = jax.tree.leaves(jax.tree.broadcast(starts.axes, starts.params, is_leaf=absent), is_leaf=absent)
    parts = jax.tree.leaves(starts.params, is_leaf=absent)
    of_leaves = [axis for axis, part in zip(axes, parts, strict=True) if part is not None]
    return tuple(place for place, axis in enumerate(of_leaves) if axis is not None)


def as_text(value: Any) -> str:
    """Return a text that distinguishes the value of an option from other values.

    Functions are identified by their name, their code and what they enclose, dataclasses by what differs from their
    defaults; 1 and 1.0, lists and tuples are the same. Where nothing but the address of an object distinguishes it,
    plans are made anew in every process.
    """
    if isinstance(value, Number) and not isinstance(value, bool):
        return repr(complex(value) if isinstance(value, complex) else float(value))  # type: ignore[arg-type]
    if hasattr(value, "__array__"):
        held = np.asarray(value)
        digest = hashlib.sha256(np.ascontiguousarray(held, np.float64 if held.dtype.kind in "fiu" else None).tobytes())
        return f"array{held.shape} {digest.hexdigest()}"
    if is_dataclass(value) and not isinstance(value, type):
        inside = ", ".join(f"{name}={text}" for name, text in _changed(value).items())
        return f"{type(value).__qualname__}({inside})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(sorted(f'{name}: {as_text(each)}' for name, each in value.items()))}}}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"[{', '.join(map(as_text, value))}]"
    code = getattr(value, "__code__", None)
    if code is None:
        return repr(value)
    enclosed = [cell.cell_contents for cell in value.__closure__ or ()]
    return f"{value.__qualname__} {_code(code)} {as_text([enclosed, value.__defaults__ or ()])}"


def _changed(held: Any, without: Collection[str] = ()) -> dict[str, str]:
    """Return the fields of a dataclass that differ from their defaults, or have none, as text by name."""
    changed = {}
    for each in fields(held):
        if each.name in without:
            continue
        text = as_text(getattr(held, each.name))
        usual = each.default if each.default_factory is MISSING else each.default_factory()
        if usual is MISSING or text != as_text(usual):
            changed[each.name] = text
    return changed


def _code(code: CodeType) -> str:
    constants = (_code(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts)
    return f"{code.co_code.hex()} {code.co_names} {', '.join(constants)}"


def _averages(data: Any) -> Iterator[str]:
    """Yield, as text, the shape of every array, and its mean and its index-weighted mean along the first axis."""
    for leaf in jax.tree.leaves(data):
        values = np.atleast_1d(np.asarray(leaf, np.float64))
        weights = np.linspace(0.0, 1.0, len(values)).reshape(-1, *[1] * (values.ndim - 1))
        least = NEXT_TO_NOTHING * np.abs(values).max(initial=0.0)
        yield f"{values.shape}"
        for averages in (values.mean(axis=0), (weights * values).mean(axis=0)):
            yield from (f" {each:.{DIGITS}g}" if abs(each) > least else " 0" for each in np.ravel(averages))
