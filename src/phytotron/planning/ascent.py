"""Gradient ascent on plans, through the model: Adam on numbers that each stand for a share of the range of an action.

A plan is a sequence of actions, or of targets where the environment says which action leads to them (`toward`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.spaces import Box

if TYPE_CHECKING:  # needs the packages of the extra "agents", which plans that are stored do not
    import optax

Objective = Callable[[Array], Array]  # of a plan, to be raised


class Way(NamedTuple):
    """A way of keeping plans within bounds, and the step sizes of Adam that suit it."""

    share: Callable[[Array], Array]  # of a range, 0 to 1, that a number stands for
    number: Callable[[Array], Array]  # that stands for a share; may be a little less or more
    keep: Callable[[Array], Array]  # the nearest number that is allowed
    schedule: Callable[[int], optax.Schedule]  # size of the steps, for an ascent of so many
    square_decay: float


def _falling_linearly(steps: int) -> optax.Schedule:
    import optax

    return optax.linear_schedule(0.15, 0.0075, steps)


def _falling_by_shares(steps: int) -> optax.Schedule:
    import optax

    return optax.exponential_decay(0.03, steps, 0.0002 / 0.03)


# A tanh keeps numbers within bounds. At a bound its slope is zero, so that a first plan is drawn in a little. Where
# actions are positions of a greenhouse, it is ahead: on 1 March 2009 a return of 1856 after 60 steps against 1823.
SQUASHED = Way(
    share=lambda number: 0.5 * (1.0 + jnp.tanh(number)),
    number=lambda share: jnp.arctanh(jnp.clip(2.0 * share - 1.0, -0.95, 0.95)),
    keep=lambda number: number,
    schedule=_falling_linearly,
    square_decay=0.99,
)
# Shares themselves, a hair within their bounds, as a clip has no slope at them. Where positions are wanted that are not
# reached at once, it is ahead: in the season of lettuce a return of 3.63 after 400 steps against 3.60.
PROJECTED = Way(
    share=lambda number: number,
    number=lambda share: jnp.clip(share, 1e-6, 1.0 - 1e-6),
    keep=lambda number: jnp.clip(number, 1e-6, 1.0 - 1e-6),
    schedule=_falling_by_shares,
    square_decay=0.9,  # short: at kinks of penalties slopes change from step to step
)


class Climb(NamedTuple):
    """The state of an ascent: the current numbers, the optimiser, and the best plan so far with its value."""

    raw: Array  # numbers
    optimiser: Any
    best: Array  # plan
    best_value: Array


def plan_of(space: Box, raw: Array, way: Way = SQUASHED) -> Array:
    """Return the plan that numbers stand for."""
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    return low + way.share(raw) * (high - low)


def numbers_of(space: Box, plan: Array, way: Way = SQUASHED) -> Array:
    """Return the numbers that stand for a plan, or for one a little inside its bounds."""
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    return way.number((jnp.asarray(plan, space.dtype) - low) / (high - low))


def optimiser(steps: int, way: Way = SQUASHED) -> optax.GradientTransformation:
    """Return Adam for an ascent of the given number of steps."""
    import optax

    return optax.adam(way.schedule(steps), b2=way.square_decay)


def begin(space: Box, adam: optax.GradientTransformation, plan: Array, way: Way = SQUASHED) -> Climb:
    """Return the state of an ascent that begins from a plan."""
    raw = numbers_of(space, plan, way)
    return Climb(raw, adam.init(raw), jnp.asarray(plan, raw.dtype), jnp.full((), -jnp.inf, raw.dtype))


def climb(
    space: Box, adam: optax.GradientTransformation, objective: Objective, now: Climb, way: Way = SQUASHED
) -> tuple[Climb, Array]:
    """Take one step of an ascent, and return the value before it. The best plan so far is kept.

    A component of the gradient that is not finite moves nothing.
    """

    def loss(raw: Array) -> tuple[Array, Array]:
        plan = plan_of(space, raw, way)
        return -objective(plan).astype(raw.dtype), plan

    (lost, plan), slope = jax.value_and_grad(loss, has_aux=True)(now.raw)
    moves, state = adam.update(jnp.where(jnp.isfinite(slope), slope, 0.0), now.optimiser)
    better = -lost > now.best_value
    best = jnp.where(better, plan, now.best), jnp.where(better, -lost, now.best_value)
    return Climb(way.keep(now.raw + moves), state, *best), -lost
