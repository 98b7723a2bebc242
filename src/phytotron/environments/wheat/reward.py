"""Rewards and constraints of the wheat task: the value of the harvest and the cost of nitrogen.

Kallenberg et al. 2023, equation 2.1; and proposals from the discussion of that paper and from later versions of
CropGym.
"""

from types import MappingProxyType
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, quantity, record
from phytotron.environments.field.farming import KG_HA, RewardParameters
from phytotron.environments.rewarding import WeightedRewards
from phytotron.models.lintul3 import Parameters, State


@record
class Prices:
    """The prices of the economic reward. Nitrogen costs twice as much as grain, as in the paper; what is 0 is not
    charged there.
    """

    grain: Value = quantity("pGrain", "€ kg-1", "price of grain", default=0.2, low=0.0)
    nitrogen: Value = quantity("pN", "€ kg-1", "price of nitrogen in fertiliser", default=0.4, low=0.0)
    application: Value = quantity("pTrip", "€ ha-1", "cost of one application of fertiliser", default=0.0, low=0.0)
    irrigation: Value = quantity("pIrr", "€ ha-1 mm-1", "cost of irrigation", default=0.0, low=0.0)


class Outcome(NamedTuple):
    """Everything that a reward can be computed from, for the interval unless stated otherwise."""

    growth: Array  # g m-2, of the grain
    zero_growth: Array  # g m-2, of the run without nitrogen
    dose: Array  # g m-2, gross
    irrigation: Array  # mm
    total_dose: Array  # g m-2, of the season so far
    grain_nitrogen: Array  # g m-2, that came into the grain
    zero_grain: Array  # g m-2, at the end of the interval, without nitrogen
    terminated: Array  # whether the season is over
    state: State  # at the end of the interval
    parameters: Parameters
    reward: RewardParameters
    prices: Prices


def cropgym(o: Outcome) -> Array:
    """Return the reward of equation 2.1: growth beyond that without nitrogen, minus beta times the nitrogen [g m-2]."""
    return o.growth - o.zero_growth - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: Outcome) -> Array:
    """Return the reward `cropgym` without subtracting the run without nitrogen (GRO in CropGym's code) [g m-2]."""
    return o.growth - o.reward.nitrogen_penalty * o.dose


def growth(o: Outcome) -> Array:
    """Return the growth of the grain, without any cost [g m-2]."""
    return o.growth


def economic(o: Outcome) -> Array:
    """Return the value of the grain grown, minus the cost of fertiliser, trips and water [€ ha-1]."""
    p = o.prices
    earned = KG_HA * (p.grain * o.growth - p.nitrogen * o.dose)
    return earned - p.application * (o.dose > 0.0) - p.irrigation * o.irrigation


def nitrogen_surplus(o: Outcome) -> Array:
    """Return minus the nitrogen that was applied and is not in the grain; the sum is minus the surplus of the season [g
    m-2].
    """
    return o.grain_nitrogen - o.dose


def nitrogen_use_efficiency(o: Outcome) -> Array:
    """Return, at the end of the season, the nitrogen in the grain divided by the nitrogen that was there or was
    applied.
    """
    p = o.parameters
    supplied = o.total_dose + p.initial_soil_nitrogen + p.mineralisation * o.state.day
    return jnp.where(o.terminated, o.state.grain_nitrogen / jnp.maximum(supplied, 1e-6), 0.0)


def agronomic_efficiency(o: Outcome) -> Array:
    """Return, at the end of the season, the grain gained divided by the nitrogen applied, 0 without any [g g-1].

    It is ANE in CropGym's code.
    """
    gained = (o.state.grain_mass - o.zero_grain) / jnp.where(o.total_dose > 0.0, o.total_dose, 1.0)
    return jnp.where(o.terminated & (o.total_dose > 0.0), gained, 0.0)


def applications(o: Outcome) -> Array:
    """Return minus 1 for every decision with a dose."""
    return -jnp.asarray(o.dose > 0.0, o.growth.dtype)


REWARDS = MappingProxyType(
    {
        "cropgym": cropgym,
        "without_baseline": without_baseline,
        "growth": growth,
        "economic": economic,
        "nitrogen_surplus": nitrogen_surplus,
        "nitrogen_use_efficiency": nitrogen_use_efficiency,
        "agronomic_efficiency": agronomic_efficiency,
        "applications": applications,
    }
)


class WeightedSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of REWARDS or functions of an `Outcome`.

    >>> reward = WeightedSum((1.0, "cropgym"), (10.0, "applications"), (0.1, lambda outcome: -outcome.irrigation))
    """

    rewards = REWARDS
