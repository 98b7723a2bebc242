"""The value of two crops and the cost of their nitrogen: the reward of InterCropGym, and its parts.

A reward gives one number for each of the two crops, and the task their sum; a single number is shared equally.
"""

from types import MappingProxyType
from typing import Any, NamedTuple

from jax import Array

from phytotron.environments.field.farming import RewardParameters
from phytotron.environments.intercrop.types import Crops, States
from phytotron.environments.rewarding import Reward, WeightedRewards


class Outcome(NamedTuple):
    """All that a reward can be made of; of the interval, unless it says otherwise. Arrays (2,) are of the two crops."""

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
        """The grain, on a shared field, of each crop so far per that of its sole crop (2,)."""
        return self.stand.land_equivalents


def both(of_crops: Array) -> Array:
    """Return the sum over both crops of an array (..., 2)."""
    return of_crops[..., 0] + of_crops[..., 1]


def intercropgym(o: Outcome) -> Array:
    """Return the growth of both crops beyond that without fertiliser, less beta per unit of all nitrogen [g m-2]."""
    return both(o.growth) - both(o.zero_growth) - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: Outcome) -> Array:
    """Return the same without subtracting what grows without fertiliser [g m-2]."""
    return both(o.growth) - o.reward.nitrogen_penalty * o.dose


def growth(o: Outcome) -> Array:
    """Return the growth of the grain of both crops, whatever it takes [g m-2]."""
    return both(o.growth)


REWARDS: MappingProxyType[str, Reward] = MappingProxyType(
    {"intercropgym": intercropgym, "without_baseline": without_baseline, "growth": growth}
)


class WeightedSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of REWARDS or functions of an `Outcome`."""

    rewards = REWARDS
