"""Controllers from outside the package: any object with `start` and `act`, or a function that makes one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.controllers import Constant
from phytotron.core.environment import Environment


@dataclass(frozen=True)
class Refill:
    """Water up to a set point; for trays, whose first observation is the moisture."""

    environment: Environment[Any, Any]
    target: float = 0.34  # m3 m-3
    depth: float = 50.0  # mm of soil

    def start(self, key: Array) -> Any:
        """Remember nothing."""
        return ()

    def act(self, key: Array, memory: Any, observation: Array, state: Any, params: Any) -> tuple[Array, Any]:
        """What the tray lacks, as far as the action space allows."""
        space = self.environment.action_space
        lacking = (self.target - observation[0]) * self.depth
        return jnp.clip(lacking[None], space.low, space.high), memory


def midway(environment: Environment[Any, Any]) -> Constant:
    """The middle of the action space always; for any environment."""
    space = environment.action_space
    middle = (np.asarray(space.low) + np.asarray(space.high)) / 2
    return Constant(np.broadcast_to(middle, space.shape).astype(space.dtype))
