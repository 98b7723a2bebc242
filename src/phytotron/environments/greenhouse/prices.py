"""Prices: constant, by the hour of the day, or by the hour of the year."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Value, as_record, names, quantity, record

LENGTHS = (1, 24, 8760, 8784)  # a constant, a day, a year
BETWEEN = 1e-3  # h: rounding of the time must not fetch the hour before


@record
class Prices:
    """One number each, or an array of hourly prices: 24 for a daily tariff, 8760 or 8784 for a year.

    van Laatum et al., GreenLight-Gym, table 4; lamps are not charged there.
    """

    fruit: Value = quantity("cFrt", "€ kg-1", "price of fresh fruit", default=1.6)
    gas: Value = quantity("cGas", "€ m-3", "price of gas", default=0.26)
    co2: Value = quantity("cCo2", "€ kg-1", "price of CO2", default=0.1)
    electricity: Value = quantity("cEl", "€ kWh-1", "price of electricity for lamps", default=0.0)

    def at(self, time: Array) -> Prices:
        """The prices at a time, in days since the start of the year."""
        hour = jnp.floor(24.0 * time + BETWEEN).astype(jnp.int32)
        return Prices(**{name: _at(getattr(self, name), hour) for name in names(Prices)})

    def cast(self, precision: str) -> Prices:
        """With series of a precision, on JAX's default device."""
        held = {name: getattr(self, name) for name in names(Prices)}
        return Prices(**{name: jnp.asarray(v, precision) if jnp.ndim(v) else v for name, v in held.items()})

    def mean(self) -> Prices:
        """The mean over the day or year."""
        return Prices(**{name: _mean(getattr(self, name)) for name in names(Prices)})


def load_prices(choice: Prices | Mapping[str, Any]) -> Prices:
    """Prices, or those that a mapping changes, by name or symbol; every number is checked."""
    prices = as_record(Prices, choice)
    for name in names(Prices):
        size = np.size(getattr(prices, name))
        if np.ndim(getattr(prices, name)) > 1 or size not in LENGTHS:
            raise ValueRangeError(
                f"the number of prices of {name}", size, "1, 24 (hours of a day), 8760 or 8784 (hours of a year)"
            )
    return prices


def _at(price: Value, hour: Array) -> Value:
    if jnp.ndim(price) == 0:
        return price
    series = jnp.asarray(price)
    return series[hour % series.shape[0]]


def _mean(price: Value) -> Value:
    return price if jnp.ndim(price) == 0 else jnp.mean(jnp.asarray(price))
