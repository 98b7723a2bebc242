"""Which crops stand on their field today, and what each of them has of the light."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.models.intercropping.light import Leaves, mixed_share, strip_share
from phytotron.models.intercropping.stand import Rows
from phytotron.models.intercropping.states import FieldState
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.phenology import is_mature


class Canopy(NamedTuple):
    """Of one day, by crop."""

    standing: Array  # whether the crop is on the field
    leaf_area: Array  # m2 m-2, of crops that are
    whole_leaf_area: Array  # m2 m-2, of all crops of the field
    light: Array  # share of the light that the crop intercepts
    part: Array  # share of what all crops of the field intercept


def standing(state: FieldState, rows: Rows) -> Array:
    """Which crops have emerged and are not harvested: mature, or left to the latest day of harvest."""
    day, p = state.plants.day, rows.plants
    return (day >= rows.emergence) & ~is_mature(state.plants.stage, p) & (day < p.latest_harvest)


def field_is_over(state: FieldState, rows: Rows) -> Array:
    """Whether every crop of a field is mature or will never come, or the latest day of harvest is there."""
    p = rows.plants
    done = is_mature(state.plants.stage, p) | (rows.emergence >= p.latest_harvest)
    return (done & rows.other(done, alone=True)) | (state.plants.day >= p.latest_harvest)


def canopy(state: FieldState, rows: Rows) -> Canopy:
    there = standing(state, rows)
    area = jnp.where(there, jnp.maximum(0.0, state.plants.leaf_area_index), 0.0)
    own = Leaves(area, rows.plants.light_extinction, state.height)
    other = Leaves(*(rows.other(each) for each in own))
    light = mixed_share(own, other)
    if rows.layout == "strips":
        light = jnp.where(rows.alone, light, strip_share(own, other, rows.sharing.strip_width))
    return Canopy(there, area, rows.of_field(area), light, ratio(light, rows.of_field(light)))
