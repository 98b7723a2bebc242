"""What the adapters share: environments by id, and spaces in Gymnasium's terms."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import gymnasium

from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.spaces import Box, Space


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


def to_gymnasium(space: Space) -> gymnasium.Space[Any]:
    """The same space in Gymnasium's terms."""
    if isinstance(space, Box):
        return gymnasium.spaces.Box(space.low, space.high, dtype=space.dtype.type)
    return gymnasium.spaces.Discrete(space.n)
