"""What the harvest of a shared field is worth, crop by crop.

A reward gives one number for each of the two crops, and the task their sum; a function that gives a single number is
shared equally by both crops.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import ValueRangeError
from phytotron.environments.intercrop.field_types import WithSoles
from phytotron.environments.intercrop.types import Crops
from phytotron.environments.rewarding import Reward, WeightedRewards
from phytotron.environments.wheat.reward import KG_HA, RewardParameters


class FieldOutcome(NamedTuple):
    """All that a reward can be made of; of the interval, unless it says otherwise. Arrays (2,) are of the two crops."""

    growth: Array  # (2,), g m-2, of the grain
    zero_growth: Array  # (2,), g m-2, of both crops grown together without fertiliser
    dose: Array  # (2,), g m-2 of the field, gross; a dose for both crops counts half for each
    total_dose: Array  # g m-2, of both crops, of the season so far
    land_equivalents: Array  # (2,), grain of each crop so far per that of its sole crop
    ended: Array  # whether the season is over
    stand: WithSoles  # at the end of the interval
    crops: Crops
    reward: RewardParameters


def grain(o: FieldOutcome) -> Array:
    """Growth beyond that without fertiliser, less beta per unit of nitrogen [g m-2]."""
    return o.growth - o.zero_growth - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: FieldOutcome) -> Array:
    """The same without subtracting what grows without fertiliser [g m-2]."""
    return o.growth - o.reward.nitrogen_penalty * o.dose


def growth(o: FieldOutcome) -> Array:
    """Growth of the grain, whatever it takes [g m-2]."""
    return o.growth


def land_equivalent_ratio(o: FieldOutcome) -> Array:
    """At the end of the season: the land that sole crops need for the same harvest, per land of the field [-]."""
    return jnp.where(o.ended, o.land_equivalents, 0.0)


@dataclass(frozen=True)
class Economic:
    """Value of the grain grown, less nitrogen [€ ha-1]; prices in € kg-1.

    The prices of wheat and nitrogen are those of the wheat task; that beans cost a quarter more is an assumption.
    """

    grain: tuple[float, float] = (0.2, 0.25)
    nitrogen: float = 0.4

    def __post_init__(self) -> None:
        if len(self.grain) != 2 or not min(*self.grain, self.nitrogen) >= 0.0:
            raise ValueRangeError("prices", (self.grain, self.nitrogen), "two of grain, one of nitrogen, from 0 up")

    def __call__(self, o: FieldOutcome) -> Array:
        return KG_HA * (jnp.asarray(self.grain, o.growth.dtype) * o.growth - self.nitrogen * o.dose)


FIELD_REWARDS: MappingProxyType[str, Reward] = MappingProxyType(
    {
        "grain": grain,
        "without_baseline": without_baseline,
        "growth": growth,
        "land_equivalent_ratio": land_equivalent_ratio,
        "economic": Economic(),
    }
)


class WeightedFieldSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of FIELD_REWARDS or functions of a `FieldOutcome`.

    >>> reward = WeightedFieldSum((1.0, "grain"), (500.0, "land_equivalent_ratio"))
    """

    rewards = FIELD_REWARDS
