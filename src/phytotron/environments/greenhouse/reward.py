"""Prices and profit of a greenhouse, bounds on its climate, and rewards made of these.

van Laatum et al., GreenLight-Gym, section 3.3.2 and tables 3 to 5.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Value, check_value, names, quantities, quantity, record, replace
from phytotron.environments.rewarding import Bounds, Reward, WeightedRewards, beyond, bounds_of
from phytotron.models.greenlight import Control, Parameters, State, Weather, indoor_climate
from phytotron.models.greenlight.design import per_floor_area

LENGTHS = (1, 24, 8760, 8784)  # a constant, a day, a year
HOURS_PER_DAY = 24
LEAP_DAY = 59  # 29 February, in days since 1 January
BETWEEN = 1e-3  # h: rounding of the time must not fetch the hour before


@record
class Prices:
    """The prices of products and inputs: numbers, or arrays of 24 prices for the hours of the day in UTC, or of 8760 or
    8784 for those of a year.

    In a leap year, 8760 prices repeat those of 28 February on the 29th; in a common year, 8784 skip the 29th.

    van Laatum et al., GreenLight-Gym, table 4; the electricity of lamps is not charged there.
    """

    fruit: Value = quantity("cFrt", "€ kg-1", "price of fresh fruit", default=1.6)
    gas: Value = quantity("cGas", "€ m-3", "price of gas", default=0.26)
    co2: Value = quantity("cCo2", "€ kg-1", "price of CO2", default=0.1)
    electricity: Value = quantity("cEl", "€ kWh-1", "price of electricity for lamps", default=0.0)

    @property
    def are_of_a_year(self) -> bool:
        """True where there are prices for the hours of a year, which depend on its 29 February."""
        return any(jnp.size(getattr(self, name)) > HOURS_PER_DAY for name in names(Prices))

    def at(self, time: Array, year: Array | None = None) -> Prices:
        """Return the prices at a time, in days since the start of a year; without it, one of as many hours as there
        are prices.
        """
        hour = jnp.floor(HOURS_PER_DAY * time + BETWEEN).astype(jnp.int32)
        return Prices(**{name: _at(getattr(self, name), hour, year) for name in names(Prices)})

    def cast(self, precision: str) -> Prices:
        """Return the prices with series of a precision, on JAX's default device."""
        held = {name: getattr(self, name) for name in names(Prices)}
        return Prices(**{name: jnp.asarray(v, precision) if jnp.ndim(v) else v for name, v in held.items()})

    def mean(self) -> Prices:
        """Return the mean over the day or year."""
        return Prices(**{name: _mean(getattr(self, name)) for name in names(Prices)})


def load_prices(choice: Prices | Mapping[str, Any]) -> Prices:
    """Return prices, given as such or as a mapping of changes by name or symbol; every number is checked."""
    prices = choice if isinstance(choice, Prices) else replace(Prices(), choice)
    for q in quantities(Prices):
        value = getattr(prices, q.name)
        check_value(q, value, "Prices")
        if np.ndim(value) > 1 or np.size(value) not in LENGTHS:
            known = "1, 24 (hours of the day in UTC), 8760 or 8784 (hours of a year)"
            raise ValueRangeError(f"the number of prices of {q.name}", np.size(value), known)
    return prices


