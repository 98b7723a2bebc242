"""Decisions in a field: the amount of nitrogen, and optionally the amount of water and whether to measure the crop."""

import itertools
from collections.abc import Mapping, Sequence
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
OF_CROPS = tuple(
    (f"nitrogen_{n}", f"N_applied{n}", "kg ha-1", f"nitrogen in the fertiliser, beside the rows of crop {n}")
    for n in (1, 2)
)
IRRIGATION = ("irrigation", "irrigate", "mm", "irrigation water, before losses")
MEASURE = ("measure", "measure", "-", "1 to have the crop measured at the end of the interval")


@dataclass(frozen=True)
class Continuous:
    """Any amount from 0 to the largest; values outside are clipped."""

    largest: float

    def __post_init__(self) -> None:
        if not (isinstance(self.largest, Real) and 0.0 < self.largest <= LARGEST):
            raise ValueRangeError("Continuous", self.largest, f"a largest amount above 0 and up to {LARGEST:g}")


Amounts = Continuous | tuple[float, ...]


class Decision(NamedTuple):
    """The amounts that an action stands for, in the units of the farm."""

    nitrogen: Array  # kg ha-1; with doses per crop (..., 2), those of each crop
    irrigation: Array  # mm
    measure: Array  # 0 or 1


@dataclass(frozen=True)
class ActionProcessing:
    """The conversion of actions to amounts.

    Ladders of amounts make a `Discrete` space whose number counts the nitrogen fastest (that of the first crop before
    that of the second), then the irrigation, then whether to measure; continuous amounts make a `Box` of one component
    each. `per_crop`: one dose beside the rows of each of two crops, in kg per ha of the field, instead of one for all.
    """

    nitrogen: Amounts = DOSES
    irrigation: Amounts | None = None
    measurement: bool = False
    per_crop: bool = False

    def __post_init__(self) -> None:
        kinds = {isinstance(each, Continuous) for each in (self.nitrogen, self.irrigation) if each is not None}
        if len(kinds) != 1:
            raise PhytotronError("doses and irrigation must both be ladders of amounts or both be Continuous")

    @property
    def continuous(self) -> bool:
        """Return whether actions are amounts, and not numbers of choices."""
        return isinstance(self.nitrogen, Continuous)

    @cached_property
    def _amounts(self) -> dict[str, Amounts]:
        """What each component of a decision can be; of choices, the first varies fastest."""
        doses = OF_CROPS if self.per_crop else (NITROGEN,)
        found: dict[str, Amounts] = {name: self.nitrogen for name, *_ in doses}
        if self.irrigation is not None:
            found["irrigation"] = self.irrigation
        if self.measurement:
            found["measure"] = (0.0, 1.0)
        return found

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """One quantity per component of a decision."""
        known = {text[0]: text for text in (NITROGEN, *OF_CROPS, IRRIGATION, MEASURE)}
        return tuple(Quantity(*known[name], 0.0, _largest(amounts)) for name, amounts in self._amounts.items())

    @property
    def ladders(self) -> dict[str, tuple[float, ...]]:
        """The possible amounts of each component, where not all amounts are possible."""
        return {name: each for name, each in self._amounts.items() if not isinstance(each, Continuous)}

    def space(self, precision: str) -> Box | Discrete:
        """Return the action space."""
        if self.continuous:
            return Box.of(self.quantities, precision)
        ladders: Any = reversed(self._amounts.values())
        names = [self._words(choice[::-1]) for choice in itertools.product(*ladders)]
        return Discrete(len(names), tuple(names))

    def _words(self, amounts: Sequence[float]) -> str:
        named = dict(zip(self._amounts, amounts, strict=True))
        doses = " and ".join(f"{amount:g}" for name, amount in named.items() if name.startswith("nitrogen"))
        water = f", {named['irrigation']:g} mm" if "irrigation" in named else ""
        return f"{doses} kg/ha{water}{', measured' if named.get('measure') else ''}"

    def decision(self, action: Array, precision: str) -> Decision:
        """Return the amounts that an action stands for; NaN counts as 0, values beyond the bounds are clipped."""
        named = self._bounded(action, precision) if self.continuous else self._looked_up(action, precision)
        doses = [named[name] for name in named if name.startswith("nitrogen")]
        nothing = jnp.zeros_like(doses[0])
        measure = (named.get("measure", nothing) >= MEASURED_FROM).astype(precision)
        nitrogen = jnp.stack(doses, axis=-1) if self.per_crop else doses[0]
        return Decision(nitrogen, named.get("irrigation", nothing), measure)

    def _bounded(self, action: Array, precision: str) -> dict[str, Array]:
        return {
            q.name: jnp.clip(jnp.where(jnp.isnan(value), 0.0, value), 0.0, q.high).astype(precision)
            for q, value in zip(self.quantities, jnp.moveaxis(action, -1, 0), strict=True)
        }

    def _looked_up(self, action: Array, precision: str) -> dict[str, Array]:
        found, rest = {}, action
        for name, ladder in self._amounts.items():
            values = jnp.asarray(ladder, precision)
            found[name] = values[rest % len(values)]
            rest = rest // len(values)
        return found

    def action(self, nitrogen: Any, irrigation: Any = 0.0, measure: Any = 0.0, precision: str = "float32") -> Array:
        """Return the action that comes nearest to the wanted amounts.

        Where there are doses per crop, each gets half of the nitrogen.
        """
        wanted = {"nitrogen": nitrogen, "irrigation": irrigation, "measure": measure}
        wanted |= {name: 0.5 * jnp.asarray(nitrogen) for name, *_ in OF_CROPS if self.per_crop}
        return self.action_of(wanted, precision)

    def action_of(self, wanted: Mapping[str, Any], precision: str = "float32") -> Array:
        """Return the action that comes nearest to amounts, given by the name of the components of a decision."""
        if self.continuous:
            parts = [jnp.clip(jnp.asarray(wanted[q.name], precision), 0.0, q.high) for q in self.quantities]
            return jnp.stack(jnp.broadcast_arrays(*parts), axis=-1)
        number, factor = jnp.zeros((), jnp.int32), 1
        for name, ladder in self._amounts.items():
            values = jnp.asarray(ladder)
            distance = jnp.abs(values - jnp.asarray(wanted[name])[..., None])
            number = number + factor * jnp.argmin(distance, axis=-1).astype(jnp.int32)
            factor *= len(values)
        return number


def _largest(amounts: Amounts) -> float:
    return float(amounts.largest if isinstance(amounts, Continuous) else amounts[-1])


def choose_amounts(choice: Continuous | Sequence[float], what: str) -> Amounts:
    """Return a ladder of amounts, or any amount up to the largest; impossible choices are refused.

    A ladder begins with 0, since controllers, and the run without nitrogen, must be able to give nothing.
    """
    if isinstance(choice, Continuous):
        return choice
    expected = (
        f"amounts from 0 to {LARGEST:g}, the first of them 0, each larger than the one before, or Continuous(largest)"
    )
    try:
        ladder = tuple(float(each) for each in choice)
    except (TypeError, ValueError):
        raise ValueRangeError(what, choice, expected) from None
    rising = bool(np.all(np.diff(ladder) > 0.0)) and all(0.0 <= amount <= LARGEST for amount in ladder)
    if isinstance(choice, str | bytes | Mapping) or not ladder or ladder[0] != 0.0 or not rising:
        raise ValueRangeError(what, choice, expected)
    return ladder
