"""Simulation of two crops from one decision to the next, and without fertiliser from the first day to the harvest."""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import cast
from phytotron.environments.field.seasons import dated
from phytotron.environments.field.task import some_days
from phytotron.environments.intercrop.interplay import Interplay
from phytotron.environments.intercrop.types import IntercropParams, Season


@dataclasses.dataclass(frozen=True)
class Growth:
    """The growth of two crops over intervals of some days.

    Tasks that grow their crops in the same way have equal ones, so that they share what has been compiled.
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
        """Return the stand an interval later, with what is applied on the first and on the second day of it [g m-2]."""
        days = season.days(day, self.interval)
        return some_days(stand, days, due, dose, partial(self.interplay.one_day, season=season))

    def interval_later(
        self, stand: Any, day: Array, due: Array, dose: Array, season: Season, day_of_reset: int | None = None
    ) -> tuple[Any, Array]:
        """Return the stand and the day of the next decision; a season that is over stays as it is.

        In the interval that `reset` runs, the crops do nothing to each other; it may be asked for by its first day.
        """
        over = self.over(stand, day, season)
        grown = self.grown(stand, day, due, dose, season)
        later = self.interplay.interact(stand, grown, season.day(day + self.interval), season)
        if day_of_reset is not None:
            later = jax.tree.map(lambda old, new: jnp.where(day == day_of_reset, old, new), grown, later)
        kept = jax.tree.map(lambda old, new: jnp.where(over, old, new).astype(old.dtype), stand, later)
        return kept, jnp.where(over, day, day + self.interval)

    @partial(jax.jit, static_argnums=0)
    def without_fertiliser(self, params: IntercropParams) -> tuple[Array, Array]:
        """Simulate both crops without fertiliser in every season: their grain [g m-2] (2, seasons, decisions), the last
        day.

        With the same neighbour, who gets no fertiliser either. Development does not depend on nitrogen, so this run has
        the days of every other one on the same weather.
        """
        decisions = params.weather.days // self.interval
        none = self.interplay.by_crop(jnp.zeros((), self.precision))

        def one_season(number: Array) -> tuple[Array, Array]:
            season = self.season(number, params)

            def step(now: tuple[Any, Array], _: None) -> tuple[Any, Array]:
                stand, day = self.interval_later(*now, none, none, season, day_of_reset=0)
                return (stand, day), jnp.stack([each.grain_mass for each in stand.crops])

            first = self.interplay.emerge(season, self.precision), jnp.zeros((), jnp.int32)
            (_, day), grain = jax.lax.scan(step, first, None, length=decisions)
            return jnp.moveaxis(grain, 0, -1), day

        grain, day = jax.vmap(one_season)(jnp.arange(params.weather.seasons, dtype=jnp.int32))
        return jnp.moveaxis(grain, 0, 1), day
