"""Simulation of two crops from one decision to the next, and without fertiliser from the first day to the harvest."""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import cast, kept_if
from phytotron.environments.field.seasons import dated
from phytotron.environments.field.task import some_days
from phytotron.environments.intercrop.interplay import Interplay
from phytotron.environments.intercrop.types import IntercropParams, Season


@dataclasses.dataclass(frozen=True)
class Growth:
    """The growth of two crops over intervals of some days.

    Tasks whose crops grow in the same way have equal `Growth` objects, so that they share compiled functions.
    """

    interplay: Interplay
    interval: int  # d, between decisions
    precision: str

    def season(self, number: Array, params: IntercropParams) -> Season:
        """Return a season of the weather by its number."""
        leap = params.weather.leap[number]
        one, two = (
            dataclasses.replace(crop, plant=dated(crop.plant, leap)) for crop in cast(params.crops, self.precision)
        )
        return Season(number, (one, two), cast(params.factors, self.precision), params.weather)

    def over(self, stand: Any, day: Array, season: Season) -> Array:
        """Return whether the season has ended."""
        terminated, truncated = self.interplay.ended(stand, day, season)
        return terminated | truncated

    def grown(self, stand: Any, day: Array, due: Array, dose: Array, season: Season) -> Any:
        """Return the stand an interval later, with amounts applied on the first and on the second day [g m-2]."""
        days = season.days(day, self.interval)
        return some_days(stand, days, due, dose, partial(self.interplay.one_day, season=season))

    def affected(self, before: Any, grown: Any, day: Array, over: Array, season: Season) -> Any:
        """Return the stand at the end of the interval that begins on this day, with the effects of the crops on each
        other.

        If the season is over, the stand before the interval is returned.
        """
        later = self.interplay.interact(before, grown, season.day(day + self.interval), season)
        return kept_if(over, before, later)

    def next_day(self, day: Array, over: Array) -> Array:
        """Return the day of the next decision."""
        return jnp.where(over, day, day + self.interval)

    def without_fertiliser(self, params: IntercropParams) -> tuple[Array, Array]:
        """Simulate both crops without fertiliser in every season; return their grain [g m-2] (2, seasons, decisions)
        and the last day.

        The neighbour gets no fertiliser either. Development does not depend on nitrogen, so this run has the same days
        as every other one on the same weather.
        """
        unused = jnp.zeros(())
        padded = dataclasses.replace(params, weather=params.weather.padded(), zero_grain=unused, seasons=unused)
        grain, day = self._in_every_season(padded)
        seasons, decisions = params.weather.seasons, params.weather.days // self.interval
        return grain[:, :seasons, :decisions], day[:seasons]

    @partial(jax.jit, static_argnums=0)
    def _in_every_season(self, params: IntercropParams) -> tuple[Array, Array]:
        weather = params.weather
        none = self.interplay.by_crop(jnp.zeros((), self.precision))

        def one_season(number: Array) -> tuple[Array, Array]:
            season = self.season(number, params)

            def step(now: tuple[Any, Array], _: None) -> tuple[Any, Array]:
                stand, day = now
                over = self.over(stand, day, season)
                grown = self.grown(stand, day, none, none, season)
                affected = self.affected(stand, grown, day, over, season)
                # in the interval that `reset` runs, the crops do nothing to each other
                stand = kept_if(day == 0, grown, affected)
                return (stand, self.next_day(day, over)), jnp.stack([each.grain_mass for each in stand.crops])

            first = self.interplay.emerge(season, self.precision), jnp.zeros((), jnp.int32)
            (_, day), grain = jax.lax.scan(step, first, None, length=weather.days // self.interval)
            return jnp.moveaxis(grain, 0, -1), day

        grain, day = jax.vmap(one_season)(jnp.arange(weather.seasons, dtype=jnp.int32))
        return jnp.moveaxis(grain, 0, 1), day
