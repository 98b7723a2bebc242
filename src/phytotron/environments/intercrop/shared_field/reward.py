"""Rewards of a shared field by crop: arrays (2,), whose sum is the reward of the task."""

from dataclasses import dataclass
from types import MappingProxyType

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import ValueRangeError
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.rewarding import Reward, WeightedRewards

WHEAT, BEANS = 0.2, 0.25  # € kg-1


def grain(o: Outcome) -> Array:
    """Return the growth beyond that without fertiliser, minus beta times the nitrogen [g m-2]."""
    return o.growth - o.zero_growth - o.reward.nitrogen_penalty * o.dose


def without_baseline(o: Outcome) -> Array:
    """Return the reward `grain` without subtracting the growth without fertiliser [g m-2]."""
    return o.growth - o.reward.nitrogen_penalty * o.dose


def growth(o: Outcome) -> Array:
    """Return the growth of the grain, without any cost [g m-2]."""
    return o.growth


def land_equivalent_ratio(o: Outcome) -> Array:
    """Return, at the end of the season, the land that sole crops need for the same harvest, divided by the land of the
    field [-].
    """
    return jnp.where(o.ended, o.land_equivalents, 0.0)


@dataclass(frozen=True)
class Economic:
    """The value of the grain grown, minus the cost of nitrogen [€ ha-1]; prices are in € kg-1.

    `grain`: the prices of crop 1 and crop 2; without, that of beans for a crop that fixes nitrogen, and that of wheat
    for one that does not. The prices of wheat and nitrogen are those of the wheat task; that beans cost a quarter more
    is an assumption.
    """

    grain: tuple[float, float] | None = None
    nitrogen: float = 0.4

    def __post_init__(self) -> None:
        grain = (WHEAT, BEANS) if self.grain is None else self.grain
        if len(grain) != 2 or not min(*grain, self.nitrogen) >= 0.0:
            raise ValueRangeError("prices", (self.grain, self.nitrogen), "two of grain, one of nitrogen, from 0 up")

    def __call__(self, o: Outcome) -> Array:
        return KG_HA * (self._prices(o) * o.growth - self.nitrogen * o.dose)

    def _prices(self, o: Outcome) -> Array:
        if self.grain is not None:
            return jnp.asarray(self.grain, o.growth.dtype)
        fixes = jnp.stack([jnp.asarray(crop.plant.nitrogen_fixation) > 0.0 for crop in o.crops], axis=-1)
        return jnp.where(fixes, BEANS, WHEAT).astype(o.growth.dtype)


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
    """A reward that adds up others, each with a weight: names of FIELD_REWARDS or functions of a `Outcome`.

    >>> reward = WeightedFieldSum((1.0, "grain"), (500.0, "land_equivalent_ratio"))
    """

    rewards = FIELD_REWARDS
