"""The part of the contract that planners use: the oracle, predictive control, and agents that learn by gradients."""

from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError

State = TypeVar("State")
Params = TypeVar("Params")


class Steering(NamedTuple):
    """The action of a task whose actions change positions, as a function of the positions that are wanted and observed.

    Component by component, and before it is clipped, it is `gain * wanted + offset + slope * observation[observed]`.
    """

    gain: Any  # (components,)
    offset: Any  # (components,)
    slope: Any  # (components,)
    observed: tuple[int, ...]  # which numbers of the observation are the positions


class Plannable(Generic[State, Params]):
    """Members of `Environment` that plans are made with. Each has a default; a task says what it knows better."""

    id: ClassVar[str]
    precision: str
    differentiable: ClassVar[bool] = False  # whether gradients of reward and state by a continuous action are meant
    plans_ignore: ClassVar[frozenset[str]] = frozenset()  # options that no plan depends on, such as what is observed

    def terminal_value(self, state: State, params: Params) -> Array:
        """Return the value of a state at the end of an episode, in the unit of the reward, where the task has one."""
        return jnp.zeros((), self.precision)

    def foreseen(self, key: Array, state: State, params: Params, forecast: str | float) -> Params:
        """Return the parameters with the weather after a state as a forecast has it, where the task knows forecasts.

        `forecast`: "perfect"; "persistent", every day to come like the last ones; or the error of an uncertain one.
        """
        if forecast != "perfect":
            raise PhytotronError(f"{self.id} knows perfect forecasts only, not {forecast!r}")
        return params

    def supposed(self, key: Array, state: State, params: Params) -> State:
        """Return a state in which parameters that an episode draws, and nobody knows, are drawn anew.

        By default the state.
        """
        return state

    def toward(self, wanted: Array, state: State) -> Array:
        """Return the action that brings about what is wanted, or comes as near to it as one step can; by default
        `wanted`.

        What is wanted lies within the bounds of actions. Where actions change positions, it stands for positions: the
        lower bound for the lowest, the upper bound for the highest. Plans by gradients are made in these terms.
        """
        return wanted

    def reached(self, action: Array, state: State) -> Array:
        """Return the target that an action leads to, in the terms of `toward`; by default the action."""
        return action

    @property
    def steering(self) -> Steering | None:
        """Return how `toward` follows from the observation, where positions are observed; by default there is nothing
        to say.

        Agents that learn by gradients then learn which positions are wanted, and their policies still give actions.
        """
        return None

    def relaxed(self) -> Any:
        """Return the same task with any number between its choices as an action, for gradients.

        By default there is none.
        """
        return None

    def start_data(self, number: int) -> Any:
        """Return arrays that an episode from a start, by its number among `starts`, depends on: its days of weather,
        for one.

        Plans are kept by them. None: by all default parameters.
        """
        return None
