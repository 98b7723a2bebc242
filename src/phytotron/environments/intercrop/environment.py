"""Two crops beside each other: the task of InterCropGym."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Info
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.environments.intercrop.base import Growth, TwoCrops, as_record
from phytotron.environments.intercrop.observations import Seen
from phytotron.environments.intercrop.types import Crops, IntercropParams
from phytotron.models.intercropping.effects import (
    Factors,
    effects,
    printed_effects,
    published_effects,
)
from phytotron.models.intercropping.neighbours import Stand, affected, neighbour, new_stand
from phytotron.models.lintul3 import (
    Management,
    State,
    Weather,
    advance,
    initial_state,
    is_over,
    next_morning,
    processes,
)
from phytotron.models.lintul3.season import kept_if
from phytotron.models.lintul3.transpiration import transpiration
from phytotron.weather.field_weather import FieldWeather

# The effects of each interaction.
INTERACTIONS = MappingProxyType(
    {"paper": effects, "printed": printed_effects, "published_code": published_effects, "none": None}
)
ENDS = ("either", "both")
# The published code stops at the first decision from 25 July on: a week before 1 August. In days since 1 January.
LAST_DECISION = 205


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Intercrop(TwoCrops):
    """Give two crops that affect each other the nitrogen that they are worth, week by week.

    Each crop is one of LINTUL-3 with its own soil, water and nitrogen, and full light, as in InterCropGym's paper; the
    effects of `models.intercropping` are all that is between them. For crops that share light, water and nitrogen see
    `IntercropField`.

    Observation
        Array (71,): 18 quantities of crop 1, the same of crop 2 (`observations.Seen`: stage, growth, leaf area,
        nitrogen uptake, transpiration of the day, ...; masses and nitrogen in g m-2, water in mm), then on each of the
        seven days before this one global radiation [J m-2 d-1], lowest and highest temperature [°C], vapour pressure
        [hPa] and rain [cm d-1]. `observation`: "raw" (106,), with the weather once for each crop, as the published code
        has it; or any list of names in `observations.OBSERVABLES`, of groups ("crops", "weather", "farming", "states")
        and of observers.
    Action
        Discrete(7): 0, 20, ..., 120 kg ha-1 of nitrogen for each of the two crops, so twice that in all. `doses`:
        another ladder, or `Continuous(largest)` for a Box (1,).
    Reward
        "intercropgym": the sum over both crops of the growth of the grain, less its growth if neither were fertilised,
        less beta = 10 times the dose [g m-2]. What a crop loses to its neighbour counts as negative growth. Others: see
        `reward.REWARDS`, `WeightedSum`, or any function of an `Outcome`.
    Costs
        `info["costs"]`: nitrogen per crop above `limits` (200 kg ha-1) and applications above it (8), so far.
    Step
        As in the paper: both crops get the dose and grow for a week (pre-step); the effects are computed from both
        states and change them (update); then reward and end (step). What is applied enters the day after the decision.
    Interaction
        "paper": the growth effect multiplies leaves, stems, roots and grain of both crops, once per interval in which
        both stand; see `models.intercropping.neighbours` for each equation of the paper. "printed": the same with eq. 9
        as it is printed. "none": two crops that do not know of each other.
        "published_code": the effects change only what is observed and rewarded, which is what the published code does;
        see `variants.published_code`. The shading of the paper is not symmetric: exchanging the crops changes the
        result, unless `factors` has light = 0.
    End
        Terminated when either crop is mature (DVS 2) or on 1 September. With `ends="both"`, when both are: the first
        one is harvested and from then on neither affects the other nor gets affected. A mature crop stands still. Steps
        after the end change nothing and give 0.
    Start
        1 January; both crops have emerged, or do so on the days `emergence` (since 1 January), before which they and
        their soil stay as they are. The first decision falls after one interval, on 8 January. Reset draws a season
        from those that `weather` offers, as for `WheatNitrogen`.
    Paper and code
        Where the paper and the code it came with differ, docs/intercrop.md says what is done.

    >>> env = Intercrop(crops=("winter_wheat", "winter_wheat"), factors={"light": 0.2})
    >>> observation, state = env.reset(jax.random.key(0))
    >>> int(state.day), observation.shape
    (7, (71,))

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/Intercrop-v0"
    plots: ClassVar[float] = 2.0

    interaction: str = "paper"
    factors: Factors | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    ends: str = "either"
    emergence: tuple[float, float] = (0.0, 0.0)  # d since 1 January

    def __post_init__(self) -> None:
        if self.interaction not in INTERACTIONS:
            raise UnknownNameError("interaction", self.interaction, INTERACTIONS)
        if self.ends not in ENDS:
            raise UnknownNameError("ends", self.ends, ENDS)
        days = np.asarray(self.emergence, object)
        numbers = all(isinstance(each, int | float) and 0 <= each <= 365 for each in days.ravel().tolist())
        if days.shape != (2,) or not numbers:
            raise ValueRangeError("emergence", self.emergence, "two days since 1 January, 0 to 365")
        super().__post_init__()

    @property
    def chosen_factors(self) -> Factors:
        chosen: Factors = as_record(Factors, self.factors)
        return chosen

    @property
    def as_published(self) -> bool:
        return self.interaction == "published_code"

    # The stand

    def emerge(self, crops: Crops, factors: Factors) -> Stand:
        one, two = (initial_state(crop.plant, self.precision) for crop in crops)
        return new_stand(one, two)

    def one_day(self, stand: Stand, today: Weather, dose: Array, crops: Crops, factors: Factors) -> Stand:
        management = Management(nitrogen=dose)
        rows = zip(stand.crops, crops, self.emergence, strict=True)
        one, two = (self._grown(state, today, management, crop.plant, first) for state, crop, first in rows)
        return dataclasses.replace(stand, crops=(one, two))

    def _grown(self, state: State, today: Weather, management: Management, plant: Any, emergence: float) -> State:
        if self.as_published:  # a mature crop goes on, at the stage of maturity
            return next_morning(state, processes(state, today, management, plant), plant)
        later = advance(state, today, management, plant)
        if not emergence:
            return later
        waiting = dataclasses.replace(state, day=state.day + 1.0)
        return kept_if(state.day < emergence, waiting, later)

    def interact(self, before: Stand, after: Stand, today: Weather, crops: Crops, factors: Factors) -> Stand:
        effects_of = INTERACTIONS[self.interaction]
        if effects_of is None:
            return after
        rows = zip(after.crops, crops, strict=True)
        one, two = (neighbour(state, transpiration(state, today, crop.plant).actual) for state, crop in rows)
        found = effects_of(one, two, factors)
        if self.as_published:
            return dataclasses.replace(after, effects=found.effects)
        standing = zip(before.crops, crops, self.emergence, strict=True)
        first, second = (~is_over(state, crop.plant) & (state.day >= emerged) for state, crop, emerged in standing)
        return jax.tree.map(lambda new, old: jnp.where(first & second, new, old), affected(after, found), after)

    # What differs in the published code

    def look(self, stand: Stand, today: Weather, crops: Crops, factors: Factors) -> tuple[Seen, Seen]:
        one, two = super().look(stand, today, crops, factors)
        if not self.as_published:
            return one, two
        first, second = stand.effects
        return shown(one, first), shown(two, second)

    def growth(self, before: Stand, after: Stand) -> Growth:
        if not self.as_published:
            return super().growth(before, after)
        rows = zip(before.crops, after.crops, after.effects, strict=True)
        # What is shown at the end, less what really was there at the beginning: the effect is charged every week anew.
        one, two = (effect.growth * later.grain_mass - now.grain_mass for now, later, effect in rows)
        return one, two

    def ended(
        self, stand: Stand, day: Array, season: Array, crops: Crops, params: IntercropParams
    ) -> tuple[Array, Array]:
        if self.as_published:
            one, two = (state.stage >= crop.plant.mature_stage for state, crop in zip(stand.crops, crops, strict=True))
            return one | two, day >= LAST_DECISION + params.weather.leap[season]
        if self.ends == "either":
            return super().ended(stand, day, season, crops, params)
        one, two = (is_over(state, crop.plant) for state, crop in zip(stand.crops, crops, strict=True))
        return one & two, ~(one & two) & (day + 1 >= params.weather.length[season])

    def _latest_harvest(self, weather: FieldWeather) -> Any:
        if self.as_published:
            return LAST_DECISION + np.asarray(weather.leap)
        return super()._latest_harvest(weather)

    def first_observed_day(self, day: Array) -> Array:
        first = super().first_observed_day(day)
        # The published code shows the weather of the first interval once more at the end of the second.
        return jnp.where(day == 2 * self.interval, 0, first) if self.as_published else first

    def more_info(self, stand: Stand) -> Info:
        return {
            "growth_effect": jnp.stack([each.growth for each in stand.effects]),
            "lost_mass": jnp.stack(stand.lost_mass),
        }


def shown(seen: Seen, on: Any) -> Seen:
    """What the published code shows of a crop on which these effects act."""
    grown = ("leaf_mass", "root_mass", "grain_mass", "stem_mass", "above_ground_mass")
    return dataclasses.replace(
        seen,
        **{name: getattr(seen, name) * on.growth for name in grown},
        total_growth=seen.total_growth * on.light,
        transpiration_reduction=seen.transpiration_reduction * on.water,
        nitrogen_uptake=seen.nitrogen_uptake * on.root,
    )
