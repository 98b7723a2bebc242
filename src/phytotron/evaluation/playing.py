"""Episodes of many windows under one controller or many policies, step by step: what readers of episodes share.

All rows see the same windows and the same random numbers. Policies are arguments of what is compiled, so that others of
the same structure need no compilation; any other controller is compiled in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Controller
from phytotron.core.compilation import first_that_compiles, single_kernel
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import ValueRangeError

DRAWN_EPISODES = 10  # where the starts of an environment cannot be counted

Function = Callable[..., Any]


class Step(NamedTuple):
    """One step of one episode."""

    observation: Array  # before the step
    before: Any  # state
    action: Array
    after: Any  # state
    reward: Array
    info: Any
    params: Any


class Rows(NamedTuple):
    """Episodes under way, (policies, windows)."""

    key: Array
    observation: Array
    state: Any
    memory: Any
    active: Array
    age: Array


class Player(NamedTuple):
    """Two compiled functions: `begin(policies, keys, params)` gives rows, `advance(policies, rows, params)` goes on."""

    begin: Function
    advance: Function


def windows(env: Environment[Any, Any], params: Any = None, episodes: int | None = None) -> Starts:
    """One episode from every start, or from some that are evenly spread; drawn ones where starts cannot be counted."""
    if episodes is not None and episodes < 1:
        raise ValueRangeError("episodes", episodes, "a whole number, at least 1")
    params, axes, labels = env.starts(params)
    if not labels:
        return Starts(params, axes, tuple(f"episode {n}" for n in range(episodes or DRAWN_EPISODES)))
    if episodes is None or episodes >= len(labels):
        return Starts(params, axes, labels)
    chosen = np.linspace(0, len(labels) - 1, episodes).round().astype(int)

    def take(axis: int | None, part: Any) -> Any:
        return part if axis is None else jnp.take(part, chosen, axis)

    taken = jax.tree.map(take, axes, params, is_leaf=lambda axis: axis is None)
    return Starts(taken, axes, tuple(labels[n] for n in chosen))


def player(
    env: Environment[Any, Any],
    controller: Controller | None,
    axes: Any,
    seen: Callable[[Step], Any],
    gather: Callable[[Function, Rows], Any],
) -> Player:
    """`seen`: what is wanted of a step. `gather(step, rows)` makes steps, each `rows, (active, wanted) = step(rows)`.

    Without a controller, the policies are those that are given to the functions, stacked.
    """

    def acting(policy: Any) -> Controller:
        return policy if controller is None else controller

    def begin(policy: Any, key: Array, params: Any) -> Rows:
        key, first, remember = jax.random.split(key, 3)
        observation, state = env.initial(first, params)
        memory = acting(policy).start(remember)
        return Rows(key, observation, state, memory, jnp.ones((), bool), jnp.zeros((), jnp.int32))

    def choose(policy: Any, now: Rows, params: Any) -> tuple[Array, Any]:
        _, choose, _ = jax.random.split(now.key, 3)
        action, memory = acting(policy).act(choose, now.memory, now.observation, now.state, params)
        return jnp.asarray(action, env.action_space.dtype), memory

    def move(policy: Any, row: tuple[Rows, Array, Any], params: Any) -> tuple[Rows, Any]:
        now, action, memory = row
        key, _, move = jax.random.split(now.key, 3)
        observation, state, reward, terminated, truncated, info = env.transition(move, now.state, action, params)
        wanted = seen(Step(now.observation, now.state, action, state, reward, info, params))
        kind = jnp.result_type(float)
        wanted = jax.tree.map(lambda each: jnp.asarray(each, kind), wanted)
        held: Any = jax.tree.map(
            lambda new, old: jnp.where(now.active, new, old),
            (observation, state, memory),
            (now.observation, now.state, now.memory),
        )
        age = now.age + 1
        active = now.active & ~(terminated | truncated) & (age < env.episode_steps)
        return Rows(key, held[0], held[1], held[2], active, age), (now.active, wanted)

    def over_rows(function: Function, same: bool = False) -> Function:
        """`vmap` over policies and, within, over windows; `same`: all policies are given the same rows."""
        return jax.vmap(jax.vmap(function, (None, 0, axes)), (0, None if same else 0, None))

    def several(how: Function) -> Function:
        # A network is faster outside the kernel of the model, the many small operations of a rule inside.
        chosen, moved = over_rows(choose), how(over_rows(move))
        if controller is not None:
            chosen = how(chosen)

        def advance(policies: Any, rows: Rows, params: Any) -> Any:
            return gather(lambda now: moved(policies, (now, *chosen(policies, now, params)), params), rows)

        return jax.jit(advance)

    advance = first_that_compiles(several(single_kernel), several(lambda function: function))
    return Player(jax.jit(over_rows(begin, same=True)), advance)
