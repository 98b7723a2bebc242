"""What all tasks of two crops have in common: the options, the week, the reward, the observation.

A task says how a stand of two crops begins, what a day does to it, and what happens between the crops at the end of an
interval; everything else is here.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Info, Starts
from phytotron.core.fields import replace, unstack
from phytotron.environments.field.seasons import check_length
from phytotron.environments.field.zero_run import dated
from phytotron.environments.intercrop.observations import Seen, Situation, seen_alone
from phytotron.environments.intercrop.options import LONGEST_INTERVAL, PairOptions
from phytotron.environments.intercrop.reward import Outcome
from phytotron.environments.intercrop.types import Crops, Farming, IntercropParams, IntercropState
from phytotron.environments.wheat.reward import KG_HA, Limits, RewardParameters, costs
from phytotron.models.lintul3 import Weather, is_over
from phytotron.weather.field_weather import FieldWeather
from phytotron.weather.table import WeatherError

Growth = tuple[Array, Array]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class TwoCrops(PairOptions):
    """Two crops, one decision per interval. The specification stands in the tasks that are made of it."""

    plots: ClassVar[float]  # areas that get the dose, each of them in full: that of every crop, or the one of both

    # What a task has to say

    @abstractmethod
    def emerge(self, crops: Crops, factors: Any) -> Any:
        """The stand on 1 January: a pytree with `crops`, a pair of states of LINTUL-3."""

    @abstractmethod
    def one_day(self, stand: Any, today: Weather, dose: Array, crops: Crops, factors: Any) -> Any:
        """The stand one day later, with a dose [g m-2] on each plot that is fertilised."""

    def interact(self, before: Any, after: Any, today: Weather, crops: Crops, factors: Any) -> Any:
        """The stand at the end of an interval; `before` is that at its beginning, `today` the day that begins."""
        return after

    def look(self, stand: Any, today: Weather, crops: Crops, factors: Any) -> tuple[Seen, Seen]:
        """What is seen of the two crops."""
        one, two = (seen_alone(state, today, crop.plant) for state, crop in zip(stand.crops, crops, strict=True))
        return one, two

    def growth(self, before: Any, after: Any) -> Growth:
        """Of the grain of each crop in an interval [g m-2]."""
        one, two = (later.grain_mass - now.grain_mass for now, later in zip(before.crops, after.crops, strict=True))
        return one, two

    def ended(
        self, stand: Any, day: Array, season: Array, crops: Crops, params: IntercropParams
    ) -> tuple[Array, Array]:
        """Whether the season is over, and whether its weather is: with the first crop that is harvested."""
        one, two = (is_over(state, crop.plant) for state, crop in zip(stand.crops, crops, strict=True))
        terminated = one | two
        return terminated, ~terminated & (day + 1 >= params.weather.length[season])

    def first_observed_day(self, day: Array) -> Array:
        """Of the weather that is observed on a day."""
        return day - self.interval

    def more_info(self, stand: Any) -> Info:
        """What `info` has besides that of all tasks."""
        return {}

    # What may vary between episodes

    @cached_property
    def default_params(self) -> IntercropParams:
        weather = self.seasons
        if weather.vapour_pressure is None:
            raise WeatherError("the weather has no vapour pressure; give a table with a column vapour_pressure [Pa]")
        latest = self._latest_harvest(weather)
        # Beyond the last day there is room for an interval, so that no window is ever moved.
        device = weather.resized(int(latest.max()) + 1 + LONGEST_INTERVAL).on_device(self.precision)
        params = IntercropParams(
            crops=self._crops,
            factors=self.chosen_factors,
            reward=as_record(RewardParameters, self.reward_parameters),
            limits=as_record(Limits, self.limits),
            weather=device,
            zero_grain=jnp.zeros((2, device.seasons, 1), self.precision),
            seasons=jnp.arange(device.seasons, dtype=jnp.int32),
        )
        grain, last_day = jax.jit(self.zero_run)(params)
        check_length(weather, np.minimum(np.asarray(last_day), latest), "the season")
        return dataclasses.replace(params, zero_grain=grain)

    def _latest_harvest(self, weather: FieldWeather) -> Any:
        """Days since 1 January, by season, on which the last crop is harvested that does not ripen."""
        each = [np.asarray(dated(crop.plant, np.asarray(weather.leap)).latest_harvest) for crop in self._crops]
        return np.maximum(*each)

    def params(self, **changes: Any) -> IntercropParams:
        """The default parameters with changes, and what grows without fertiliser under them.

        `grad` and `vmap` go through it. The weather has to last until the harvest of the crops.
        """
        params = dataclasses.replace(self.default_params, **changes)
        if not changes.keys() & {"crops", "factors", "weather"}:
            return params
        return dataclasses.replace(params, zero_grain=self.zero_run(params)[0])

    @property
    def episode_steps(self) -> int:
        """Decisions in the longest season that there can be."""
        latest = self.default_params.weather.days - 1 - LONGEST_INTERVAL
        return -(-(latest - self.interval) // self.interval)

    # The task

    def starts(self, params: IntercropParams | None = None) -> Starts:
        params = self.default_params if params is None else params
        one_each = dataclasses.replace(params, seasons=params.seasons[:, None])
        none: Any = jax.tree.map(lambda _: None, params)
        held = {name: getattr(none, name) for name in IntercropParams.__dataclass_fields__}
        axes = IntercropParams(**held | {"seasons": 0})
        return Starts(one_each, axes, tuple(self.seasons.label(int(row)) for row in params.seasons))

    def date(self, state: IntercropState) -> np.datetime64:
        """The day of a decision."""
        year = np.datetime64(int(self.seasons.year[int(state.season)]) - 1970, "Y")
        return year.astype("datetime64[D]") + int(state.day)

    def initial(self, key: Array, params: IntercropParams) -> tuple[Array, IntercropState]:
        season_key, seen_key = jax.random.split(key)
        season = jax.random.choice(season_key, jnp.asarray(params.seasons, jnp.int32))
        crops, nothing = self.crops_of(season, params), jnp.zeros((), self.precision)
        state = IntercropState(
            stand=self._first_interval(season, crops, params),
            due=nothing,
            farming=Farming(dose=nothing, total_dose=nothing, applications=nothing),
            season=season,
            day=jnp.asarray(self.interval, jnp.int32),
        )
        return self.observe(seen_key, state, crops, params), state

    def transition(
        self, key: Array, state: IntercropState, action: Array, params: IntercropParams
    ) -> tuple[Array, IntercropState, Array, Array, Array, Info]:
        crops = self.crops_of(state.season, params)
        over = self._over(state.stand, state.day, state.season, crops, params)
        dose = jnp.where(over, 0.0, self.processing.decision(action, self.precision).nitrogen)
        farming = self._farmed(state.farming, dose, over)
        applied = dose / KG_HA
        stand, day = self._interval_later(state.stand, state.day, state.season, state.due, applied, crops, params)
        later = jnp.zeros_like(applied) if self.interval > 1 else applied
        after = IntercropState(stand=stand, due=later, farming=farming, season=state.season, day=day)

        terminated, truncated = self.ended(stand, day, state.season, crops, params)
        one, two = self.growth(state.stand, stand)
        outcome = Outcome(
            growth=(jnp.where(over, 0.0, one), jnp.where(over, 0.0, two)),
            zero_growth=self._zero_growth(state, after, params),
            dose=self.plots * applied,
            total_dose=self.plots * farming.total_dose / KG_HA,
            terminated=terminated,
            states=stand.crops,
            crops=crops,
            reward=params.reward,
        )
        reward = jnp.where(over, 0.0, self._reward(outcome)).astype(self.precision)
        info = {
            "costs": costs(farming.total_dose, farming.applications, params.limits),
            "growth": jnp.stack(outcome.growth),
            "zero_growth": jnp.stack(outcome.zero_growth),
            "dose": dose,
            "total_dose": farming.total_dose,
            "nitrogen": self.plots * dose,
            "day": day,
            "year": params.weather.year[state.season],
            "action_invalid": ~jnp.all(jnp.isfinite(action)),
            **self.more_info(stand),
        }
        return self.observe(key, after, crops, params), after, reward, terminated, truncated, info

    def zero_run(self, params: IntercropParams) -> tuple[Array, Array]:
        """Both crops without fertiliser in every season: their grain [g m-2] (2, seasons, decisions), the last day.

        With the same neighbour, who gets no fertiliser either. Development does not depend on nitrogen, so this run has
        the days of every other one on the same weather.
        """
        decisions = params.weather.days // self.interval
        nothing = jnp.zeros((), self.precision)

        def one_season(season: Array) -> tuple[Array, Array]:
            crops = self.crops_of(season, params)

            def step(now: tuple[Any, Array], _: None) -> tuple[Any, Array]:
                stand, day = self._interval_later(*now, season, nothing, nothing, crops, params, day_of_reset=0)
                return (stand, day), jnp.stack([each.grain_mass for each in stand.crops])

            first = self.emerge(crops, self._factors_of(params)), jnp.zeros((), jnp.int32)
            (_, day), grain = jax.lax.scan(step, first, None, length=decisions)
            return jnp.moveaxis(grain, 0, -1), day

        grain, day = jax.vmap(one_season)(jnp.arange(params.weather.seasons, dtype=jnp.int32))
        return jnp.moveaxis(grain, 0, 1), day

    def crops_of(self, season: Array, params: IntercropParams) -> Crops:
        """In the precision of the task, with the latest harvest in days of the season's year."""
        cast = jax.tree.map(lambda leaf: jnp.asarray(leaf, self.precision), params.crops)
        leap = params.weather.leap[season]
        one, two = (dataclasses.replace(crop, plant=dated(crop.plant, leap)) for crop in cast)
        return one, two

    def observe(self, key: Array, state: IntercropState, crops: Crops, params: IntercropParams) -> Array:
        first = self.first_observed_day(state.day)
        today = self._day(state.season, state.day, params)
        situation = Situation(
            stand=state.stand,
            crops=crops,
            seen=self.look(state.stand, today, crops, self._factors_of(params)),
            weather=params.weather.window(state.season, first, self.interval),
            vapour_pressure=params.weather.vapour_pressure_window(state.season, first, self.interval),
            farming=state.farming,
            day=state.day,
            key=key,
        )
        return self.observer.observe(situation).astype(self.precision)

    def _first_interval(self, season: Array, crops: Crops, params: IntercropParams) -> Any:
        """The stand on the day of the first decision."""
        factors, nothing = self._factors_of(params), jnp.zeros((), self.precision)
        days = params.weather.window(season, jnp.zeros((), jnp.int32), self.interval)
        return self._advance(self.emerge(crops, factors), days, nothing, nothing, crops, factors)

    def _interval_later(
        self,
        stand: Any,
        day: Array,
        season: Array,
        due: Array,
        dose: Array,
        crops: Crops,
        params: IntercropParams,
        day_of_reset: int | None = None,
    ) -> tuple[Any, Array]:
        """The stand and the day of the next decision; a season that is over stays as it is.

        In the interval that `reset` runs, the crops do nothing to each other; it may be asked for by its first day.
        """
        factors = self._factors_of(params)
        over = self._over(stand, day, season, crops, params)
        grown = self._advance(stand, params.weather.window(season, day, self.interval), due, dose, crops, factors)
        later = self.interact(stand, grown, self._day(season, day + self.interval, params), crops, factors)
        if day_of_reset is not None:
            later = jax.tree.map(lambda old, new: jnp.where(day == day_of_reset, old, new), grown, later)
        kept = jax.tree.map(lambda old, new: jnp.where(over, old, new).astype(old.dtype), stand, later)
        return kept, jnp.where(over, day, day + self.interval)

    def _advance(self, stand: Any, days: Array, due: Array, dose: Array, crops: Crops, factors: Any) -> Any:
        """The stand after some days (days, 7), with what is applied on the first and on the second of them [g m-2]."""

        def one_day(number: Array, now: Any) -> Any:
            applied = jnp.where(number == 0, due, jnp.where(number == 1, dose, 0.0))
            later = self.one_day(now, unstack(Weather, days[number]), applied, crops, factors)
            return jax.tree.map(lambda new, old: new.astype(old.dtype), later, now)

        return jax.lax.fori_loop(0, self.interval, one_day, stand)

    def _over(self, stand: Any, day: Array, season: Array, crops: Crops, params: IntercropParams) -> Array:
        terminated, truncated = self.ended(stand, day, season, crops, params)
        return terminated | truncated

    def _zero_growth(self, before: IntercropState, after: IntercropState, params: IntercropParams) -> Growth:
        def grain(crop: int, day: Array) -> Array:
            return params.zero_grain[crop, before.season, day // self.interval - 1]

        return grain(0, after.day) - grain(0, before.day), grain(1, after.day) - grain(1, before.day)

    def _farmed(self, before: Farming, dose: Array, over: Array) -> Farming:
        now = Farming(dose=dose, total_dose=before.total_dose + dose, applications=before.applications + (dose > 0.0))
        return jax.tree.map(lambda new, old: jnp.where(over, old, new).astype(self.precision), now, before)

    def _factors_of(self, params: IntercropParams) -> Any:
        return jax.tree.map(lambda leaf: jnp.asarray(leaf, self.precision), params.factors)

    def _day(self, season: Array, day: Array, params: IntercropParams) -> Weather:
        return unstack(Weather, params.weather.window(season, day, 1)[0])


def as_record(kind: type[Any], choice: Any) -> Any:
    """A record, or its defaults with changes by name or symbol."""
    return choice if isinstance(choice, kind) else replace(kind(), choice)
