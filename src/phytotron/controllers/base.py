"""Controllers that suit any environment: constant, random, scheduled, replayed, or a function of the observation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.core.spaces import Discrete


@dataclass(frozen=True, eq=False)
class Constant(Controller):
    """Always takes the same action."""

    action: Any

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the one action."""
        return jnp.asarray(self.action), memory


@dataclass(frozen=True, eq=False)
class Random(Controller):
    """Actions drawn at random, uniformly from the action space."""

    environment: Environment[Any, Any]

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return a draw."""
        return self.environment.action_space.sample(key), memory


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Schedule(Controller):
    """Takes the action of a fixed sequence (steps, ...); after its end, the last action holds.

    Its actions are an array, so that `vmap` and `evaluate_stacked` can run many schedules at once.
    """

    actions: Any  # (steps, ...)

    def start(self, key: Array) -> Memory:
        """Return the number of the first row."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the row of this step, and the number of the next."""
        return self.actions[jnp.minimum(memory, self.actions.shape[0] - 1)], memory + 1


class Replay(Schedule):
    """Replays recorded actions, which have to fit the environment."""

    def __init__(self, environment: Environment[Any, Any], actions: Any) -> None:
        recorded, space = np.asarray(actions), environment.action_space
        if recorded.ndim != 1 + len(space.shape) or recorded.shape[1:] != space.shape or not recorded.shape[0]:
            raise ShapeError("the recorded actions", f"(steps, {', '.join(map(str, space.shape))})", recorded.shape)
        if not np.all(np.isfinite(recorded)):
            raise ValueRangeError("the recorded actions", "not finite in places", "finite numbers")
        if isinstance(space, Discrete):
            strange = recorded[(recorded != np.floor(recorded)) | (recorded < 0) | (recorded > space.high)]
            if strange.size:
                raise ValueRangeError("a recorded action", float(strange[0]), f"a whole number from 0 to {space.high}")
        super().__init__(jnp.asarray(recorded, space.dtype))


@dataclass(frozen=True, eq=False)
class FromFunction(Controller):
    """Turns a function from observation to action into a controller, such as a trained policy or a rule of your own."""

    policy: Callable[[Array], Array]

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the result of the function."""
        return self.policy(observation), memory


def off(environment: Environment[Any, Any]) -> Constant:
    """Return a controller that does nothing: every action is at its lowest value."""
    space = environment.action_space
    return Constant(np.full(space.shape, space.low, space.dtype))
