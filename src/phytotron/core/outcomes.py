"""Starts of episodes, the measures that sum them up, and checks of what each of their steps returns."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.fields import Quantity

Info = dict[str, Any]


class Starts(NamedTuple):
    """The starts of episodes: parameters, the axes along which they differ between starts (as for `vmap`),
    and labels.
    """

    params: Any
    axes: Any
    labels: tuple[str, ...]

    @classmethod
    def along(cls, params: Any, name: str, labels: Iterable[object]) -> Starts:
        """Return one start for each entry of a field of `params`.

        `params` is a record, and `name` the field that `reset` draws from. `labels` has one label for each entry.
        """
        one_each = dataclasses.replace(params, **{name: getattr(params, name)[:, None]})
        axes = dataclasses.replace(jax.tree.map(lambda _: None, params), **{name: 0})
        return cls(one_each, axes, tuple(map(str, labels)))


@dataclasses.dataclass(frozen=True)
class Measure:
    """A number that sums up an episode: the total over its steps of something in `info`, or the mean over them."""

    quantity: Quantity
    of: Callable[[Info], Any]
    mean: bool = False

    def summed_up(self, total: Any, length: Any) -> Any:
        """Return the measure of an episode, from its total and the number of its steps."""
        return total / length if self.mean else total


def total(name: str, symbol: str, unit: str, description: str, of: Callable[[Info], Any] | None = None) -> Measure:
    """Return the measure that adds up `info[name]`, or what a function makes of `info`."""
    return Measure(Quantity(name, symbol, unit, description), of or itemgetter(name))


def share_within_bounds(cost: str, words: str) -> Measure:
    """Return the measure of the share of the time in which a constraint, one of `info["costs"]`, holds."""
    quantity = Quantity(f"{cost}_in_bounds", f"TWB {cost}", "-", f"share of the time with {words} within bounds")
    return Measure(quantity, lambda info: info["costs"][cost] == 0.0, mean=True)


def check_outcome(id: str, before: Any, outcome: Any) -> None:
    """Refuse a result of `Environment.transition` that breaks the contract of environments.

    It needs costs, which like the reward are single numbers, ends that are truth values, and a state of the same
    structure. The check runs while the step is traced, so that the error appears here and not later and elsewhere.
    """
    _, after, reward, terminated, truncated, info = outcome
    if not isinstance(info.get("costs"), Mapping):
        raise PhytotronError(f'{id} gives no info["costs"]; give one value per constraint, {{}} where there is none')
    single = [("reward", reward), ("terminated", terminated), ("truncated", truncated)]
    single += [(f"the cost {name!r}", value) for name, value in info["costs"].items()]
    for name, value in single:
        if not isinstance(value, bool | int | float | np.ndarray | np.generic | jax.Array):
            raise PhytotronError(f"{name} of a step of {id} is of the type {type(value).__name__}; give one number")
        if jnp.ndim(value) > 0:
            raise ShapeError(f"{name} of a step of {id}", "one number", jnp.shape(value))
    for name, value in single[1:3]:
        if jnp.asarray(value).dtype != bool:
            raise PhytotronError(f"{name} of a step of {id} is {jnp.asarray(value).dtype}; give True or False")
    changed = state_changes(before, after)
    if changed:
        raise PhytotronError(f"a step of {id} changes its state: {changed[0]}; keep structure, shapes and dtypes")


def state_changes(before: Any, after: Any) -> list[str]:
    """Return the differences in structure, shape or dtype between two states, in words."""
    structures: list[Any] = [jax.tree.structure(before), jax.tree.structure(after)]
    if structures[0] != structures[1]:
        return [f"its structure was {structures[0]} and is {structures[1]}"]
    pairs = zip(jax.tree.leaves_with_path(before), jax.tree.leaves(after), strict=True)
    kinds = [(jax.tree_util.keystr(path), _kind(old), _kind(new)) for (path, old), new in pairs]
    return [f"{name or 'it'} was {old} and is {new}" for name, old, new in kinds if old != new]


def _kind(leaf: Any) -> str:
    kind = jax.typeof(leaf)
    return f"{kind.dtype}{list(kind.shape)}"
