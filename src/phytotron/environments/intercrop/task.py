"""Common parts of the tasks of two crops: options, the weekly step, reward and observation; an `Interplay` simulates
the crops.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Info
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, as_record, with_values
from phytotron.environments.field.controllers import SplitPractice
from phytotron.environments.field.doses import Continuous
from phytotron.environments.field.farming import KG_HA, Farming, Limits, RewardParameters, farmed
from phytotron.environments.field.seasons import check_length
from phytotron.environments.field.task import FieldTask
from phytotron.environments.intercrop import presentation as shown
from phytotron.environments.intercrop.growth import Growth
from phytotron.environments.intercrop.interplay import Interplay
from phytotron.environments.intercrop.observations import Situation
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.intercrop.types import Crops, IntercropParams, IntercropState, Season
from phytotron.models.crops import Crop, load_crop
from phytotron.weather.table import WeatherError

DOSES = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0)  # kg ha-1, seed paper, section II


class Grown(NamedTuple):
    """The result of the pre-step: both crops an interval later, before the effects of the crops on each other."""

    stand: Any
    dose: Array  # kg ha-1, as `Interplay.by_crop` gives it; nothing once the season is over
    over: Array  # whether the season was over before


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class TwoCrops(FieldTask[IntercropState, IntercropParams]):
    """Base of tasks with two crops and one decision per interval. The specification is in the docstring of
    each task.
    """

    factors_record: ClassVar[type[Any]]  # how the crops affect each other
    split: ClassVar[SplitPractice] = SplitPractice()
    measures = shown.MEASURES
    channels = shown.CHANNELS
    baselines = cached_property(shown.baselines)
    tunable_rules = cached_property(shown.tunable_rules)

    crops: tuple[str | Crop, str | Crop] = ("winter_wheat", "faba_bean")
    doses: Sequence[float] | Continuous = DOSES  # kg ha-1
    factors: Any = dataclasses.field(default_factory=dict)

    @property
    @abstractmethod
    def interplay(self) -> Interplay:
        """Return the model of the two crops and of their interaction."""

    @cached_property
    def growth(self) -> Growth:
        """The growth of the crops from one decision to the next."""
        return Growth(self.interplay, self.interval, self.precision)

    @cached_property
    def _crops(self) -> Crops:
        return chosen_crops(self.crops)

    @property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:
        params = self.default_params
        return {
            **super().fields,
            "factors": with_values(params.factors),
            "crop 1 parameters": with_values(params.crops[0].plant),
            "crop 2 parameters": with_values(params.crops[1].plant),
        }

    # What may vary between episodes

    @cached_property
    def default_params(self) -> IntercropParams:
        weather = self.seasons
        if weather.vapour_pressure is None:
            raise WeatherError("the weather has no vapour pressure; give a table with a column vapour_pressure [Pa]")
        latest = self.interplay.last_day(self._crops, np.asarray(weather.leap))
        device = self._held(latest)
        params = IntercropParams(
            crops=self._crops,
            factors=as_record(self.factors_record, self.factors),
            reward=as_record(RewardParameters, self.reward_parameters),
            limits=as_record(Limits, self.limits),
            weather=device,
            zero_grain=jnp.zeros((2, device.seasons, 1), self.precision),
            seasons=jnp.arange(device.seasons, dtype=jnp.int32),
        )
        grain, last_day = self.growth.without_fertiliser(params)
        check_length(weather, np.minimum(np.asarray(last_day), latest), "the season")
        return dataclasses.replace(params, zero_grain=grain)

    def params(self, **changes: Any) -> IntercropParams:
        """Return the default parameters with changes, and with the growth without fertiliser that follows from them.

        `grad` and `vmap` go through it. The weather has to last until the harvest of the crops.
        """
        params = dataclasses.replace(self.default_params, **changes)
        if not changes.keys() & {"crops", "factors", "weather"}:
            return params
        return dataclasses.replace(params, zero_grain=self.growth.without_fertiliser(params)[0])

    # The task

    def initial(self, key: Array, params: IntercropParams) -> tuple[Array, IntercropState]:
        season_key, observation_key = jax.random.split(key)
        season = self.growth.season(jax.random.choice(season_key, jnp.asarray(params.seasons, jnp.int32)), params)
        none = self.interplay.by_crop(jnp.zeros((), self.precision))
        start = self.interplay.emerge(season, self.precision)
        state = IntercropState(
            stand=self.growth.grown(start, jnp.zeros((), jnp.int32), none, none, season),
            due=none,
            farming=Farming.none(self.precision),
            season=season.number,
            day=jnp.asarray(self.first_day, jnp.int32),
        )
        return self._observe(observation_key, state, season), state

    def transition(
        self, key: Array, state: IntercropState, action: Array, params: IntercropParams
    ) -> tuple[Array, IntercropState, Array, Array, Array, Info]:
        grown = self.pre_step(state, action, params)
        return self.complete_step(key, state, action, grown, self.update(state, grown, params), params)

    # The step in its three parts, as InterCropGym has it

    def pre_step(self, state: IntercropState, action: Array, params: IntercropParams) -> Grown:
        """Return the stand after an action and an interval of growth, before the crops affect each other.

        Together with `update` and `complete_step` it makes up `transition`. Between them the crops can be changed
        freely, as long as the stand keeps its structure. A season that is over does not change.
        """
        season = self.growth.season(state.season, params)
        over = self.growth.over(state.stand, state.day, season)
        wanted = self.interplay.by_crop(self.processing.decision(action, self.precision).nitrogen)
        dose = jnp.where(over, 0.0, wanted)
        return Grown(self.growth.grown(state.stand, state.day, state.due, dose / KG_HA, season), dose, over)

    def update(self, state: IntercropState, grown: Grown, params: IntercropParams) -> Any:
        """Return the stand at the end of the interval: with the effects of the crops on each other."""
        season = self.growth.season(state.season, params)
        return self.growth.affected(state.stand, grown.stand, state.day, grown.over, season)

    def complete_step(
        self,
        key: Array,
        state: IntercropState,
        action: Array,
        grown: Grown,
        stand: Any,
        params: IntercropParams,
    ) -> tuple[Array, IntercropState, Array, Array, Array, Info]:
        """Return the result of `transition` for a given stand at the end of the interval, which determines reward and
        end.
        """
        interplay, season, over = self.interplay, self.growth.season(state.season, params), grown.over
        given = interplay.total(grown.dose)
        farming = farmed(state.farming, over, given)
        applied = grown.dose / KG_HA
        day = self.growth.next_day(state.day, over)
        later = jnp.zeros_like(applied) if self.interval > 1 else applied
        after = IntercropState(stand=stand, due=later, farming=farming, season=state.season, day=day)

        terminated, truncated = interplay.ended(stand, day, season)
        outcome = Outcome(
            growth=jnp.where(over, 0.0, jnp.stack(interplay.growth(state.stand, stand))),
            zero_growth=self._zero_growth(state.day, day, season, params),
            dose=interplay.plots * applied,
            total_dose=interplay.plots * farming.total_dose / KG_HA,
            terminated=terminated,
            ended=(terminated | truncated) & ~over,
            stand=stand,
            crops=season.crops,
            reward=params.reward,
        )
        value = jnp.asarray(self.chosen_reward(outcome))
        by_crop = value if value.ndim else jnp.stack([value, value]) / 2.0
        rewards = jnp.where(over, 0.0, by_crop).astype(self.precision)
        info = {
            **self._info(after, action, outcome, params),
            "dose": grown.dose,
            "nitrogen": interplay.plots * given,
            "rewards": rewards,
            "day": day,
            **interplay.info(outcome),
        }
        return self._observe(key, after, season), after, rewards[0] + rewards[1], terminated, truncated, info

    def _observe(self, key: Array, state: IntercropState, season: Season) -> Array:
        first = self.interplay.first_observed(state.day, self.interval)
        situation = Situation(
            stand=state.stand,
            crops=season.crops,
            observed=self.interplay.look(state.stand, season.day(state.day), season),
            weather=season.days(first, self.interval),
            vapour_pressure=season.weather.vapour_pressure_window(season.number, first, self.interval),
            farming=state.farming,
            day=state.day,
            key=key,
        )
        return self.observer.observe(situation).astype(self.precision)

    def _zero_growth(self, first: Array, last: Array, season: Season, params: IntercropParams) -> Array:
        """Growth (2,) of the grain of both crops without fertiliser between days of decisions [g m-2]."""

        def grain(crop: int, day: Array) -> Array:
            return params.zero_grain[crop, season.number, day // self.interval - 1]

        return jnp.stack([grain(crop, last) - grain(crop, first) for crop in (0, 1)])


def chosen_crops(given: Any, revised: bool = False) -> Crops:
    """Return the pair of crops that an option stands for, by name or as they are; of names, the `revised` values."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise ValueRangeError("crops", given, "a pair of names or of Crops")
    for each in given:
        if not isinstance(each, str | Crop):
            raise ValueRangeError("a crop", each, "a name or a Crop; load_crop(name, ...) makes one")
    one, two = (load_crop(each, revised=revised) if isinstance(each, str) else each for each in given)
    return one, two
