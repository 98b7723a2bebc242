"""The contract of every environment: pure functions of a key, a state, an action and parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.compilation import Immutable
from phytotron.core.data_channels import with_state
from phytotron.core.errors import PhytotronError, RenderingError
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import Info, Measure, Starts
from phytotron.core.plannable import Plannable
from phytotron.core.presentation import Baseline, Channel, Presentation, observed_channels
from phytotron.core.spaces import Box, Space
from phytotron.core.stepping import compiled

__all__ = ["Environment", "Info", "Measure", "Starts"]

State = TypeVar("State")
Params = TypeVar("Params")


class Environment(Plannable[State, Params], Immutable, ABC, Generic[State, Params]):
    """An immutable description of a task. `jit`, `vmap` and `grad` go through `reset` and `step`.

    `step` never resets by itself. `terminated` says that the task is over, `truncated` that its time is up.
    `info["costs"]` has one named value per constraint: zero where it holds, larger the more it is violated. `params` is
    a pytree of all that may vary between episodes; without it `default_params` are compiled in, which is faster.

    A task defines the abstract members. Everything above it - agents, evaluation, reports, commands - works through
    these; the other members, here and in `Plannable`, have defaults and make a task better shown, compared and planned
    for. `phytotron.testing` checks them.
    """

    id: ClassVar[str]  # owner, name and version, such as "owner/Name-v0"
    narrowing: ClassVar[tuple[str, ...]] = ()  # options that choose among the starts of one part of its weather
    precision: str = "float32"  # of its floating-point numbers

    # What a task must say

    @property
    @abstractmethod
    def default_params(self) -> Params:
        """The parameters that vary between episodes, with the values that follow from the options of the task."""

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        """The quantity of each component: groups "observation" and "action", and any number of groups of parameters."""

    @property
    @abstractmethod
    def episode_steps(self) -> int:
        """The largest number of steps that an episode can have."""

    @abstractmethod
    def initial(self, key: Array, params: Params) -> tuple[Array, State]:
        """Return the observation and state at the start of an episode."""

    @abstractmethod
    def transition(
        self, key: Array, state: State, action: Array, params: Params
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        """Return the observation, state, reward, terminated, truncated and info one control interval later."""

    # What a task may say

    @property
    def observation_space(self) -> Space:
        """The space of observations; by default a `Box` of the ranges in `fields`."""
        return self.kept("observation space", lambda: Box.of_group(self.fields, "observation", self.precision))

    @property
    def action_space(self) -> Space:
        """The space of actions; by default a `Box` of the ranges in `fields`."""
        return self.kept("action space", lambda: Box.of_group(self.fields, "action", self.precision))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures of an episode besides its return."""
        return ()

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that are recorded of every step and drawn; by default the observation and the action."""
        return observed_channels(self.fields, self.action_space)

    @property
    def data_channels(self) -> tuple[Channel, ...]:
        """The channels that files of data hold of every step; by default `channels` and every number in the state."""
        return self.kept("data channels", lambda: with_state(self, self.channels))

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        """Controllers of this task by name, in addition to those that suit any task ("random", "off")."""
        return {}

    @property
    def presentation(self) -> Presentation:
        """The titles, units, baselines and figures by which the task is shown."""
        first = tuple(each.name for each in self.channels[:6])
        return Presentation(self.id, compare=(*self.baselines,) or ("random",), zoomed=first)

    @classmethod
    def options_from(cls, configuration: Mapping[str, Any]) -> dict[str, Any]:
        """Return options by name, from a configuration that may use the names under which the task was published."""
        return dict(configuration)

    def starts(self, params: Params | None = None) -> Starts:
        """Return all starts that `reset` draws from; without labels where they cannot be counted."""
        return Starts(self.default_params if params is None else params, None, ())

    def start_of(self, state: State) -> str | None:
        """Return the label, among those of `starts`, of the episode of a state; None where starts have no labels."""
        return None

    def date(self, state: State) -> np.datetime64 | None:
        """Return the time of a state, in UTC; None for a task without a calendar."""
        return None

    @property
    def weather_name(self) -> str | None:
        """The name of the weather, or of other data, that `reset` draws from; None where it has no name."""
        return None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of its weather that `on` takes, such as ("train", "validation", "test")."""
        return ()

    def on(self, weather: str) -> Environment[State, Params]:
        """Return the same task on a part of its weather, or on other weather by name."""
        raise PhytotronError(f"{self.id} has no parts of weather such as {weather!r}; evaluate it as it is")

    def recorded(self) -> Environment[State, Params]:
        """Return the same task with a state that also holds the past that `render` shows."""
        return self

    def render(self, state: State, params: Params) -> Any:
        """Return a picture of a state, (height, width, 3) bytes; without one, adapters draw the channels."""
        raise RenderingError(f"{self.id} has no picture of its own; adapters of Gymnasium draw its channels")

    def reason(self, info: Info) -> str:
        """Return the reason why a step terminated the episode, in words; empty where there is none."""
        return ""

    # What every task has

    _compiled = cached_property(compiled)

    def reset(self, key: Array, params: Params | None = None) -> tuple[Array, State]:
        """Return the observation and state at the start of an episode, compiled."""
        return self._compiled[0](key, params)

    def step(
        self, key: Array, state: State, action: Any, params: Params | None = None
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        """Return the results of `transition`, compiled; an action that is not finite, or no choice, is refused."""
        self.action_space.check(action, "action")
        action = jnp.asarray(action, self.action_space.dtype)
        return self._compiled[1](key, state, action, params)
