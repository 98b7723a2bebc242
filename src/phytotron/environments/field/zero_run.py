"""The run without nitrogen, against which the paper's reward counts.

Development does not depend on nitrogen, so this run has the days of every other one on the same weather. It is computed
once for all seasons, and again at the start of an episode only where parameters vary from episode to episode.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import unstack
from phytotron.models.lintul3 import Management, Parameters, Weather, advance, initial_state

MARCH = 59  # days before 1 March of a common year


def dated(parameters: Parameters, leap: Any) -> Parameters:
    """With the latest harvest, a date of the common year, in days since 1 January of each year."""
    latest = parameters.latest_harvest + jnp.where(leap & (parameters.latest_harvest >= MARCH), 1.0, 0.0)
    return dataclasses.replace(parameters, latest_harvest=latest)


def zero_grain(weather: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Grain [g m-2] on every morning (..., days) without nitrogen and irrigation, and the day of the harvest.

    From weather (..., days, 7); the days after the harvest repeat it.
    """
    days = jnp.moveaxis(weather, -2, 0)
    first = initial_state(parameters, weather.dtype)
    first = jax.tree.map(lambda each: jnp.broadcast_to(each, weather.shape[:-2]), first)

    def one_day(state: Any, today: Array) -> tuple[Any, Array]:
        later = advance(state, unstack(Weather, today), Management(), parameters)
        later = jax.tree.map(lambda new, old: new.astype(old.dtype), later, state)
        return later, state.grain_mass

    last, grain = jax.lax.scan(one_day, first, days)
    return jnp.moveaxis(grain, 0, -1), last.day
