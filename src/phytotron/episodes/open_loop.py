"""Episodes under actions that were fixed before they began, as functions that can be differentiated."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.adjoint import with_adjoint
from phytotron.core.compilation import single_kernel
from phytotron.core.environment import Environment
from phytotron.episodes.engine import as_floats, measured


class Outcome(NamedTuple):
    """What a plan comes to."""

    total: Array  # return
    remaining: Array  # what the state at its end is still worth, in the unit of the return
    over: Array  # whether the episode has ended with it
    actions: Array  # (steps, ...)
    reached: Array  # (steps, ...), what the actions bring about, in the terms of `Environment.toward`
    sums: dict[str, Array]  # over the steps: "return", and what each measure adds up
    costs: dict[str, Array]  # sums of the violations in `info["costs"]`
    length: Array  # steps


Act = Callable[[Array, Any], Array]  # the action of an entry of a plan and the state


def as_planned(entry: Array, state: Any) -> Array:
    """Entries of a plan are actions."""
    return entry


def follow(env: Environment[Any, Any], key: Array, plan: Array, params: Any, act: Act = as_planned) -> Outcome:
    """One episode from a start under a plan (steps, ...), with the random numbers that the engine gives it.

    `act`: `env.toward` where entries of the plan say what is wanted; by default they are actions. What follows after
    the end of an episode does not count. A plan shorter than the episode leaves off where it ends.
    """
    key, first, _ = jax.random.split(key, 3)
    _, state = env.initial(first, params)
    return follow_from(env, key, state, plan, params, act)


def follow_from(
    env: Environment[Any, Any], key: Array, state: Any, plan: Array, params: Any, act: Act = as_planned
) -> Outcome:
    """As `follow`, from any state of an episode."""

    def moved(state: Any, entry: Array, move: Array, active: Array) -> tuple[Any, Array, Any]:
        action = act(entry, state)
        _, after, reward, terminated, truncated, info = env.transition(move, state, action, params)
        after = jax.tree.map(lambda new, old: jnp.where(active, new, old), after, state)
        seen = as_floats((measured(env, reward, info), info["costs"], jnp.ones(())))
        counted = jax.tree.map(lambda each: jnp.where(active, each, 0.0), seen)
        return after, active & ~(terminated | truncated), (*counted, action, env.reached(action, state))

    whole = with_adjoint(single_kernel(moved), moved)

    def step(now: tuple[Array, Any, Array], entry: Array) -> tuple[tuple[Array, Any, Array], Any]:
        key, state, active = now
        key, _, move = jax.random.split(key, 3)
        after, active, seen = whole(state, entry, move, active)
        return (key, after, active), seen

    plan = jnp.asarray(plan, env.action_space.dtype)
    (_, state, active), (*seen, actions, reached) = jax.lax.scan(step, (key, state, jnp.ones((), bool)), plan)
    sums, costs, length = jax.tree.map(jnp.sum, seen)
    remaining = jnp.asarray(env.terminal_value(state, params), sums["return"].dtype)
    return Outcome(sums["return"], remaining, ~active, actions, reached, sums, costs, length)
