"""A small environment with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.environment import Environment, Info
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box

LIMIT = 4
Count = dict[str, Array]


class Countdown(Environment[Count, float]):
    """Counts down from 2 to 6: terminated at zero, truncated after four steps; from four, both at once.

    Observation: what is left, steps since the start, noise. Reward: what is left plus the first action.
    """

    id = "test/Countdown-v0"
    observation_space = Box.uniform(-100.0, 100.0, (3,))
    action_space = Box(np.full(2, -1.0), np.full(2, 1.0), ("push", "pull"))
    default_params = 1.0
    fields: Mapping[str, Sequence[Quantity]] = {}

    def __init__(self) -> None:
        self.traces = 0

    def initial(self, key: Array, params: float) -> tuple[Array, Count]:
        self.traces += 1
        left = jax.random.randint(key, (), 2, 7, jnp.int32)
        state = {"left": left, "age": jnp.zeros((), jnp.int32)}
        return self.observe(state, jnp.zeros((), jnp.float32)), state

    def transition(
        self, key: Array, state: Count, action: Array, params: float
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        self.traces += 1
        state = {"left": state["left"] - 1, "age": state["age"] + 1}
        info = {"costs": {"late": jnp.maximum(-state["left"], 0)}, "age": state["age"], "pair": action * 2.0}
        noise = jax.random.uniform(key, (), jnp.float32)
        reward = state["left"].astype(jnp.float32) + action[0]
        return self.observe(state, noise), state, reward, state["left"] <= 0, state["age"] >= LIMIT, info

    def observe(self, state: Count, noise: Array) -> Array:
        return jnp.stack([state["left"].astype(jnp.float32), state["age"].astype(jnp.float32), noise])


class DrawnCountdown(Countdown):
    """With pictures: a grey area, the darker the less is left."""

    def render(self, state: Any, params: float) -> NDArray[np.uint8]:
        return np.full((2, 3, 3), 10 * int(state["left"]), np.uint8)
