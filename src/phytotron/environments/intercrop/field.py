"""Nitrogen for two crops that share one field: its light, its water and its nitrogen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Info, Measure
from phytotron.core.fields import Quantity, find
from phytotron.core.spaces import Box, Discrete
from phytotron.environments.field.doses import amounts
from phytotron.environments.intercrop.base import TwoCrops, as_record
from phytotron.environments.intercrop.field_actions import FieldActions
from phytotron.environments.intercrop.field_observations import FieldSeen, choose_field_observer, seen_on_field
from phytotron.environments.intercrop.field_reward import FIELD_REWARDS, FieldOutcome
from phytotron.environments.intercrop.field_types import FieldFactors, WithSoles, stand_of
from phytotron.environments.intercrop.measures import MEASURES
from phytotron.environments.intercrop.types import Crops, IntercropParams, IntercropState
from phytotron.environments.observing import ObservationChoice, Observer
from phytotron.environments.rewarding import Reward, choose_reward
from phytotron.environments.wheat.reward import KG_HA, costs
from phytotron.models.intercropping.canopy import field_is_over
from phytotron.models.intercropping.field import advance_field, initial_field
from phytotron.models.intercropping.stand import Rows, make_stand
from phytotron.models.intercropping.states import FieldManagement
from phytotron.models.lintul3 import Parameters, Weather
from phytotron.models.lintul3.arithmetic import ratio

# Winter rain fills a Dutch soil to field capacity, as far down as roots will reach; the wheat of CropGym instead starts
# on a soil that is dry below its first roots, where a crop that emerges in April finds no water.
WINTER_WET = {"initial_water_content": 0.4, "subsoil_water_content": 0.4}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class IntercropField(TwoCrops):
    """Give two crops that share a field the nitrogen that they are worth, week by week.

    The crops are two of LINTUL-3 on one soil. Day by day they share the light by leaf area and height, the water by
    demand, the mineral nitrogen by access; a legume fixes most of its own (`models.intercropping`). Beside the field,
    each crop grows alone, at full density, on the same weather and soil and with the same doses: the land equivalent
    ratio (LER) is the sum over both crops of the grain of the field per grain of the sole crop.

    Observation
        Array (61,): of crop 1, then of crop 2, stage, dry matter grown [g m-2], leaf area index, height [m], share of
        the light, nitrogen taken up [g m-2], nitrogen index, transpiration of the day [mm], its reduction, grain
        [g m-2], nitrogen banded to the crop [g m-2]; of the soil, mineral nitrogen [g m-2], water content, rooted depth
        [m], rain since January [mm]; then on each of the seven days before this one global radiation [J m-2 d-1],
        lowest and highest temperature [°C], vapour pressure [hPa] and rain [cm d-1]. `observation`: any list of names
        in `field_observations.FIELD_OBSERVABLES`, of the groups of `Intercrop`, and of observers.
    Action
        Discrete(7): 0, 20, ..., 120 kg ha-1 of nitrogen over the field. `doses`: another ladder, or
        `Continuous(largest)` for a Box. `doses_per_crop`: Discrete(49) or a Box (2,), one dose beside the rows of each
        crop, the first counting fastest; only that crop reaches it until it has spread, with a time constant of two
        weeks.
    Reward
        "grain": the sum over both crops of the growth of the grain, less its growth without fertiliser, less beta = 10
        times the dose [g m-2]. "land_equivalent_ratio": the LER, at the end. Others: see `field_reward.FIELD_REWARDS`,
        `WeightedFieldSum`, or any function of a `FieldOutcome`. `info["rewards"]` (2,): what comes from each crop, for
        two decision makers (see `adapters.pettingzoo`).
    Costs
        `info["costs"]`: nitrogen on the field above `limits` (200 kg ha-1) and applications above it (8), so far.
    End
        Terminated when both crops are mature, or on 1 September; a mature crop is harvested, and leaves light, water
        and nitrogen to the other. Steps after the end change nothing and give 0.
    Start
        1 January; the first decision falls after one interval, on 8 January. What is applied enters the day after the
        decision. Reset draws a season from those that `weather` offers, as for `WheatNitrogen`.
    Field
        `soil`: parameters of the soil and the site, by name or symbol, for the pair and the sole crops; without, those
        of the first crop, with water up to field capacity at the start. `factors`: emergence and density of the crops,
        and how they share the field (`FieldFactors`). `layout`: "mixed" rows or "strips" of equal width.

    >>> import jax
    >>> env = IntercropField(crops=("winter_wheat", "faba_bean"), doses_per_crop=True)
    >>> observation, state = env.reset(jax.random.key(0))
    >>> int(state.day), observation.shape, env.action_space.n
    (7, (61,), 49)

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/IntercropField-v0"
    plots: ClassVar[float] = 1.0

    reward: str | Reward = "grain"
    observation: ObservationChoice = "field"
    doses_per_crop: bool = False
    soil: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    factors: FieldFactors | Mapping[str, Any] = dataclasses.field(default_factory=dict)
    layout: str = "mixed"

    # Choices

    @cached_property
    def _crops(self) -> Crops:
        soil = WINTER_WET | {find(Parameters, name).name: value for name, value in self.soil.items()}
        one, two = make_stand(super()._crops, soil=soil, layout=self.layout).crops
        return one, two

    @property
    def chosen_factors(self) -> FieldFactors:
        chosen: FieldFactors = as_record(FieldFactors, self.factors)
        return chosen

    @cached_property
    def actions(self) -> FieldActions:
        """How actions become doses."""
        return FieldActions(amounts(self.doses, "doses"), self.doses_per_crop)

    @cached_property
    def observer(self) -> Observer:
        return choose_field_observer(self.observation, self.interval)

    @cached_property
    def _reward(self) -> Reward:
        return choose_reward(self.reward, FIELD_REWARDS)

    @cached_property
    def action_space(self) -> Box | Discrete:
        return self.actions.space(self.precision)

    @property
    def fields(self) -> Mapping[str, Any]:
        return {**super().fields, "action": self.actions.quantities}

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (*MEASURES[:-1], *FIELD_MEASURES)

    # The field

    def rows_of(self, crops: Crops, factors: FieldFactors) -> Rows:
        """Both crops of the field, and each of them alone."""
        return stand_of(crops, factors, self.layout).together

    def emerge(self, crops: Crops, factors: FieldFactors) -> WithSoles:
        return WithSoles(fields=initial_field(self.rows_of(crops, factors), self.precision))

    def one_day(self, stand: WithSoles, today: Weather, dose: Array, crops: Crops, factors: FieldFactors) -> WithSoles:
        one, two = jnp.broadcast_to(dose, (2,))
        nothing = jnp.zeros_like(one)
        if self.doses_per_crop:
            spread, banded = (nothing, nothing, one, two), (one, two, nothing, nothing)
        else:
            spread, banded = (one + two,) * 4, (nothing,) * 4
        management = FieldManagement(nitrogen=jnp.stack(spread), banded=jnp.stack(banded))
        return WithSoles(fields=advance_field(stand.fields, today, management, self.rows_of(crops, factors)))

    def look(
        self, stand: WithSoles, today: Weather, crops: Crops, factors: FieldFactors
    ) -> tuple[FieldSeen, FieldSeen]:
        return seen_on_field(stand, today, self.rows_of(crops, factors))

    def ended(
        self, stand: WithSoles, day: Array, season: Array, crops: Crops, params: IntercropParams
    ) -> tuple[Array, Array]:
        terminated = field_is_over(stand.fields, self.rows_of(crops, self._factors_of(params)))[0]
        return terminated, ~terminated & (day + 1 >= params.weather.length[season])

    # The task

    def initial(self, key: Array, params: IntercropParams) -> tuple[Array, IntercropState]:
        observation, state = super().initial(key, params)
        return observation, dataclasses.replace(state, due=jnp.zeros(2, self.precision))

    def transition(
        self, key: Array, state: IntercropState, action: Array, params: IntercropParams
    ) -> tuple[Array, IntercropState, Array, Array, Array, Info]:
        crops = self.crops_of(state.season, params)
        over = self._over(state.stand, state.day, state.season, crops, params)
        dose = jnp.where(over, 0.0, self.actions.doses(action, self.precision))
        given = dose[0] + dose[1]
        farming = self._farmed(state.farming, given, over)
        applied = dose / KG_HA
        stand, day = self._interval_later(state.stand, state.day, state.season, state.due, applied, crops, params)
        later = jnp.zeros_like(applied) if self.interval > 1 else applied
        after = IntercropState(stand=stand, due=later, farming=farming, season=state.season, day=day)

        terminated, truncated = self.ended(stand, day, state.season, crops, params)
        outcome = FieldOutcome(
            growth=jnp.stack(self.growth(state.stand, stand)),
            zero_growth=jnp.stack(self._zero_growth(state, after, params)),
            dose=applied,
            total_dose=farming.total_dose / KG_HA,
            land_equivalents=land_equivalents(stand),
            ended=(terminated | truncated) & ~over,
            stand=stand,
            crops=crops,
            reward=params.reward,
        )
        rewards = jnp.where(over, 0.0, self._of_each_crop(outcome)).astype(self.precision)
        info = {
            "costs": costs(farming.total_dose, farming.applications, params.limits),
            "growth": outcome.growth,
            "zero_growth": outcome.zero_growth,
            "dose": dose,
            "total_dose": farming.total_dose,
            "nitrogen": given,
            "day": day,
            "year": params.weather.year[state.season],
            "action_invalid": ~jnp.all(jnp.isfinite(action)),
            "rewards": rewards,
            "land_equivalents": outcome.land_equivalents,
            "land_equivalent_ratio": jnp.where(outcome.ended, sum(outcome.land_equivalents), 0.0),
        }
        return self.observe(key, after, crops, params), after, rewards[0] + rewards[1], terminated, truncated, info

    def _of_each_crop(self, outcome: FieldOutcome) -> Array:
        value = jnp.asarray(self._reward(outcome))
        return value if value.ndim else jnp.stack([value, value]) / 2.0


def land_equivalents(stand: WithSoles) -> Array:
    """Grain of each crop of the field per that of its sole crop (2,); 0 before there is any."""
    grain = stand.fields.plants.grain_mass
    return ratio(grain[:2], grain[2:])


FIELD_MEASURES = (
    Measure(Quantity("applications", "nN", "-", "applications of nitrogen"), lambda info: info["nitrogen"] > 0.0),
    Measure(
        Quantity("land_equivalent_ratio", "LER", "-", "land that sole crops need for this harvest, per field"),
        lambda info: info["land_equivalent_ratio"],
    ),
)
