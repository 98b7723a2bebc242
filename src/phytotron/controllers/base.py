"""What a controller is, and those that suit any environment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Environment
from phytotron.core.errors import ShapeError, ValueRangeError

Memory = Any  # a pytree; () for those that remember nothing


class Controller(Protocol):
    """Chooses actions. Both methods are pure, so that `jit` and `vmap` go through them.

    A trained agent looks at the observation only; a rule may look at the state, which holds the whole greenhouse.
    """

    def start(self, key: Array) -> Memory:
        """What is remembered at the start of an episode."""

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The action, and what is remembered from now on."""


@dataclass(frozen=True, eq=False)
class Constant:
    """The same action always."""

    action: Any

    def start(self, key: Array) -> Memory:
        return ()

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        return jnp.asarray(self.action), memory


@dataclass(frozen=True, eq=False)
class Random:
    """Uniform draws from the action space."""

    environment: Environment[Any, Any]

    def start(self, key: Array) -> Memory:
        return ()

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        return self.environment.action_space.sample(key), memory


@dataclass(frozen=True, eq=False)
class Replay:
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
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        recorded = jnp.asarray(self.actions, self.environment.action_space.dtype)
        return recorded[jnp.minimum(memory, recorded.shape[0] - 1)], memory + 1


@dataclass(frozen=True, eq=False)
class FromFunction:
    """A function from observation to action: a trained policy, or a user's own rule."""

    policy: Callable[[Array], Array]

    def start(self, key: Array) -> Memory:
        return ()

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        return self.policy(observation), memory
