"""What the farmer decides on a shared field: one dose for the field, or one for the rows of each crop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.field.doses import NITROGEN, Amounts, Continuous, largest


@dataclass(frozen=True)
class FieldActions:
    """How actions become doses of the two crops [kg per ha of the field].

    Ladders make a `Discrete` space, in which the dose of the first crop counts fastest; continuous doses make a `Box`.
    """

    amounts: Amounts
    per_crop: bool

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        name, symbol, unit, meaning = NITROGEN
        high = largest(self.amounts)
        if not self.per_crop:
            return (Quantity(name, symbol, unit, f"{meaning}, over the field", 0.0, high),)
        return tuple(
            Quantity(f"{name}_{n}", f"{symbol}{n}", unit, f"{meaning}, beside the rows of crop {n}", 0.0, high)
            for n in (1, 2)
        )

    def space(self, precision: str) -> Box | Discrete:
        if isinstance(self.amounts, Continuous):
            return Box.of(self.quantities, precision)
        names = [f"{dose:g} kg/ha" for dose in self.amounts]
        if self.per_crop:
            names = [f"{one:g} and {two:g} kg/ha" for two in self.amounts for one in self.amounts]
        return Discrete(len(names), tuple(names))

    def doses(self, action: Array, precision: str) -> Array:
        """The doses (2,) that an action stands for; NaN counts as 0, values beyond the bounds are clipped.

        A dose for the whole field counts half for each crop.
        """
        if isinstance(self.amounts, Continuous):
            each = jnp.clip(jnp.where(jnp.isnan(action), 0.0, action), 0.0, self.amounts.largest).astype(precision)
            return each if self.per_crop else jnp.concatenate([each, each]) / 2.0
        ladder = jnp.asarray(self.amounts, precision)
        if not self.per_crop:
            return jnp.stack([ladder[action], ladder[action]]) / 2.0
        return jnp.stack([ladder[action % len(self.amounts)], ladder[action // len(self.amounts)]])
