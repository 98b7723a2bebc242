"""What the adapters share: environments by id, and the keys of an episode."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import gymnasium
import jax
from jax import Array

from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.spaces import Box, Space

Carry = tuple[Array, Any]  # what goes from step to step: the key's data and the state


def environment_of(env_id: str, options: Mapping[str, Any], render_mode: str | None = None) -> Environment[Any, Any]:
    """The environment of an id, one that records what its pictures show where these are wanted.

    Having no state of their own, equal ones are made, and compiled, once.
    """
    each = tuple(sorted(options.items()))
    try:
        hash(each)
    except TypeError:
        return _made(env_id, each, render_mode)
    return _shared(env_id, each, render_mode)


def _made(env_id: str, options: tuple[tuple[str, Any], ...], render_mode: str | None) -> Environment[Any, Any]:
    environment: Environment[Any, Any] = registry.make(env_id, **dict(options))
    return environment if render_mode is None else environment.recorded()


_shared = functools.lru_cache(maxsize=16)(_made)


def begin(environment: Environment[Any, Any], number: Array) -> tuple[Array, Carry]:
    """The first observation of the episode that a number stands for, and what to carry on."""
    key, now = jax.random.split(jax.random.key(number))
    observation, state = environment.reset(now)
    return observation, (jax.random.key_data(key), state)


def proceed(environment: Environment[Any, Any], carry: Carry, action: Array) -> tuple[Carry, Any]:
    """What to carry on, and (observation, reward, terminated, truncated, info)."""
    key, now = jax.random.split(jax.random.wrap_key_data(carry[0]))
    observation, state, *rest = environment.step(now, carry[1], action)
    return (jax.random.key_data(key), state), (observation, *rest)


def to_gymnasium(space: Space) -> gymnasium.Space[Any]:
    """The same space in Gymnasium's terms."""
    if isinstance(space, Box):
        return gymnasium.spaces.Box(space.low, space.high, dtype=space.dtype.type)
    return gymnasium.spaces.Discrete(space.n)
