"""Control processing: which actuators an action moves, how, and how the others are moved."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import cast, soft_clip
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity, names, quantities
from phytotron.models.greenlight import Control

LEARNED = ("boiler", "co2_injection", "thermal_screen", "roof_vent")  # as in GreenLight-Gym
NOT_INSTALLED = ("interlamp", "grow_pipe_boiler")  # off unless an action moves them
MODES = ("absolute", "rate")


@dataclass(frozen=True)
class ControlProcessing:
    """The conversion of an action in [-1, 1] to the positions of all actuators.

    `actuators` are those that the action moves; the grower's rules move the others (hybrid control), apart from
    inter-lamps and grow pipes, which are off. "absolute": the action is the position, -1 its lower and 1 its upper
    bound. "rate": the action is a change of the position, 1 being `max_change` per control interval. `bounds` limit the
    positions of single actuators, whether the action moves them or not; by default they are 0 and 1.
    """

    actuators: tuple[str, ...] = LEARNED
    mode: str = "absolute"
    max_change: float = 0.1  # of the actuator's range, per control interval
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if isinstance(self.actuators, str) or not self.actuators or len(set(self.actuators)) != len(self.actuators):
            raise ValueRangeError("actuators", self.actuators, "one or more names, each once")
        for name in (*self.actuators, *self.bounds):
            if name not in names(Control):
                raise UnknownNameError("actuator", name, names(Control))
        if self.mode not in MODES:
            raise UnknownNameError("mode of control", self.mode, MODES)
        if not (isinstance(self.max_change, Real) and 0.0 < self.max_change <= 1.0):
            raise ValueRangeError("max_change", self.max_change, "above 0 and up to 1")
        for name, limits in self.bounds.items():
            if not (isinstance(limits, tuple) and len(limits) == 2 and 0.0 <= limits[0] < limits[1] <= 1.0):
                raise ValueRangeError(f"the bounds of {name}", limits, "a pair (low, high) with 0 <= low < high <= 1")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.actuators, self.mode, self.max_change, dict(self.bounds))

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """One quantity per actuator that the action moves."""
        known = {q.name: q for q in quantities(Control)}
        what = "change of: " if self.mode == "rate" else ""
        return tuple(
            Quantity(name, known[name].symbol, "-", what + known[name].description, -1.0, 1.0)
            for name in self.actuators
        )

    def limits(self, name: str) -> tuple[float, float]:
        """Return the lowest and highest position of an actuator."""
        return self.bounds.get(name, (0.0, 1.0))

    def control(self, action: Array, before: Control, ruled: Control) -> Control:
        """Return the positions during an interval, from the action, the positions before it and those of the rules.

        NaN counts as -1, values beyond the bounds are clipped.
        """
        bounded = jnp.clip(jnp.where(jnp.isnan(action), -1.0, action), -1.0, 1.0)
        positions = {}
        for name in names(Control):
            low, high = self.limits(name)
            if name in self.actuators:
                moved = bounded[..., self.actuators.index(name)]
                if self.mode == "absolute":
                    wanted = low + 0.5 * (moved + 1.0) * (high - low)
                else:
                    wanted = getattr(before, name) + moved * self.max_change * (high - low)
            elif name in NOT_INSTALLED:
                wanted = jnp.zeros_like(bounded[..., 0])
            else:
                wanted = getattr(ruled, name)
            positions[name] = jnp.clip(wanted, low, high)
        return Control(**positions)

    def action(self, wanted: Control, before: Control) -> Array:
        """Return the action that moves its actuators to the wanted positions, or as near to them as possible."""
        parts = []
        for name in self.actuators:
            low, high = self.limits(name)
            position = getattr(wanted, name)
            if self.mode == "absolute":
                parts.append(2.0 * (position - low) / (high - low) - 1.0)
            else:
                parts.append((position - getattr(before, name)) / (self.max_change * (high - low)))
        return soft_clip(jnp.stack([jnp.asarray(part) for part in parts], axis=-1))

    def toward(self, wanted: Array, before: Control) -> Array:
        """Return the action that comes nearest to positions, where -1 is the lowest and 1 the highest."""
        if self.mode == "absolute":
            return wanted
        low, span = cast(self._spans, str(wanted.dtype))
        change = low + 0.5 * (wanted + 1.0) * span - self._positions(before)
        return soft_clip(change / (self.max_change * span)).astype(wanted.dtype)

    def reached(self, action: Array, before: Control) -> Array:
        """Return the positions that an action leads to, where -1 is the lowest and 1 the highest."""
        if self.mode == "absolute":
            return action
        low, span = cast(self._spans, str(action.dtype))
        after = self._positions(self.control(action, before, before))
        return (2.0 * (after - low) / span - 1.0).astype(action.dtype)

    def _positions(self, control: Control) -> Array:
        return jnp.stack([jnp.asarray(getattr(control, name)) for name in self.actuators], axis=-1)

    @cached_property
    def _spans(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lowest positions of the learned actuators, and how far the highest ones are from these."""
        low, high = np.array([self.limits(name) for name in self.actuators]).T
        return low, high - low


def control_processing(choice: ControlProcessing | tuple[str, ...] | list[str] | str) -> ControlProcessing:
    """Return the processing that an option stands for: an object, the names of the learned actuators, or "all"."""
    if isinstance(choice, ControlProcessing):
        return choice
    if choice == "all":
        return ControlProcessing(tuple(name for name in names(Control) if name not in NOT_INSTALLED))
    if isinstance(choice, str):
        raise PhytotronError(f"actuators is {choice!r}; expected 'all', a list of names, or a ControlProcessing")
    return ControlProcessing(tuple(choice))
