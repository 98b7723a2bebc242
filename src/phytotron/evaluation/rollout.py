"""Episodes of an environment under a controller, many at once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers.base import Controller
from phytotron.core.compilation import jit_as_kernel
from phytotron.core.environment import Environment

Progress = Callable[[int, int], None]  # steps done, steps in all


class Episodes(NamedTuple):
    """Series over the steps; the first axis is the episode, the second the step."""

    observation: Any  # before each step
    state: Any  # before each step
    action: Any
    reward: Any
    info: Any
    active: Any  # whether the episode was still running
    final: Any  # state at the end, one per episode


class _Carry(NamedTuple):
    key: Array
    observation: Array
    state: Any
    memory: Any
    active: Array


def run_episodes(
    env: Environment[Any, Any],
    controller: Controller,
    keys: Array,
    steps: int,
    params: Any = None,
    axes: Any = None,
    chunk: int = 288,
    progress: Progress | None = None,
) -> Episodes:
    """One episode for each key, of at most `steps` steps, compiled as one batch.

    `params` may differ between episodes: `axes` says along which axis, as for `jax.vmap`. Work is done in chunks of
    steps, between which `progress` is told.
    """
    params = env.default_params if params is None else params

    def begin(key: Array, params: Any) -> _Carry:
        key, first, remember = jax.random.split(key, 3)
        observation, state = env.initial(first, params)
        return _Carry(key, observation, state, controller.start(remember), jnp.ones((), bool))

    def step(carry: _Carry, params: Any) -> tuple[_Carry, Any]:
        key, choose, move = jax.random.split(carry.key, 3)
        action, memory = controller.act(choose, carry.memory, carry.observation, carry.state, params)
        action = jnp.asarray(action, env.action_space.dtype)
        observation, state, reward, terminated, truncated, info = env.transition(move, carry.state, action, params)
        running = carry.active
        reward = jnp.where(running, reward, 0.0)
        row = (carry.observation, carry.state, action, reward, info, running)
        held = jax.tree.map(lambda new, old: jnp.where(running, new, old), (observation, state, memory), carry[1:4])
        seen, now, remembered = held
        return _Carry(key, seen, now, remembered, running & ~(terminated | truncated)), row

    def several(carry: _Carry, params: Any, length: int) -> tuple[_Carry, Any]:
        return jax.lax.scan(lambda now, _: step(now, params), carry, length=length)

    start = jax.jit(jax.vmap(begin, (0, axes)))

    @functools.cache
    def run(length: int) -> Callable[[_Carry, Any], tuple[_Carry, Any]]:
        return jit_as_kernel(jax.vmap(lambda carry, params: several(carry, params, length), (0, axes)))

    carry, parts, done = start(keys, params), [], 0
    while done < steps:
        length = min(chunk, steps - done)
        carry, rows = run(length)(carry, params)
        parts.append(jax.tree.map(np.asarray, rows))
        done += length
        if progress is not None:
            progress(done, steps)
    series = jax.tree.map(lambda *columns: np.concatenate(columns, axis=1), *parts)
    observation, state, action, reward, info, active = series
    return Episodes(observation, state, action, reward, info, active, jax.tree.map(np.asarray, carry.state))
