"""The contract of every environment: pure functions of a key, a state, an action and parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Quantity
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


class Starts(NamedTuple):
    """One episode from every start that there is: parameters, along which axes they differ (as for `vmap`), labels."""

    params: Any
    axes: Any
    labels: tuple[str, ...]


class Environment(ABC, Generic[State, Params]):
    """An immutable description of a task. `jit`, `vmap` and `grad` go through `reset` and `step`.

    `step` never resets by itself. `terminated` says that the task is over, `truncated` that its time is up.
    `info["costs"]` has one named value per constraint: zero where it holds, larger the more it is violated. `params` is
    a pytree of all that may vary between episodes; without it `default_params` are compiled in, which is faster.
    """

    id: ClassVar[str]

    @property
    @abstractmethod
    def observation_space(self) -> Space: ...

    @property
    @abstractmethod
    def action_space(self) -> Space: ...

    @property
    @abstractmethod
    def default_params(self) -> Params: ...

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        """What documentation shows: "observation", "action", and any number of groups of parameters."""

    @property
    @abstractmethod
    def episode_steps(self) -> int:
        """The most steps that an episode can have."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What an episode comes to, besides its return."""
        return ()

    def starts(self, params: Params | None = None) -> Starts:
        """All starts that reset draws from; without labels where they cannot be counted."""
        return Starts(self.default_params if params is None else params, None, ())

    @abstractmethod
    def initial(self, key: Array, params: Params) -> tuple[Array, State]:
        """Observation and state at the start of an episode."""

    @abstractmethod
    def transition(
        self, key: Array, state: State, action: Array, params: Params
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        """Observation, state, reward, terminated, truncated and info one control interval later."""

    def reset(self, key: Array, params: Params | None = None) -> tuple[Array, State]:
        return self._compiled[0](key, params)

    def step(
        self, key: Array, state: State, action: Any, params: Params | None = None
    ) -> tuple[Array, State, Array, Array, Array, Info]:
        self.action_space.check(action, "action")
        action = jnp.asarray(action, self.action_space.dtype)
        return self._compiled[1](key, state, action, params)

    @cached_property
    def _compiled(self) -> tuple[Callable[..., Any], Callable[..., Any]]:
        def reset(key: Array, params: Params | None) -> Any:
            return self.initial(key, self.default_params if params is None else params)

        def step(key: Array, state: State, action: Array, params: Params | None) -> Any:
            return self.transition(key, state, action, self.default_params if params is None else params)

        return jax.jit(reset), jax.jit(step)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled"}

    def __deepcopy__(self, memo: dict[int, Any]) -> Environment[State, Params]:
        return self  # nothing in it changes
