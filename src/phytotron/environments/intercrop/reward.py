"""What two crops are worth and what their nitrogen costs: the reward of InterCropGym, and its parts."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.environments.intercrop.types import Crops, States
from phytotron.environments.rewarding import WeightedRewards
from phytotron.environments.wheat.reward import RewardParameters


class Outcome(NamedTuple):
    """All that a reward can be made of; of the interval, unless it says otherwise. Pairs are of the two crops."""

    growth: tuple[Array, Array]  # g m-2, of the grain
    zero_growth: tuple[Array, Array]  # g m-2, of both crops grown without fertiliser
    dose: Array  # g m-2, gross, of everything that is fertilised
    total_dose: Array  # g m-2, the same, of the season so far
    terminated: Array  # whether the season is over
    states: States  # at the end of the interval
    crops: Crops
    reward: RewardParameters


def intercropgym(o: Outcome) -> Array:
    """Growth of both crops beyond that without fertiliser, less beta per unit of all nitrogen [g m-2]."""
    return sum(o.growth) - sum(o.zero_growth) - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: Outcome) -> Array:
    """The same without subtracting what grows without fertiliser [g m-2]."""
    return sum(o.growth) - o.reward.nitrogen_penalty * o.dose


def growth(o: Outcome) -> Array:
    """Growth of the grain of both crops, whatever it takes [g m-2]."""
    return jnp.asarray(sum(o.growth))


REWARDS = MappingProxyType({"intercropgym": intercropgym, "without_baseline": without_baseline, "growth": growth})


class WeightedSum(WeightedRewards):
    """A reward that adds up others, each with a weight: names of REWARDS or functions of an `Outcome`."""

    rewards = REWARDS
