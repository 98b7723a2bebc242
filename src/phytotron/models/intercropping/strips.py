"""Fields of strips: mixed rows near the edges, sole crops between them.

Light, water and nitrogen reach from one strip into the next over some decimetres only. The land of a strip at a
distance x from its nearest edge is taken to be shared to the extent exp(-x / reach). On average over a strip of width w
that is the edge share

    e = (1 - exp(-d)) / d,  d = w / (2 reach),

which is 1 for w = 0 and 2 reach / w for wide strips. The field is then, to the share e of its land, a field of mixed
rows, and for the rest sole crops, each on its share of the land: all of these conserve water and nitrogen, so their
mean does. Narrow strips tend to mixed rows, wide ones to sole crops.

This tiling of land is usual in models of land surfaces; that strips can be described so, and the exponential, are
choices.
"""

import dataclasses
from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value, names
from phytotron.models.intercropping.canopy import share_per_leaf
from phytotron.models.intercropping.stand import FieldState

# Of a crop wherever it stands, and of the whole soil; all other quantities are amounts of a crop per area of the field.
OF_CROP = ("day", "stage", "temperature_sum", "root_depth", "height", "water_content", "transpiration_reduction")
OF_SOIL = (
    *("soil_nitrogen", "soil_water", "dry_days", "light_sum", "rain_sum", "irrigation_sum", "explored_water_sum"),
    *("evaporation_sum", "drainage_sum", "runoff_sum", "depth", "upper_depth", "lower_water"),
    *("fertiliser_sum", "mineralised_sum"),
)


def edge_share(width: Value, reach: Value) -> Array:
    """Return the share of the land of strips [m] that both crops share, with a reach [m]."""
    return share_per_leaf(width / (2.0 * reach))


class Land(NamedTuple):
    """The shares of the land that crops share and that each has for itself."""

    shared: Value  # share of the land on which the crops are mixed
    own: Value  # share (2,) of the rest on which each is alone


def of_whole_field(tiles: Any, land: Land) -> Any:
    """Return a record of the two crops of a field, from that of the mixed pair and of each alone (four, last axis)."""

    def mean(name: str, value: Array) -> Array:
        mixed, alone = value[..., :2], value[..., 2:]
        if name in OF_SOIL:
            alone = jnp.sum(land.own * alone, axis=-1, keepdims=True)
        elif name not in OF_CROP:
            alone = land.own * alone
        return land.shared * mixed + (1.0 - land.shared) * alone

    return type(tiles)(**{name: mean(name, getattr(tiles, name)) for name in names(type(tiles))})


def whole_field(tiles: FieldState, land: Land) -> FieldState:
    """Return the field of strips (two crops) of its tiles (four)."""
    height = land.shared * tiles.height[..., :2] + (1.0 - land.shared) * tiles.height[..., 2:]
    return dataclasses.replace(
        tiles, plants=of_whole_field(tiles.plants, land), height=height, ground=of_whole_field(tiles.ground, land)
    )
