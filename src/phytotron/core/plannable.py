"""The part of the contract for plans: by people (schedules), tuned rules, the oracle, predictive control, gradients."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError
from phytotron.core.scheduling import Scheduling, scheduled_actions
from phytotron.core.tunable import TunableRules

State = TypeVar("State")
Params = TypeVar("Params")


class Steering(NamedTuple):
    """The linear map from wanted positions and observed positions to the action, for tasks whose actions change
    positions.

    For each component, before clipping, the action is `gain * wanted + offset + slope * observation[observed]`.
    """

    gain: Any  # (components,)
    offset: Any  # (components,)
    slope: Any  # (components,)
    observed: tuple[int, ...]  # which numbers of the observation are the positions


class Plannable(Generic[State, Params]):
    """The members of `Environment` that planners use, with defaults that a task overrides where it knows better."""

    id: ClassVar[str]
    precision: str
    differentiable: ClassVar[bool] = False  # whether gradients of reward and state by a continuous action are meant
    plans_ignore: ClassVar[frozenset[str]] = frozenset()  # options that no plan depends on, such as what is observed

    @property
    def scheduling(self) -> Scheduling:
        """The quantities that a schedule, a file of dated values, can set; by default the action itself."""
        own: Any = self
        return scheduled_actions(own)

    @property
    def tunable_rules(self) -> TunableRules | None:
        """The rules of this task whose settings `phytotron tune` can tune; None where there are none."""
        return None

    def terminal_value(self, state: State, params: Params) -> Array:
        """Return the value of a state at the end of an episode, in the unit of the reward, where the task has one."""
        return jnp.zeros((), self.precision)

    def foreseen(self, key: Array, state: State, params: Params, forecast: str | float) -> Params:
        """Return the parameters with the weather after a state as a forecast has it, where the task supports forecasts.

        `forecast`: "perfect"; "persistent", where the coming days are like the last ones; or a number, the error of an
        uncertain forecast.
        """
        if forecast != "perfect":
            raise PhytotronError(f"{self.id} knows perfect forecasts only, not {forecast!r}")
        return params

    def supposed(self, key: Array, state: State, params: Params) -> State:
        """Return the state with new draws of the parameters that an episode draws and a planner cannot know.

        By default, the state is returned as it is.
        """
        return state

    def toward(self, wanted: Array, state: State) -> Array:
        """Return the action that leads to a target, or as near to it as one step can; by default the target itself.

        Targets (`wanted`) lie within the bounds of actions. Where actions change positions, a target is a position: the
        lower bound stands for the lowest position, the upper bound for the highest. Plans by gradients consist of
        targets.
        """
        return wanted

    def reached(self, action: Array, state: State) -> Array:
        """Return the target that an action leads to, the inverse of `toward`; by default the action itself."""
        return action

    @property
    def steering(self) -> Steering | None:
        """Return the rule that gives `toward` from the observation, where positions are observed; None by default.

        Agents that learn by gradients then learn which positions are wanted, while their policies still return actions.
        """
        return None

    def relaxed(self) -> Any:
        """Return the same task with continuous actions in place of its choices, for gradients; None by default."""
        return None

    def start_data(self, number: int) -> Any:
        """Return the arrays that an episode from a start depends on, such as its days of weather.

        The start is given by its number among `starts`. Stored plans are identified by these arrays; None means all
        default parameters.
        """
        return None

    def narrowed(self, params: Params) -> Params:
        """Return the parameters of one start without data that its episode never reads, such as other years."""
        return params
