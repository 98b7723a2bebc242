"""The task as in the published code of InterCropGym, where that differs from the paper."""

import dataclasses
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.environments.intercrop.interplay import EffectsOf, Neighbours, Pair
from phytotron.environments.intercrop.observations import GrowingCrop
from phytotron.environments.intercrop.types import Crops, Season
from phytotron.models.intercropping.effects import Effects, published_effects
from phytotron.models.intercropping.neighbours import Stand
from phytotron.models.intercropping.published import published_crop
from phytotron.models.lintul3 import Management, State, Weather, next_morning, processes

# The published code stops at the first decision from 25 July on: a week before 1 August. In days since 1 January.
LAST_DECISION = 205


def published_code(crops: tuple[str, str] = ("chickpea", "winter_wheat")) -> dict[str, Any]:
    """Return the options of `Intercrop` that reproduce the published code, for a pair of its crops.

    The crops never affect each other, but observations and rewards show the effects. Fertiliser is paid for and has no
    effect. See docs/intercrop.md.
    """
    one, two = crops
    return {
        "crops": (published_crop(one), published_crop(two)),
        "interaction": "published_code",
        "observation": "raw",
    }


@dataclasses.dataclass(frozen=True)
class PublishedCode(Neighbours):
    """The interaction of the published code: effects change observations and rewards, but not growth."""

    effects: EffectsOf = published_effects

    def _grown(self, state: State, today: Weather, management: Management, plant: Any, emergence: float) -> State:
        """A mature crop goes on, at the stage of maturity."""
        return next_morning(state, processes(state, today, management, plant), plant)

    def interact(self, before: Stand, after: Stand, today: Weather, season: Season) -> Stand:
        return dataclasses.replace(after, effects=self._found(self.effects, after, today, season).effects)

    def look(self, stand: Stand, today: Weather, season: Season) -> tuple[GrowingCrop, GrowingCrop]:
        one, two = super().look(stand, today, season)
        first, second = stand.effects
        return _shown(one, first), _shown(two, second)

    def growth(self, before: Stand, after: Stand) -> Pair:
        """Return the growth: the shown grain at the end minus the true grain before, so that the effect is charged
        again every week.
        """
        rows = zip(before.crops, after.crops, after.effects, strict=True)
        one, two = (effect.growth * later.grain_mass - now.grain_mass for now, later, effect in rows)
        return one, two

    def ended(self, stand: Stand, day: Array, season: Season) -> Pair:
        rows = zip(stand.crops, season.crops, strict=True)
        one, two = (state.stage >= crop.plant.mature_stage for state, crop in rows)
        return one | two, day >= LAST_DECISION + season.weather.leap[season.number]

    def last_day(self, crops: Crops, leap: Any) -> Any:
        return LAST_DECISION + np.asarray(leap)

    def first_observed(self, day: Array, interval: int) -> Array:
        """Return the first day to show: the weather of the first interval is shown again at the end of the second."""
        return jnp.where(day == 2 * interval, 0, day - interval)


def _shown(crop: GrowingCrop, on: Effects) -> GrowingCrop:
    """What the published code shows of a crop on which these effects act."""
    grown = ("leaf_mass", "root_mass", "grain_mass", "stem_mass", "above_ground_mass")
    return dataclasses.replace(
        crop,
        **{name: getattr(crop, name) * on.growth for name in grown},
        total_growth=crop.total_growth * on.light,
        transpiration_reduction=crop.transpiration_reduction * on.water,
        nitrogen_uptake=crop.nitrogen_uptake * on.root,
    )
