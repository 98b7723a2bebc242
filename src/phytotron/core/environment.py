"""The contract of every environment: pure functions of a key, a state, an action and parameters."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import check_outcome
from phytotron.core.presentation import Baseline, Channel, Presentation, observed_channels
from phytotron.core.spaces import Space

State = TypeVar("State")
Params = TypeVar("Params")
Info = dict[str, Any]


@dataclass(frozen=True)
class Measure:
    """A number that sums up an episode: the total over its steps of something in `info`, or the mean over them."""

    quantity: Quantity
    of: Callable[[Info], Any]
    mean: bool = False

    def summed_up(self, total: Any, length: Any) -> Any:
        """The measure of an episode, from its total and the number of its steps."""
        return total / length if self.mean else total


class Starts(NamedTuple):
    """One episode from every start that there is: parameters, along which axes they differ (as for `vmap`), labels."""

    params: Any
    axes: Any
    labels: tuple[str, ...]

    @classmethod
    def along(cls, params: Any, name: str, labels: Iterable[object]) -> Starts:
        """One episode for each entry of the field of `params` that reset draws from, a record, with its labels."""
        one_each = dataclasses.replace(params, **{name: getattr(params, name)[:, None]})
        axes = dataclasses.replace(jax.tree.map(lambda _: None, params), **{name: 0})
        return cls(one_each, axes, tuple(map(str, labels)))


class Environment(ABC, Generic[State, Params]):
    """An immutable description of a task. `jit`, `vmap` and `grad` go through `reset` and `step`.

    `step` never resets by itself. `terminated` says that the task is over, `truncated` that its time is up.
    `info["costs"]` has one named value per constraint: zero where it holds, larger the more it is violated. `params` is
    a pytree of all that may vary between episodes; without it `default_params` are compiled in, which is faster.

    A task defines the abstract members. Everything above it - agents, evaluation, reports, commands - works through
    these; the other members have defaults and make a task better shown and compared. `phytotron.testing` checks them.
    """

    id: ClassVar[str]
    differentiable: ClassVar[bool] = False  # whether gradients of reward and state by a continuous action are meant

    # What a task must say

    @property
    @abstractmethod
    def observation_space(self) -> Space:
        """What observations can be."""

    @property
    @abstractmethod
    def action_space(self) -> Space:
        """What actions can be."""

    @property
    @abstractmethod
    def default_params(self) -> Params:
        """What varies between episodes, as the options of the environment have it."""

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        """What documentation shows: "observation", "action", and any number of groups of parameters."""

    @property
    @abstractmethod
    def episode_steps(self) -> int:
        """The most steps that an episode can have."""

    @abstractmethod
    def initial(self, key: Array, params: Params) -> tuple[Array, State]:
        """Observation and state at the start of an episode."""

    @abstractmethod
    def transition(
        self, key: Array, state: State, action: Array, params: Params
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        """Observation, state, reward, terminated, truncated and info one control interval later."""

    # What a task may say

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What an episode comes to, besides its return."""
        return ()

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What is recorded of every step and drawn; by default the observation and the action."""
        return observed_channels(self.fields, self.action_space)

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        """Controllers of this task by name, besides those that suit any ("random", "off")."""
        return {}

    @property
    def presentation(self) -> Presentation:
        """How the task is shown."""
        seen = tuple(each.name for each in self.channels[:6])
        return Presentation(self.id, compare=(*self.baselines,) or ("random",), zoomed=seen)

    @classmethod
    def options_from(cls, configuration: Mapping[str, Any]) -> dict[str, Any]:
        """Options by name, from a configuration that may call them as the task was published."""
        return dict(configuration)

    def starts(self, params: Params | None = None) -> Starts:
        """All starts that reset draws from; without labels where they cannot be counted."""
        return Starts(self.default_params if params is None else params, None, ())

    @property
    def weather_name(self) -> str | None:
        """The name of the weather that reset draws from, or of other data, where it has one."""
        return None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of its weather that `on` takes, such as ("train", "validation", "test")."""
        return ()

    def on(self, weather: str) -> Environment[State, Params]:
        """The same task on a part of its weather, or on other weather by name."""
        raise PhytotronError(f"{self.id} has no parts of weather such as {weather!r}; evaluate it as it is")

    def recorded(self) -> Environment[State, Params]:
        """The same task, whose state holds what `render` shows besides the present."""
        return self

    def render(self, state: State, params: Params) -> Any:
        """A picture of a state, an array (height, width, 3) of bytes."""
        raise PhytotronError(f"{self.id} cannot be drawn; make it without a render mode")

    def reason(self, info: Info) -> str:
        """Why a step terminated the episode, in words; empty where there is nothing to say."""
        return ""

    # What every task has

    def reset(self, key: Array, params: Params | None = None) -> tuple[Array, State]:
        """Observation and state at the start of an episode, compiled."""
        return self._compiled[0](key, params)

    def step(
        self, key: Array, state: State, action: Any, params: Params | None = None
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        """Observation, state, reward, terminated, truncated and info one control interval later, compiled."""
        self.action_space.check(action, "action")
        action = jnp.asarray(action, self.action_space.dtype)
        return self._compiled[1](key, state, action, params)

    @cached_property
    def _compiled(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        with jax.ensure_compile_time_eval():  # a copy that was unpickled may be traced before it has computed them
            defaults = self.default_params

        def reset(key: Array, params: Params | None) -> Any:
            return self.initial(key, defaults if params is None else params)

        def step(key: Array, state: State, action: Array, params: Params | None) -> Any:
            outcome = self.transition(key, state, action, defaults if params is None else params)
            check_outcome(self.id, state, outcome)
            return outcome

        return jax.jit(reset), jax.jit(step)

    def kept(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What was made for this very environment before, such as compiled functions; made now where it was not."""
        held = self.__dict__.setdefault("_kept", {})
        if name not in held:
            held[name] = make()
        return held[name]

    def __getstate__(self) -> dict[str, Any]:
        """The options alone: what was computed from them, such as compiled functions, is computed again."""
        kinds = type(self).__mro__
        computed = {name for kind in kinds for name, each in vars(kind).items() if isinstance(each, cached_property)}
        return {name: value for name, value in self.__dict__.items() if name not in computed | {"_kept"}}

    def __deepcopy__(self, memo: dict[int, Any]) -> Environment[State, Params]:
        return self  # nothing in it changes
