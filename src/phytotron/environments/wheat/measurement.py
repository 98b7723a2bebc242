"""Knowing the crop has a price: measurements that are ordered and paid, or that are uncertain.

Kallenberg et al. 2023, section 4, propose to let the agent choose between paying for a measurement and doing without.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.environments.observing import Observer
from phytotron.environments.wheat.observations import Situation

# What takes a visit to the field or a laboratory; stage, rain and transpiration follow from the weather.
FEATURES = ("total_growth", "leaf_area_index", "nitrogen_uptake", "soil_nitrogen", "grain_mass")
FLAG = Quantity("measured", "measured", "-", "1 where the crop was measured this time", 0.0, 1.0)


@dataclass(frozen=True)
class Measurement:
    """Some of the observed quantities are measured on the crop.

    `optional`: the action says whether they are at the end of the interval, at a price that the reward is reduced by;
    where they are not, they read 0. The first observation is free. Without the option they are always measured, for
    nothing. `noise`: standard deviation of the error, relative to the value; each measurement has its own.
    """

    price: float = 0.0  # in units of the reward
    noise: float = 0.0
    features: tuple[str, ...] = FEATURES
    optional: bool = True

    def __post_init__(self) -> None:
        for name, value in (("price", self.price), ("noise", self.noise)):
            if not (isinstance(value, Real) and 0.0 <= value < float("inf")):
                raise ValueRangeError(f"the {name} of a measurement", value, "a number of at least 0")
        if isinstance(self.features, str) or not self.features:
            raise ValueRangeError("the features to measure", self.features, "one or more names")


@dataclass(frozen=True, eq=False)
class Measured:
    """An observation in which some quantities are measured; the last component tells whether they were."""

    observer: Observer
    measurement: Measurement

    def __post_init__(self) -> None:
        seen = [q.name for q in self.observer.quantities]
        for name in self.measurement.features:
            if name not in seen:
                raise UnknownNameError("feature to measure", name, seen)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        return (*self.observer.quantities, FLAG)

    def observe(self, situation: Situation) -> Array:
        values, flag = self.observer.observe(situation), situation.farming.measured
        # One draw at a time: XLA would share out a large one among threads, which the one kernel of a step cannot.
        keys = iter(jax.random.split(situation.key, len(self.measurement.features)))
        shown = []
        for place, q in enumerate(self.observer.quantities):
            value = values[..., place]
            if q.name in self.measurement.features:
                value = jnp.where(flag > 0.5, self._read(next(keys), value, q), 0.0)
            shown.append(value)
        return jnp.stack([*shown, flag], axis=-1)

    def _read(self, key: Array, value: Array, q: Quantity) -> Array:
        if self.measurement.noise == 0.0:
            return value
        error = self.measurement.noise * jax.random.normal(key, (), value.dtype)
        return jnp.clip(value * (1.0 + error), q.low, q.high)
