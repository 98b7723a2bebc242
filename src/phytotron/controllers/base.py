"""Controllers that suit any environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment
from phytotron.core.errors import ShapeError, ValueRangeError


@dataclass(frozen=True, eq=False)
class Constant(Controller):
    """The same action always."""

    action: Any

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The one action."""
        return jnp.asarray(self.action), memory


@dataclass(frozen=True, eq=False)
class Random(Controller):
    """Actions drawn at random, uniformly from the action space."""

    environment: Environment[Any, Any]

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """A draw."""
        return self.environment.action_space.sample(key), memory


@dataclass(frozen=True, eq=False)
class Replay(Controller):
    """A recorded schedule of actions, one row per step; the last row holds beyond its end."""

    environment: Environment[Any, Any]
    actions: Any  # (steps, ...)

    def __post_init__(self) -> None:
        recorded, space = np.asarray(self.actions), self.environment.action_space
        if recorded.ndim != 1 + len(space.shape) or recorded.shape[1:] != space.shape or not recorded.shape[0]:
            raise ShapeError("the recorded actions", f"(steps, {', '.join(map(str, space.shape))})", recorded.shape)
        if not np.all(np.isfinite(recorded)):
            raise ValueRangeError("the recorded actions", "not finite in places", "finite numbers")

    def start(self, key: Array) -> Memory:
        """The number of the first row."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The row of this step, and the number of the next."""
        recorded = jnp.asarray(self.actions, self.environment.action_space.dtype)
        return recorded[jnp.minimum(memory, recorded.shape[0] - 1)], memory + 1


@dataclass(frozen=True, eq=False)
class FromFunction(Controller):
    """A function from observation to action: a trained policy, or a rule of the user's own."""

    policy: Callable[[Array], Array]

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """What the function says."""
        return self.policy(observation), memory


def off(environment: Environment[Any, Any]) -> Constant:
    """The lowest action always."""
    space = environment.action_space
    return Constant(np.full(space.shape, space.low, space.dtype))
