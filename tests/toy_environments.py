"""Small environments with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Info, Measure
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete
from phytotron.core.tunable import TunableRules

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
    episode_steps = LIMIT
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


class Corridor(Environment[Count, float]):
    """Places 0 to 4, from 0 or 1: left, stay or right, at a cost of 1 a step, until place 4 or the 20th step.

    The best return is -4 from place 0 and -3 from place 1, and -3.5 in the mean.
    """

    id = "test/Corridor-v0"
    observation_space = Box.uniform(0.0, 4.0, (1,))
    action_space = Discrete(3, ("left", "stay", "right"))
    default_params = 1.0
    episode_steps = 20
    fields: Mapping[str, Sequence[Quantity]] = {}
    measures = (
        Measure(Quantity("stayed", "", "-", "steps without a move", 0.0, 20.0), lambda info: info["stayed"]),
        Measure(Quantity("place", "", "-", "place after a step", 0.0, 4.0), lambda info: info["place"], mean=True),
    )

    def initial(self, key: Array, params: float) -> tuple[Array, Count]:
        state = {"place": jax.random.randint(key, (), 0, 2, jnp.int32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state), state

    def transition(
        self, key: Array, state: Count, action: Array, params: float
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        place = jnp.clip(state["place"] + action - 1, 0, 4).astype(jnp.int32)
        state = {"place": place, "age": state["age"] + 1}
        info = {"costs": {}, "stayed": action == 1, "place": place}
        truncated = (state["age"] >= self.episode_steps) & (place < 4)
        return self.observe(state), state, jnp.asarray(-params, jnp.float32), place >= 4, truncated, info

    def observe(self, state: Count) -> Array:
        return state["place"].astype(jnp.float32)[None]


class Untraceable(Corridor):
    """A corridor with a branch by a traced value."""

    id = "test/Untraceable-v0"

    def transition(
        self, key: Array, state: Count, action: Array, params: float
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        return super().transition(key, state, action if action > 1 else action * 0, params)


class Aiming(Environment[Count, float]):
    """Five shots at marks drawn from 1 to 3, with actions from 0 to 4: the cost is the square of the miss.

    The best return is 0; that of uniform actions is -5 (16 / 12 + 4 / 12) = -8.3 in the mean.
    """

    id = "test/Aiming-v0"
    observation_space = Box.uniform(1.0, 3.0, (1,))
    action_space = Box.uniform(0.0, 4.0, (1,))
    default_params = 1.0
    episode_steps = 5
    fields: Mapping[str, Sequence[Quantity]] = {}

    def initial(self, key: Array, params: float) -> tuple[Array, Count]:
        state = {"mark": self.draw(key), "age": jnp.zeros((), jnp.int32)}
        return state["mark"], state

    def transition(
        self, key: Array, state: Count, action: Array, params: float
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        reward = -params * jnp.sum((state["mark"] - action) ** 2)
        state = {"mark": self.draw(key), "age": state["age"] + 1}
        return state["mark"], state, reward, state["age"] >= 5, jnp.zeros((), bool), {"costs": {}}

    def draw(self, key: Array) -> Array:
        return jax.random.uniform(key, (1,), jnp.float32, 1.0, 3.0)


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Line(Controller):
    """The action is a gain times the mark that is observed, plus an offset."""

    gain: Any
    offset: Any

    def act(self, key: Array, memory: Any, observation: Array, state: Any, params: Any) -> tuple[Array, Any]:
        return self.gain * observation + self.offset, memory


@dataclass(frozen=True, kw_only=True, eq=False)
class RuledAiming(Aiming):
    """Aiming with a rule, which is best with a gain of 1 and no offset; `comment` has no bearing on it."""

    id = "test/RuledAiming-v0"
    measures = (Measure(Quantity("action", "", "-", "mean action", 0.0, 4.0), lambda info: info["action"], mean=True),)
    bonus: float = 0.0
    comment: str = ""
    folder: Path | None = None

    @property
    def tunable_rules(self) -> TunableRules:
        settings = (
            Quantity("gain", "k", "-", "gain", 0.0, 2.0, 0.5),
            Quantity("offset", "o", "-", "offset", -2.0, 2.0, 1.0),
        )
        return TunableRules(settings, lambda values: Line(**values), ("comment", "folder"), self.folder)

    def transition(
        self, key: Array, state: Count, action: Array, params: float
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        seen, state, reward, over, truncated, info = super().transition(key, state, action, params)
        return seen, state, reward + self.bonus, over, truncated, info | {"action": action[0]}


class Salary(Environment[Array, Any]):
    """A reward of 1 at each step, whatever is done, until time is up after five steps; by `params`, over after one.

    With a discount of g, the first is worth 1 / (1 - g), since a time limit is no end; the second is worth 1. The
    observation is always the same.
    """

    id = "test/Salary-v0"
    observation_space = Box.uniform(0.0, 1.0, (1,))
    action_space = Discrete(2)
    default_params = False
    episode_steps = 5
    fields: Mapping[str, Sequence[Quantity]] = {}

    def initial(self, key: Array, params: Any) -> tuple[Array, Array]:
        return jnp.ones(1, jnp.float32), jnp.zeros((), jnp.int32)

    def transition(
        self, key: Array, state: Array, action: Array, params: Any
    ) -> tuple[Array, Array, Array, Array, Array, Info]:
        age = state + 1
        one = jnp.ones((), jnp.float32)
        return one[None], age, one, jnp.asarray(params, bool), age >= self.episode_steps, {"costs": {}}
