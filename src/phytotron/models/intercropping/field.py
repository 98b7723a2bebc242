"""A day and a season of fields: crops of LINTUL-3 that share light, water and nitrogen; daily Euler steps.

A field of one crop is that of `lintul3.season`, but for a soil that lies bare until the crop emerges. A crop that has
not emerged, or is mature and harvested, takes part in nothing. All crops are computed at once, along the last axis.
"""

import dataclasses
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from phytotron.core.arrays import kept_if
from phytotron.models.intercropping.canopy import canopy, field_is_over
from phytotron.models.intercropping.root_zones import first_layers
from phytotron.models.intercropping.soil import drinks, on_next_soil, uptakes
from phytotron.models.intercropping.stand import NEVER, FieldManagement, FieldState, Ground, Rows, Stand
from phytotron.models.lintul3 import Management, Weather, initial_state, next_morning, processes
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.season import Supply
from phytotron.models.lintul3.water import MILLIMETRES

LEAST_PART = 1e-6  # of the leaf area, so that shading is defined for a crop without leaves


def initial_field(rows: Rows, dtype: Any = None) -> FieldState:
    """Return the first morning; the rooted soil is as deep as the first roots of the crop that emerges first."""
    plants = initial_state(rows.plants, dtype)
    precision, shape = plants.day.dtype, plants.day.shape
    emergence = jnp.asarray(rows.emergence, precision)
    first = jnp.minimum(emergence, rows.other(emergence, alone=NEVER))
    roots = jnp.where(emergence == first, plants.root_depth, 0.0)
    depth = jnp.maximum(roots, rows.other(roots)).astype(precision)
    none = jnp.zeros_like(depth)
    water = MILLIMETRES * depth * jnp.asarray(rows.plants.initial_water_content, precision)
    ground = {"depth": depth, "band": none, "fertiliser_sum": none, "mineralised_sum": none}
    return FieldState(
        plants=dataclasses.replace(plants, soil_water=jnp.broadcast_to(water, shape)),
        height=jnp.broadcast_to(jnp.asarray(rows.height.initial, precision), shape),
        ground=first_layers(ground) if rows.rules.root_zones else Ground(**ground),
    )


def advance_field(state: FieldState, weather: Weather, management: FieldManagement, rows: Rows) -> FieldState:
    """Return the state one day later; fields whose season is over stay as they are."""
    leaves = canopy(state, rows)
    drunk = drinks(state, leaves, weather, rows)
    taken = uptakes(state, leaves, rows)
    # Leaves die in the shade of all leaves: LAICR is a leaf area of the canopy, of which the crop has this part.
    own = jnp.maximum(ratio(leaves.leaf_area, leaves.whole_leaf_area, otherwise=1.0), LEAST_PART)
    shaded = dataclasses.replace(rows.plants, critical_leaf_area=rows.plants.critical_leaf_area * own)
    day = processes(
        state.plants, weather, Management(), shaded, Supply(leaves.light, drunk.transpiration, taken.uptake)
    )
    grown = kept_if(~leaves.standing, state.plants, next_morning(state.plants, day, shaded))
    growth = rows.height.growth(state.height, day.development.temperature_sum)
    plants, ground = on_next_soil(grown, state, weather, management, drunk, taken, leaves, rows)
    height = state.height + jnp.where(leaves.standing, growth, 0.0)
    later = FieldState(plants=plants, height=height, ground=ground)
    over = field_is_over(state, rows)
    return jax.tree.map(lambda before, after: jnp.where(over, before, after).astype(before.dtype), state, later)


@jax.jit
def field_season(weather: Weather, management: FieldManagement, stand: Stand) -> FieldState:
    """Return every morning of a season, days along the first axis, crops along the last; those after the end repeat it.

    Weather has its days along the first axis, and fields along the second if they have weather of their own; so has
    management, whose quantities may also be single numbers, or have crops along a last axis of their own. The precision
    is that of the weather.
    """
    start, days, rows = _prepared(weather, management, stand)

    def one_day(state: FieldState, today: tuple[Weather, FieldManagement]) -> tuple[FieldState, FieldState]:
        return advance_field(state, *today, rows), state

    return jax.lax.scan(one_day, start, days)[1]


@jax.jit
def field_harvest(weather: Weather, management: FieldManagement, stand: Stand) -> FieldState:
    """Return the field after the last day: that of `field_season`, without keeping the days before it."""
    start, days, rows = _prepared(weather, management, stand)
    return jax.lax.scan(lambda state, today: (advance_field(state, *today, rows), None), start, days)[0]


def _prepared(
    weather: Weather, management: FieldManagement, stand: Stand
) -> tuple[FieldState, tuple[Weather, FieldManagement], Rows]:
    """The first morning, the days and the crops, in the precision of the weather and in shapes that fit."""
    precision = jnp.result_type(weather.irradiation)
    cast = partial(jax.tree.map, lambda leaf: jnp.asarray(leaf, precision))
    rows = cast(stand).together
    weather = jax.tree.map(lambda leaf: leaf[..., None], cast(weather))
    length, most = weather.irradiation.shape[0], weather.irradiation.ndim

    def shaped(leaf: Any) -> Any:
        """Return any quantity as (days, fields, crops)."""
        if not leaf.ndim:
            return jnp.full((length, *(1,) * (most - 1)), leaf)
        return leaf if leaf.ndim == most else leaf[..., None]

    management = jax.tree.map(shaped, cast(management))
    own = (each.shape[1:] for each in jax.tree.leaves((weather, management)))
    start = initial_field(rows, precision)
    fields = jnp.broadcast_shapes(start.height.shape, *own)
    return jax.tree.map(lambda each: jnp.broadcast_to(each, fields), start), (weather, management), rows
