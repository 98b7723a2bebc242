"""Actuators that move slowly: an action changes their positions, each by a share of its range at most."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.controllers.base import Constant
from phytotron.core.arrays import cast, soft_clip
from phytotron.core.data_channels import with_state
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity, quantities, stack, unstack
from phytotron.core.plannable import Steering
from phytotron.core.presentation import Baseline, Channel, Competitor
from phytotron.core.scheduling import Scheduling, Wanted, first_known

State = TypeVar("State")
Params = TypeVar("Params")


@dataclass(frozen=True)
class SlowActuators:
    """Actuators whose positions are the quantities of a record, within their bounds.

    An action has one number in [-1, 1] per actuator: the change of its position, in units of `share` of its range.
    """

    positions: type[Any]
    share: float

    def __post_init__(self) -> None:
        """Refuse actuators that cannot be moved."""
        if not 0.0 < self.share <= 1.0:
            raise ValueRangeError("share of an actuator's range", self.share, "above 0, up to 1")
        for q in self.known:
            if not -np.inf < q.low < q.high < np.inf:
                raise ValueRangeError(f"the range of {q.name}", (q.low, q.high), "two finite numbers, the lower first")

    @cached_property
    def known(self) -> tuple[Quantity, ...]:
        """The quantities of the positions."""
        return tuple(quantities(self.positions))

    @cached_property
    def _bounds(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The lowest and the highest positions, and their largest changes in one step."""
        low, high = np.array([(q.low, q.high) for q in self.known]).T
        return low, high, self.share * (high - low)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the action."""
        units = [f"{most:g} {q.unit}".removesuffix(" -") for q, most in zip(self.known, self._bounds[2], strict=True)]
        return tuple(
            Quantity(f"{q.name}_change", f"Δ{q.symbol}", unit, q.description, -1.0, 1.0)
            for q, unit in zip(self.known, units, strict=True)
        )

    def moved(self, before: Any, action: Array) -> Any:
        """Return the positions after an action; NaN counts as 0, and values beyond the bounds are clipped."""
        held = stack(before)
        low, high, largest = cast(self._bounds, str(held.dtype))
        move = jnp.clip(jnp.where(jnp.isnan(action), 0.0, action), -1.0, 1.0).astype(held.dtype)
        return unstack(self.positions, jnp.clip(held + move * largest, low, high))

    def action(self, wanted: Any, now: Any) -> Array:
        """Return the action that moves the actuators to wanted positions, or as near to them as one step can."""
        held = stack(now)
        low, high, largest = cast(self._bounds, str(held.dtype))
        return soft_clip((jnp.clip(stack(wanted), low, high) - held) / largest).astype(held.dtype)

    def toward(self, wanted: Array, now: Any) -> Array:
        """Return the action that comes nearest to positions, where -1 is the lowest and 1 the highest."""
        low, high, _ = cast(self._bounds, str(stack(now).dtype))
        return self.action(unstack(self.positions, low + 0.5 * (wanted + 1.0) * (high - low)), now)

    def reached(self, action: Array, now: Any) -> Array:
        """Return the positions that an action leads to, where -1 is the lowest and 1 the highest."""
        after = stack(self.moved(now, action))
        low, high, _ = cast(self._bounds, str(after.dtype))
        return 2.0 * (after - low) / (high - low) - 1.0

    def steering(self, observed: Sequence[str]) -> Steering:
        """Return the map from wanted and observed positions to the action; `observed` names the observation."""
        hidden = [q.name for q in self.known if q.name not in observed]
        if hidden:
            raise PhytotronError(f"the observation lacks {', '.join(hidden)}; observe the positions of all actuators")
        low, high, largest = self._bounds
        gain = 0.5 * (high - low) / largest
        return Steering(gain, gain + low / largest, -1.0 / largest, tuple(observed.index(q.name) for q in self.known))

    def channels(self, part: str) -> tuple[Channel, ...]:
        """Return the channels of the positions during a step; `part` is the name of the record in the state."""
        return tuple(Channel(q, attrgetter(f"after.{part}.{q.name}"), "control") for q in self.known)

    def scheduling(self, now: Callable[[Any], Any]) -> Scheduling:
        """Return a schedule of wanted positions, which stay as they are where it has no value.

        `now` returns the positions in a state.
        """

        def act(wanted: Wanted, state: Any, params: Any) -> Array:
            held = {q.name: first_known(wanted, q.name, getattr(now(state), q.name)) for q in self.known}
            return self.action(self.positions(**held), now(state))

        return Scheduling(self.known, act, left_alone="held")


class SlowlyActuated(Environment[State, Params]):
    """A task with slow actuators: the field `control` of its state holds their positions, and all are observed."""

    actuators: ClassVar[SlowActuators]

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The recorded channels: the observation at the start of a step, and the actuators during it."""
        moved = {each.name: each for each in self.actuators.channels("control")}
        observed = [moved.pop(each.name, each) for each in super().channels if each.group != "control"]
        return (*observed, *moved.values())

    @cached_property
    def data_channels(self) -> tuple[Channel, ...]:
        return with_state(self, self.channels, without=("control",))

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        """The actuators held as they are at the start."""
        held = Constant(np.zeros(len(self.actuators.known), self.precision))
        return {"constant": lambda _: Competitor("constant", "actuators as at the start", self, (held,))}

    @property
    def scheduling(self) -> Scheduling:
        """The wanted positions of the actuators, in their units; without a value they stay as they are."""
        return self.actuators.scheduling(attrgetter("control"))

    def toward(self, wanted: Array, state: Any) -> Array:
        return self.actuators.toward(wanted, state.control)

    def reached(self, action: Array, state: Any) -> Array:
        return self.actuators.reached(action, state.control)

    @property
    def steering(self) -> Steering:
        return self.actuators.steering(self.observation_space.names)