def _at(price: Value, hour: Array, year: Array | None) -> Value:
    if jnp.ndim(price) == 0:
        return price
    series = jnp.asarray(price)
    size = series.shape[0]
    if size > HOURS_PER_DAY and year is not None:
        day, leap = _day_of_year(hour // HOURS_PER_DAY, year)
        prices_leap = size == LENGTHS[-1]
        moved = (day >= LEAP_DAY) * (prices_leap - leap.astype(jnp.int32))
        hour = HOURS_PER_DAY * (day + moved) + hour % HOURS_PER_DAY
    return series[hour % size]


def _day_of_year(day: Array, year: Array) -> tuple[Array, Array]:
    """The number of days since the last 1 January, and whether that year is a leap year; `day` counts from 1 January
    of `year`, and may lie in a later one.
    """

    def before(year: Array) -> Array:  # days from 1 January of the year 1 to that of a year
        past = year - 1
        return 365 * past + past // 4 - past // 100 + past // 400

    now = year + day // 366
    since = before(year) + day
    now = jnp.where(since >= before(now + 1), now + 1, now)
    return since - before(now), before(now + 1) - before(now) == 366


def _mean(price: Value) -> Value:
    return price if jnp.ndim(price) == 0 else jnp.mean(jnp.asarray(price))


KG_PER_MG = 1e-6
J_PER_MJ = 1e6
J_PER_KWH = 3.6e6


@record
class RewardParameters:
    """The parameters of the reward: the bounds of each constraint, how steeply the penalty grows with the violation,
    and the largest harvest.
    """

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


CONSTRAINTS = {"temperature": ("air temperature", "°C"), "co2": ("CO2", "ppm"), "humidity": ("relative humidity", "%")}
BOUNDS: Bounds = {name: (f"{name}_minimum", f"{name}_maximum") for name in CONSTRAINTS}


class Turnover(NamedTuple):
    """The harvest and the consumption of one control interval, per square metre."""

    harvest: Array  # kg of dry matter
    co2: Array  # kg
    gas: Array  # m3
    electricity: Array  # kWh, of the lamps


def turnover(harvest: Array, control: Control, p: Parameters, seconds: float) -> Turnover:
    """Return the turnover from the harvest [mg m-2] of an interval and the positions held during it."""
    full = full_consumption(p, seconds)
    return Turnover(
        harvest=KG_PER_MG * harvest,
        co2=control.co2_injection * full.co2,
        gas=control.boiler * full.gas + control.grow_pipe_boiler * seconds * _gas(p.grow_pipe_boiler_power, p),
        electricity=control.lamp * full.electricity
        + control.interlamp * seconds * jnp.asarray(p.interlamp_power) / J_PER_KWH,
    )


def full_consumption(p: Parameters, seconds: float) -> Turnover:
    """Return the turnover of an interval without harvest, with all valves open and all lamps on."""
    return Turnover(
        harvest=jnp.asarray(0.0),
        co2=jnp.asarray(per_floor_area(KG_PER_MG * seconds * p.co2_supply, p)),
        gas=seconds * _gas(p.boiler_power, p),
        electricity=jnp.asarray(seconds * p.lamp_power / J_PER_KWH),
    )


def _gas(power: Value, p: Parameters) -> Array:
    """Gas [m3 m-2 s-1] that a boiler of a power [W] burns."""
    return jnp.asarray(per_floor_area(power, p) / (J_PER_MJ * p.gas_energy))


def profit(flows: Turnover, p: Parameters, prices: Prices) -> Array:
    """Return the profit of equation 9 [€ m-2]."""
    fruit = prices.fruit * flows.harvest / p.fruit_dry_matter
    return jnp.asarray(fruit - prices.co2 * flows.co2 - prices.gas * flows.gas - prices.electricity * flows.electricity)


def scaled_profit(value: Array, p: Parameters, r: RewardParameters, prices: Prices, seconds: float) -> Array:
    """Return the profit on a scale from 0 (full consumption without harvest) to 1 (the largest harvest without
    consumption).

    Where prices vary, their means set the scale.
    """
    lowest, highest = profit_range(p, r, prices, seconds)
    return (value - lowest) / (highest - lowest)


def profit_range(p: Parameters, r: RewardParameters, prices: Prices, seconds: float) -> tuple[Array, Array]:
    """Return the profits [€ m-2] of an interval that are scaled to 0 and to 1."""
    usual = prices.mean()
    lowest = profit(full_consumption(p, seconds), p, usual)
    return lowest, usual.fruit * KG_PER_MG * seconds * r.harvest_maximum / p.fruit_dry_matter


# Of what is left on the plants: assimilates in the buffer become fruit by this share, up to about what it can hold.
BUFFER_TO_FRUIT = 0.52
BUFFER_SCALE = 15e3  # mg m-2


def fruit_to_come(state: State) -> Array:
    """Return the fruit on the plants plus the fruit that their buffer will become [mg{CH2O} m-2]."""
    from_buffer = BUFFER_SCALE * (1.0 - jnp.exp(-state.buffer_carbohydrate / BUFFER_SCALE))
    return state.fruit_carbohydrate + BUFFER_TO_FRUIT * from_buffer


def violations(state: State, r: RewardParameters) -> dict[str, Array]:
    """Return by how much each bound is exceeded (equation 11), in the unit of the quantity."""
    air = indoor_climate(state)
    values = {"temperature": air.temperature, "co2": air.co2, "humidity": air.relative_humidity}
    return {name: beyond(values[name], *allowed) for name, allowed in bounds_of(r, BOUNDS).items()}


def penalty(excess: dict[str, Array], r: RewardParameters) -> Array:
    """Return the penalty of equation 10, between 0 and 1."""
    angles = [jnp.arctan(getattr(r, f"{name}_penalty") * value) for name, value in excess.items()]
    return 2.0 / math.pi * sum(angles[1:], angles[0]) / len(angles)


class Outcome(NamedTuple):
    """Everything that a reward can be computed from."""

    profit: Array  # € m-2
    scaled_profit: Array
    penalty: Array
    costs: dict[str, Array]  # violation of each constraint
    flows: Turnover
    state: State  # at the end of the interval
    control: Control
    before: Control  # positions of the interval before
    weather: Weather
    parameters: Parameters


def multiplicative(outcome: Outcome) -> Array:
    """Return the multiplicative reward of equation 13."""
    return outcome.scaled_profit * (1.0 - outcome.penalty)


def additive(outcome: Outcome) -> Array:
    """Return the additive reward of equation 12."""
    return outcome.scaled_profit - outcome.penalty


def movement(outcome: Outcome) -> Array:
    """Return minus the distance by which the four main actuators were moved, because gentle control causes
    less wear.
    """
    moved = [
        jnp.abs(getattr(outcome.control, name) - getattr(outcome.before, name))
        for name in ("boiler", "co2_injection", "thermal_screen", "roof_vent")
    ]
    return -sum(moved[1:], moved[0])


REWARDS: Mapping[str, Reward] = MappingProxyType(
    {
        "multiplicative": multiplicative,
        "additive": additive,
        "profit": attrgetter("profit"),
        "scaled_profit": attrgetter("scaled_profit"),
        "movement": movement,
    }
)


class WeightedSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of REWARDS or functions of an `Outcome`.

    >>> reward = WeightedSum((1.0, "additive"), (0.05, "movement"), (0.1, lambda outcome: -outcome.flows.electricity))
    """

    rewards = REWARDS
