"""A sound environment, from which the faulty ones are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Environment, Measure
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete

LEVEL, AGE, FLOW = (Quantity(name, name, "-", name, 0.0, 10.0) for name in ("level", "age", "flow"))


@dataclass(frozen=True)
class Tank(Environment[dict[str, Array], dict[str, float]]):
    """A sound environment: a tank that is filled and leaks."""

    id: ClassVar[str] = "test/Tank-v0"
    differentiable: ClassVar[bool] = True
    options: Mapping[str, float] = field(default_factory=dict)
    observation_space = Box.of((LEVEL, AGE))
    action_space = Box.of((FLOW,))
    fields = {"observation": (LEVEL, AGE), "action": (FLOW,)}  # noqa: RUF012
    episode_steps = 5
    measures = (Measure(Quantity("filled", "", "-", "filled"), lambda info: info["flow"]),)

    @property
    def default_params(self) -> dict[str, float]:
        return {"leak": 0.1} | dict(self.options)

    def initial(self, key: Array, params: Any) -> tuple[Array, Any]:
        state = {"level": jax.random.uniform(key, (), jnp.float32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state), state

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        level = state["level"] * (1.0 - params["leak"]) + 0.1 * action[0]
        state = {"level": level.astype(jnp.float32), "age": state["age"] + 1}
        info = {"costs": {"full": jnp.maximum(level - 5.0, 0.0)}, "flow": action[0]}
        return self.observe(state), state, -jnp.abs(level - 1.0), level > 9.0, state["age"] >= 5, info

    def observe(self, state: Any) -> Array:
        return jnp.stack([state["level"], state["age"].astype(jnp.float32)])


class Changed(Tank):
    """The outcome of a step, changed by `change`."""

    def change(self, observation: Any, state: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> Any:
        raise NotImplementedError

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return self.change(*super().transition(key, state, action, params))


class Choosing(Tank):
    action_space = Discrete(2)  # type: ignore[assignment]

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, action[None] * 1.0, params)
