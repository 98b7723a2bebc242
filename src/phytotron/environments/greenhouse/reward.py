"""Profit of a greenhouse, bounds on its climate, and the rewards made of the two.

van Laatum et al., GreenLight-Gym, section 3.3.2 and tables 3 to 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, quantity, record
from phytotron.models.greenlight import Control, Equations, Parameters, State
from phytotron.models.greenlight.design import design
from phytotron.models.greenlight.growth import growth
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity

KG_PER_MG = 1e-6
J_PER_MJ = 1e6


@record
class RewardParameters:
    """Prices, and for each constraint its bounds and how steeply the penalty grows with the violation."""

    fruit_price: Value = quantity("cFrt", "€ kg-1", "price of fresh fruit", default=1.6)
    gas_price: Value = quantity("cGas", "€ m-3", "price of gas", default=0.26)
    co2_price: Value = quantity("cCo2", "€ kg-1", "price of CO2", default=0.1)
    harvest_maximum: Value = quantity(
        "harMax", "mg{CH2O} m-2 s-1", "harvest that counts as a scaled profit of 1", default=0.328, low=1e-6
    )
    temperature_minimum: Value = quantity("tMin", "°C", "lowest air temperature", default=10.0)
    temperature_maximum: Value = quantity("tMax", "°C", "highest air temperature", default=35.0)
    temperature_penalty: Value = quantity("bT", "°C-1", "steepness of its penalty", default=1.2, low=0.0)
    co2_minimum: Value = quantity("co2Min", "ppm", "lowest CO2 mole fraction", default=0.0)
    co2_maximum: Value = quantity("co2Max", "ppm", "highest CO2 mole fraction", default=1000.0)
    co2_penalty: Value = quantity("bCo2", "ppm-1", "steepness of its penalty", default=8e-3, low=0.0)
    humidity_minimum: Value = quantity("rhMin", "%", "lowest relative humidity", default=60.0)
    humidity_maximum: Value = quantity("rhMax", "%", "highest relative humidity", default=90.0)
    humidity_penalty: Value = quantity("bRh", "%-1", "steepness of its penalty", default=1.0, low=0.0)


class Turnover(NamedTuple):
    """What one control interval brought and took, per square metre."""

    harvest: Array  # kg of dry matter
    co2: Array  # kg
    gas: Array  # m3


def harvest_rate(state: State, p: Parameters, equations: Equations) -> Array:
    """Harvested carbohydrate [mg m-2 s-1]; photosynthesis does not enter it."""
    return growth(state, jnp.zeros_like(state.fruit_carbohydrate), p, design(p, equations)).fruit_harvest


def turnover(
    before: State,
    after: State,
    control: Control,
    p: Parameters,
    equations: Equations,
    seconds: float,
) -> Turnover:
    """Harvest by the trapezoidal rule (it follows the slow fruit pool); CO2 and gas from the held controls."""
    rate = 0.5 * (harvest_rate(before, p, equations) + harvest_rate(after, p, equations))
    full = full_consumption(p, seconds)
    return Turnover(
        harvest=KG_PER_MG * seconds * rate,
        co2=control.co2_injection * full.co2,
        gas=control.boiler * full.gas,
    )


def full_consumption(p: Parameters, seconds: float) -> Turnover:
    """CO2 and gas with open valves, and no harvest."""
    return Turnover(
        harvest=jnp.asarray(0.0),
        co2=jnp.asarray(KG_PER_MG * seconds * p.co2_supply / p.floor_area),
        gas=jnp.asarray(seconds * p.boiler_power / p.floor_area / (J_PER_MJ * p.gas_energy)),
    )


def profit(flows: Turnover, p: Parameters, r: RewardParameters) -> Array:
    """Equation 9 [€ m-2]. Lamps follow a rule; their electricity is not charged."""
    fruit = r.fruit_price * flows.harvest / p.fruit_dry_matter
    return jnp.asarray(fruit - r.co2_price * flows.co2 - r.gas_price * flows.gas)


def scaled_profit(value: Array, p: Parameters, r: RewardParameters, seconds: float) -> Array:
    """Profit between that of full consumption without harvest (0) and that of the largest harvest for nothing (1)."""
    lowest = profit(full_consumption(p, seconds), p, r)
    highest = r.fruit_price * KG_PER_MG * seconds * r.harvest_maximum / p.fruit_dry_matter
    return (value - lowest) / (highest - lowest)


def violations(state: State, r: RewardParameters) -> dict[str, Array]:
    """By how much each bound is exceeded (equation 11), in the unit of the quantity."""
    air = state.air_temperature

    def beyond(value: Array, low: Value, high: Value) -> Array:
        return jnp.maximum(jnp.maximum(low - value, value - high), 0.0)

    return {
        "temperature": beyond(air, r.temperature_minimum, r.temperature_maximum),
        "co2": beyond(co2_mole_fraction(air, state.air_co2), r.co2_minimum, r.co2_maximum),
        "humidity": beyond(relative_humidity(air, state.air_vapour_pressure), r.humidity_minimum, r.humidity_maximum),
    }


def penalty(excess: dict[str, Array], r: RewardParameters) -> Array:
    """Equation 10: between 0 and 1."""
    slopes = {"temperature": r.temperature_penalty, "co2": r.co2_penalty, "humidity": r.humidity_penalty}
    angles = [jnp.arctan(slopes[name] * value) for name, value in excess.items()]
    return 2.0 / math.pi * sum(angles[1:], angles[0]) / len(angles)


Reward = Callable[[Array, Array], Array]  # of scaled profit and penalty


def multiplicative(scaled: Array, penalised: Array) -> Array:
    """Equation 13."""
    return scaled * (1.0 - penalised)


def additive(scaled: Array, penalised: Array) -> Array:
    """Equation 12."""
    return scaled - penalised


REWARDS = MappingProxyType({"multiplicative": multiplicative, "additive": additive})
