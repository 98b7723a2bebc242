"""The best actions by gradients through the model: Adam on numbers that a tanh keeps within the bounds of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.spaces import Box

if TYPE_CHECKING:  # needs the packages of the extra "agents", which plans that are stored do not
    import optax

STEP, LAST_STEP = 0.15, 0.0075  # of Adam, falling linearly: most is gained in the first 200 steps
SQUARE_DECAY = 0.99
INSIDE = 0.95  # share of the range to which the first actions are drawn in: at a bound the slope of a tanh is zero

Objective = Callable[[Array], Array]  # of actions, to be raised


class Climb(NamedTuple):
    """Where an ascent stands."""

    raw: Array
    optimiser: Any
    best: Array  # actions
    best_value: Array


def raw_actions(space: Box, actions: Array) -> Array:
    """Numbers without bounds, of actions drawn a little inside theirs."""
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    share = 2.0 * (jnp.asarray(actions, space.dtype) - low) / (high - low) - 1.0
    return jnp.arctanh(jnp.clip(share, -INSIDE, INSIDE))


def bounded_actions(space: Box, raw: Array) -> Array:
    """Actions of numbers without bounds."""
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    return low + 0.5 * (1.0 + jnp.tanh(raw)) * (high - low)


def optimiser(steps: int) -> optax.GradientTransformation:
    """Adam for an ascent of so many steps."""
    import optax

    return optax.adam(optax.linear_schedule(STEP, LAST_STEP, steps), b2=SQUARE_DECAY)


def begin(space: Box, adam: optax.GradientTransformation, actions: Array) -> Climb:
    """An ascent from some actions."""
    raw = raw_actions(space, actions)
    return Climb(raw, adam.init(raw), jnp.asarray(actions, raw.dtype), jnp.full((), -jnp.inf, raw.dtype))


def climb(space: Box, adam: optax.GradientTransformation, objective: Objective, now: Climb) -> tuple[Climb, Array]:
    """One step of an ascent, and the value before it. The best actions seen are kept.

    A component of the gradient that is not finite moves nothing.
    """

    def loss(raw: Array) -> tuple[Array, Array]:
        actions = bounded_actions(space, raw)
        return -objective(actions), actions

    (lost, actions), slope = jax.value_and_grad(loss, has_aux=True)(now.raw)
    moves, state = adam.update(jnp.where(jnp.isfinite(slope), slope, 0.0), now.optimiser)
    better = -lost > now.best_value
    best = jnp.where(better, actions, now.best), jnp.where(better, -lost, now.best_value)
    return Climb(now.raw + moves, state, *best), -lost
