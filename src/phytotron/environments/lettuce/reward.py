"""The reward of the benchmark: the profit of half an hour, minus the cost of leaving the ranges of the climate."""

from collections.abc import Mapping
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, quantity, record
from phytotron.core.presentation import Return
from phytotron.environments.lettuce.model import INTERVAL, Climate, Control, State
from phytotron.environments.rewarding import Bounds, Reward, beyond, bounds_of


@record
class Prices:
    """Prices of the products and inputs; numbers of the benchmark (lettuce-greenhouse-gym 0.1.3)."""

    lettuce: Value = quantity("c_pri,2", "€ kg-1", "price of lettuce, by dry weight", default=22.285125)
    heat: Value = quantity("c_q", "€ kWh-1", "price of heat", default=0.1281)
    co2: Value = quantity("c_co2", "€ kg-1", "price of CO2", default=0.1906)


@record
class Limits:
    """Ranges of the climate, and the cost of half an hour outside them; numbers of the benchmark."""

    lowest_co2: Value = quantity("CO2_min", "ppm", "lowest CO2", default=500.0)
    highest_co2: Value = quantity("CO2_max", "ppm", "highest CO2", default=1600.0)
    lowest_temperature: Value = quantity("T_min", "°C", "lowest air temperature", default=10.0)
    highest_temperature: Value = quantity("T_max", "°C", "highest air temperature", default=20.0)
    highest_humidity: Value = quantity("RH_max", "%", "highest relative humidity", default=80.0)
    co2_penalty: Value = quantity("w_CO2", "€ m-2 ppm-1", "for CO2 outside its range", default=5e-5, low=0.0)
    cold_penalty: Value = quantity("w_Tmin", "€ m-2 °C-1", "for air that is too cold", default=3e-3, low=0.0)
    heat_penalty: Value = quantity("w_Tmax", "€ m-2 °C-1", "for air that is too warm", default=5e-3, low=0.0)
    humidity_penalty: Value = quantity("w_RH", "€ m-2 %-1", "for air that is too humid", default=7e-4, low=0.0)


BOUNDS: Bounds = {
    "co2": ("lowest_co2", "highest_co2"),
    "temperature": ("lowest_temperature", "highest_temperature"),
    "relative_humidity": (0.0, "highest_humidity"),
}


class Outcome(NamedTuple):
    """The result of half an hour, per square metre."""

    growth: Array  # kg m-2, of the dry weight
    heat: Array  # kWh m-2
    co2: Array  # kg m-2
    profit: Array  # € m-2
    penalty: Array  # € m-2
    costs: dict[str, Array]  # distances from the ranges, in ppm, °C and %


def outcome(before: State, after: State, control: Control, prices: Prices, limits: Limits) -> Outcome:
    """Return the outcome of half an hour, during which a control was held."""
    growth = after.dry_weight - before.dry_weight
    heat = control.heating * INTERVAL / 3.6e6  # kWh m-2, from W m-2
    co2 = 1e-6 * control.co2_supply * INTERVAL  # kg m-2, from mg m-2 s-1
    seen = Climate.of(after)
    costs = {name: beyond(getattr(seen, name), *allowed) for name, allowed in bounds_of(limits, BOUNDS).items()}
    is_cold = seen.temperature < limits.lowest_temperature
    temperature_penalty = jnp.where(is_cold, limits.cold_penalty, limits.heat_penalty)
    penalty = limits.co2_penalty * costs["co2"] + temperature_penalty * costs["temperature"]
    penalty = penalty + limits.humidity_penalty * costs["relative_humidity"]
    profit = prices.lettuce * growth - prices.heat * heat - prices.co2 * co2
    return Outcome(growth, heat, co2, profit, penalty, costs)


RETURNS = {
    "benchmark": Return("€ m-2", "profit, less the penalty for leaving the ranges of the climate"),
    "profit": Return("€ m-2", "value of the lettuce grown, less that of heat and CO2"),
}
REWARDS: Mapping[str, Reward] = {"benchmark": lambda o: o.profit - o.penalty, "profit": lambda o: o.profit}
