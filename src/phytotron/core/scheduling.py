"""Schedules: the quantities that a person can set in a task, and the actions that follow from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.fields import Quantity
from phytotron.core.spaces import Discrete

if TYPE_CHECKING:
    from phytotron.core.environment import Environment

Wanted = Mapping[str, Array]  # by name of a quantity; NaN where the schedule says nothing, or not yet


@dataclass(frozen=True, eq=False)
class Scheduling:
    """The control of a task by a schedule of amounts, set-points or positions.

    `act(wanted, state, params)` returns the action that comes nearest to the wanted values. `doses`: quantities are
    amounts that are given once, on their date; otherwise values hold until the next ones. `choices`: the possible
    values of a quantity, where not all in its range are possible. `offered_by`: the option of the task that sets these
    values. `left_alone`: what a quantity is of which a schedule says nothing: its lowest value, what it was before
    ("held"), or what the rules of the task decide ("ruled").
    """

    quantities: tuple[Quantity, ...]
    act: Callable[[Wanted, Any, Any], Array]
    doses: bool = False
    choices: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    offered_by: Mapping[str, str] = field(default_factory=dict)
    left_alone: Literal["lowest", "held", "ruled"] = "lowest"


def scheduled_actions(env: Environment[Any, Any]) -> Scheduling:
    """Return a schedule of the components of the action, or of the number of a choice.

    Each is at its lowest value until a schedule sets it.
    """
    space = env.action_space
    parts = tuple(env.fields.get("action", ()))
    if isinstance(space, Discrete):
        q = parts[0] if len(parts) == 1 else Quantity("action", "a", "-", "action")  # the choice is of all parts
        name = q.name
        number = Quantity(name, "action", "-", f"{q.description}, as the number of a choice", 0.0, float(space.high))
        choices = {name: tuple(map(float, range(space.n)))}

        def choose(wanted: Wanted, state: Any, params: Any) -> Array:
            return first_known(wanted, name, 0.0).astype(space.dtype)

        return Scheduling((number,), choose, choices=choices)
    low, high = np.ravel(space.low), np.ravel(space.high)
    described = {each.name: each for each in parts}
    names = space.names or tuple(described) or tuple(f"action_{n + 1}" for n in range(low.size))
    quantities = tuple(
        described.get(name, Quantity(name, name, "-", "component of the action", float(low[n]), float(high[n])))
        for n, name in enumerate(names)
    )

    def act(wanted: Wanted, state: Any, params: Any) -> Array:
        values = [first_known(wanted, name, float(low[n])) for n, name in enumerate(names)]
        return jnp.stack(values).reshape(space.shape)

    return Scheduling(quantities, act)


def first_known(wanted: Wanted, name: str, otherwise: Any) -> Array:
    """Return the value of a quantity in a schedule, or `otherwise` where the schedule leaves it open."""
    value = wanted.get(name, jnp.nan)
    return jnp.where(jnp.isnan(value), otherwise, value)
