"""Episodes under actions that were fixed before they began, as functions that can be differentiated."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.adjoint import with_adjoint
from phytotron.core.compilation import single_kernel
from phytotron.core.environment import Environment


class Outcome(NamedTuple):
    """What a plan comes to."""

    total: Array  # return
    remaining: Array  # what the state at its end is still worth, in the unit of the return
    over: Array  # whether the episode has ended with it


def follow(env: Environment[Any, Any], key: Array, actions: Array, params: Any) -> Outcome:
    """One episode from a start under `actions` (steps, ...), with the random numbers that the engine gives it.

    What follows after the end of an episode does not count. A plan shorter than the episode leaves off where it ends.
    """
    key, first, _ = jax.random.split(key, 3)
    _, state = env.initial(first, params)
    return follow_from(env, key, state, actions, params)


def follow_from(env: Environment[Any, Any], key: Array, state: Any, actions: Array, params: Any) -> Outcome:
    """As `follow`, from any state of an episode."""

    def moved(state: Any, action: Array, move: Array, active: Array) -> tuple[Any, Array, Array]:
        _, after, reward, terminated, truncated, _ = env.transition(move, state, action, params)
        after = jax.tree.map(lambda new, old: jnp.where(active, new, old), after, state)
        return after, jnp.where(active, reward, 0.0), active & ~(terminated | truncated)

    whole = with_adjoint(single_kernel(moved), moved)

    def step(now: tuple[Array, Any, Array], action: Array) -> tuple[tuple[Array, Any, Array], Array]:
        key, state, active = now
        key, _, move = jax.random.split(key, 3)
        after, reward, active = whole(state, action, move, active)
        return (key, after, active), reward

    actions = jnp.asarray(actions, env.action_space.dtype)
    (_, state, active), rewards = jax.lax.scan(step, (key, state, jnp.ones((), bool)), actions)
    total = jnp.sum(rewards)
    return Outcome(total, jnp.asarray(env.terminal_value(state, params), total.dtype), ~active)
