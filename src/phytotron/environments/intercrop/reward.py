"""Rewards for two crops: the value of their growth and the cost of their nitrogen, as in InterCropGym.

A reward returns one number for each of the two crops, and the task adds them up; a single number is shared equally.
"""

from types import MappingProxyType
from typing import Any, NamedTuple

from jax import Array

from phytotron.environments.field.farming import RewardParameters
from phytotron.environments.intercrop.types import Crops, States
from phytotron.environments.rewarding import Reward, WeightedRewards


class Outcome(NamedTuple):
    """Everything that a reward can be computed from, for the interval unless stated otherwise. Arrays (2,) are of the
    two crops.
    """

    growth: Array  # (2,), g m-2, of the grain
    zero_growth: Array  # (2,), g m-2, of both crops grown without fertiliser
    dose: Array  # g m-2, gross, of everything that is fertilised; on a shared field (2,), of each crop
    total_dose: Array  # g m-2, of everything that is fertilised, of the season so far
    terminated: Array  # whether the season is over
    ended: Array  # whether it ends with this interval, because it is over or because its weather is
    stand: Any  # at the end of the interval
    crops: Crops
    reward: RewardParameters

    @property
    def states(self) -> States:
        """Both crops at the end of the interval."""
        return self.stand.crops

    @property
    def land_equivalents(self) -> Array:
        """The grain of each crop so far on a shared field, divided by that of its sole crop (2,)."""
        return self.stand.land_equivalents


def both(of_crops: Array) -> Array:
    """Return the sum over both crops of an array (..., 2)."""
    return of_crops[..., 0] + of_crops[..., 1]


def intercropgym(o: Outcome) -> Array:
    """Return the growth of both crops beyond that without fertiliser, minus beta times all nitrogen [g m-2]."""
    return both(o.growth) - both(o.zero_growth) - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: Outcome) -> Array:
    """Return the reward `intercropgym` without subtracting the growth without fertiliser [g m-2]."""
    return both(o.growth) - o.reward.nitrogen_penalty * o.dose


def growth(o: Outcome) -> Array:
    """Return the growth of the grain of both crops, without any cost [g m-2]."""
    return both(o.growth)


REWARDS: MappingProxyType[str, Reward] = MappingProxyType(
    {"intercropgym": intercropgym, "without_baseline": without_baseline, "growth": growth}
)


class WeightedSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of REWARDS or functions of an `Outcome`."""

    rewards = REWARDS
