"""Channels for data files: all numbers in the state of an environment, and the components of its actions.

Pages show the few channels that a task chooses; data files hold these as well.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Container, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax.tree_util import DictKey, GetAttrKey, SequenceKey

from phytotron.core.fields import Quantity
from phytotron.core.presentation import Channel, Step
from phytotron.core.spaces import Discrete

if TYPE_CHECKING:
    from phytotron.core.environment import Environment

MANY_CHOICES = 10  # that are named one by one
INDEX = ("seed", "episode", "step", "time")  # columns that say which step a row is
GIVEN = (*INDEX, "reward", "action")  # columns of all data, besides "action_NAME", "measure_NAME" and "cost_NAME"
GIVEN_PREFIXES = ("action_", "measure_", "cost_")


def with_state(
    env: Environment[Any, Any], channels: Sequence[Channel], without: Sequence[str] = ()
) -> tuple[Channel, ...]:
    """Return channels, followed by one for each number in the state that is not among them yet.

    If the state is made of records, these are the quantities of the records; otherwise they are all numbers in it. They
    have the values at the start of a step or at its end, as the channels of the task do. Where another quantity already
    has the name, it is preceded by the name of the record, or by "state". `without`: parts of the state that are left
    out.
    """
    timeline = env.presentation.timeline
    part = "after" if timeline is not None and not timeline.at_start else "before"
    taken: dict[str, str | None] = dict.fromkeys(GIVEN) | {each.name: each.quantity.unit for each in channels}
    added = []
    for quantity, owners, of in _numbers(env, part):
        if owners[:1] and owners[0] in without:
            continue
        if taken.get(quantity.name) == quantity.unit and quantity.unit:
            continue
        name = next(each for each in _names(quantity.name, owners) if _is_free(each, taken))
        taken[name] = quantity.unit
        added.append(Channel(dataclasses.replace(quantity, name=name), of))
    return (*channels, *added)


def _names(name: str, owners: Sequence[str]) -> Iterator[str]:
    """Yield the names that a number in the state may have, in the order of preference; there is no end of them."""
    yield name
    yield from (f"{'_'.join(owners[-n:])}_{name}" for n in range(1, len(owners) + 1))
    yield f"state_{name}"
    yield from (f"state_{name}_{n}" for n in itertools.count(2))


def _is_free(name: str, taken: Container[str]) -> bool:
    return name not in taken and not name.startswith(GIVEN_PREFIXES)


def action_channels(env: Environment[Any, Any]) -> tuple[Channel, ...]:
    """Return one channel for each component of the action, or one for the number of the choice."""
    space = env.action_space
    if isinstance(space, Discrete):
        listed = ", ".join(f"{number} is {name}" for number, name in enumerate(space.names[:MANY_CHOICES]))
        words = f"number of the action: {listed}" if listed and space.n <= MANY_CHOICES else "number of the action"
        return (Channel(Quantity("action", "a", "-", words), lambda step: step.action, "control"),)
    known = tuple(env.fields.get("action", ()))
    size = math.prod(space.shape)
    if len(known) != size:
        names = space.names or tuple(map(str, range(1, size + 1)))
        known = tuple(Quantity(name, name, "", "component of the action") for name in names)
    described = (dataclasses.replace(q, name=f"action_{q.name}", description=f"action: {q.description}") for q in known)
    return tuple(Channel(q, _component(number), "control") for number, q in enumerate(described))


def _component(number: int) -> Callable[[Step], Any]:
    return lambda step: jnp.ravel(step.action)[number]


def _numbers(
    env: Environment[Any, Any], part: str
) -> Iterator[tuple[Quantity, tuple[str, ...], Callable[[Step], Any]]]:
    """Yield, for every number in the state, its quantity, the names of its owners, and its function of a step."""
    params = env.default_params
    state = jax.eval_shape(lambda key: env.initial(key, params)[1], jax.random.key(0))
    leaves = [(number, *_described(state, path), leaf) for number, (path, leaf) in _numbered(state)]
    recorded = [each for each in leaves if each[1].unit]
    for number, quantity, owners, leaf in recorded or leaves:
        if leaf.ndim == 0:
            yield quantity, owners, _reader(part, number, ())
        elif leaf.ndim == 1:
            for place in range(leaf.shape[0]):
                name, words = f"{quantity.name}_{place + 1}", f"{quantity.description}, number {place + 1}"
                yield dataclasses.replace(quantity, name=name, description=words), owners, _reader(part, number, place)


def _numbered(state: Any) -> Iterator[tuple[int, tuple[Any, Any]]]:
    for number, (path, leaf) in enumerate(jax.tree.leaves_with_path(state)):
        if jnp.issubdtype(leaf.dtype, jnp.number) or leaf.dtype == bool:
            yield number, (path, leaf)


def _reader(part: str, leaf: int, place: Any) -> Callable[[Step], Any]:
    return lambda step: jnp.asarray(jax.tree.leaves(getattr(step, part))[leaf])[place]


def _described(tree: Any, path: Sequence[Any]) -> tuple[Quantity, tuple[str, ...]]:
    """Return a leaf as its record describes it, and the names of its owners; places in a sequence count from 1."""
    node, names, places, about = tree, [], "", {}
    for key in path:
        if isinstance(key, GetAttrKey):
            fields = dataclasses.fields(node) if dataclasses.is_dataclass(node) else ()
            about = dict(next((each.metadata for each in fields if each.name == key.name), {}))
            node = getattr(node, key.name)
            names.append(key.name)
        elif isinstance(key, SequenceKey):
            node, places = node[key.idx], f"{places}_{key.idx + 1}"
        elif isinstance(key, DictKey):
            node, about = node[key.key], {}
            names.append(str(key.key))
        else:
            names.append(str(key).strip("."))
            break
    *owners, last = names or ["state"]
    known = {"symbol": last, "unit": "", "description": last} | {
        key: about[key] for key in ("symbol", "unit", "description") if key in about
    }
    known["description"] += f", number {places[1:].replace('_', ', ')}" if places else ""
    return Quantity(f"{last}{places}", **known), tuple(owners)
