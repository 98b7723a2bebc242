"""Growth by light: intercepted radiation times light use efficiency, reduced by water or by nitrogen."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State, Weather

LIGHT_PER_RADIATION = 0.5  # photosynthetically active part of global radiation


class Growth(NamedTuple):
    light: Value  # MJ m-2 d-1, photosynthetically active radiation
    reduction: Value  # -, GRF: by water or nitrogen, whichever is scarcer
    dry_matter: Value  # g m-2 d-1, RGROWTH


def intercepted_share(state: State, p: Parameters) -> Value:
    """Of the light, by a crop that stands alone."""
    return 1.0 - jnp.exp(-p.light_extinction * state.leaf_area_index)


def growth(
    weather: Weather, intercepted: Value, water_reduction: Value, nitrogen_reduction: Value, p: Parameters
) -> Growth:
    """`intercepted` is the crop's share of the light."""
    light = LIGHT_PER_RADIATION * (weather.irradiation * 1e-6)
    reduction = jnp.minimum(water_reduction, nitrogen_reduction)
    return Growth(
        light=light, reduction=reduction, dry_matter=p.light_use_efficiency * (light * intercepted) * reduction
    )
