"""What the farmer decides: how much nitrogen, and if wanted how much water and whether to measure the crop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete

DOSES = (0.0, 20.0, 40.0)  # kg ha-1, Kallenberg et al. 2023
LARGEST = 1e4  # kg ha-1 or mm: what makes sense at all
MEASURED_FROM = 0.5  # of a continuous action

NITROGEN = ("nitrogen", "N_applied", "kg ha-1", "nitrogen in the fertiliser")
IRRIGATION = ("irrigation", "irrigate", "mm", "irrigation water, before losses")
MEASURE = ("measure", "measure", "-", "1 to have the crop measured at the end of the interval")


@dataclass(frozen=True)
class Continuous:
    """Any amount from 0 to the largest; beyond, it is clipped."""

    largest: float

    def __post_init__(self) -> None:
        if not (isinstance(self.largest, Real) and 0.0 < self.largest <= LARGEST):
            raise ValueRangeError("Continuous", self.largest, f"a largest amount above 0 and up to {LARGEST:g}")


Amounts = Continuous | tuple[float, ...]


class Decision(NamedTuple):
    """In the units of the farm."""

    nitrogen: Array  # kg ha-1
    irrigation: Array  # mm
    measure: Array  # 0 or 1


@dataclass(frozen=True)
class ActionProcessing:
    """How actions become amounts.

    Ladders of amounts make a `Discrete` space whose number counts the nitrogen fastest, then the irrigation, then
    whether to measure; continuous amounts make a `Box` of one component each.
    """

    nitrogen: Amounts = DOSES
    irrigation: Amounts | None = None
    measurement: bool = False

    def __post_init__(self) -> None:
        kinds = {isinstance(each, Continuous) for each in (self.nitrogen, self.irrigation) if each is not None}
        if len(kinds) != 1:
            raise PhytotronError("doses and irrigation must both be ladders of amounts or both be Continuous")

    @property
    def continuous(self) -> bool:
        return isinstance(self.nitrogen, Continuous)

    @cached_property
    def ladders(self) -> tuple[tuple[float, ...], ...]:
        """The choices of every component, of which the first varies fastest."""
        irrigation = (0.0,) if self.irrigation is None else self.irrigation
        measure = (0.0, 1.0) if self.measurement else (0.0,)
        return self.nitrogen, irrigation, measure  # type: ignore[return-value]

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """One per component of a decision."""
        described = [Quantity(*NITROGEN, 0.0, largest(self.nitrogen))]
        if self.irrigation is not None:
            described.append(Quantity(*IRRIGATION, 0.0, largest(self.irrigation)))
        if self.measurement:
            described.append(Quantity(*MEASURE, 0.0, 1.0))
        return tuple(described)

    def space(self, precision: str) -> Box | Discrete:
        if self.continuous:
            return Box.of(self.quantities, precision)
        names = [f"{dose:g} kg/ha" for dose in self.ladders[0]]
        if self.irrigation is not None:
            names = [f"{name}, {water:g} mm" for water in self.ladders[1] for name in names]
        if self.measurement:
            names = [f"{name}{end}" for end in ("", ", measured") for name in names]
        return Discrete(len(names), tuple(names))

    def decision(self, action: Array, precision: str) -> Decision:
        """The amounts that an action stands for; NaN counts as 0, values beyond the bounds are clipped."""
        if self.continuous:
            named = dict(zip((q.name for q in self.quantities), jnp.moveaxis(action, -1, 0), strict=True))
            known = {q.name: q for q in self.quantities}
            bounded = {
                name: jnp.clip(jnp.where(jnp.isnan(value), 0.0, value), 0.0, known[name].high).astype(precision)
                for name, value in named.items()
            }
            nothing = jnp.zeros_like(bounded["nitrogen"])
            measure = (bounded.get("measure", nothing) >= MEASURED_FROM).astype(precision)
            return Decision(bounded["nitrogen"], bounded.get("irrigation", nothing), measure)
        amounts, rest = [], action
        for ladder in self.ladders:
            amounts.append(jnp.asarray(ladder, precision)[rest % len(ladder)])
            rest = rest // len(ladder)
        return Decision(*amounts)

    def action(self, nitrogen: Any, irrigation: Any = 0.0, measure: Any = 0.0, precision: str = "float32") -> Array:
        """The action that comes nearest to the amounts wanted."""
        if self.continuous:
            wanted = {"nitrogen": nitrogen, "irrigation": irrigation, "measure": measure}
            parts = [jnp.clip(jnp.asarray(wanted[q.name], precision), 0.0, q.high) for q in self.quantities]
            return jnp.stack(jnp.broadcast_arrays(*parts), axis=-1)
        number, factor = jnp.zeros((), jnp.int32), 1
        for ladder, amount in zip(self.ladders, (nitrogen, irrigation, measure), strict=True):
            distance = jnp.abs(jnp.asarray(ladder) - jnp.asarray(amount)[..., None])
            number = number + factor * jnp.argmin(distance, axis=-1).astype(jnp.int32)
            factor *= len(ladder)
        return number


def largest(amounts: Amounts) -> float:
    return float(amounts.largest if isinstance(amounts, Continuous) else amounts[-1])


def amounts(choice: Continuous | Sequence[float], what: str) -> Amounts:
    """A ladder of amounts, or any amount up to the largest; what cannot be is refused."""
    if isinstance(choice, Continuous):
        return choice
    expected = f"amounts from 0 to {LARGEST:g}, each larger than the one before, or Continuous(largest)"
    try:
        ladder = tuple(float(each) for each in choice)
    except (TypeError, ValueError):
        raise ValueRangeError(what, choice, expected) from None
    rising = bool(np.all(np.diff(ladder) > 0.0))
    if isinstance(choice, str) or not ladder or not all(map(math.isfinite, ladder)) or not rising:
        raise ValueRangeError(what, choice, expected)
    if ladder[0] < 0.0 or ladder[-1] > LARGEST:
        raise ValueRangeError(what, choice, expected)
    return ladder
