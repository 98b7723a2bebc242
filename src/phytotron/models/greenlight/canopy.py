"""Leaf area and how much light and far-infrared a canopy of that area lets pass.

Vanthoor 2011, eqs. 9.5, 8.27, 8.31 and table 8.3; Katzin 2021, eqs. 7.13 and 7.29-7.30.
"""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.greenlight.mathematics import together
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import State

# The smallest leaf area the energy balance of the canopy is solved for: bare soil has a canopy temperature too.
LEAF_AREA_MINIMUM = 1e-3


class Canopy(NamedTuple):
    """Leaf area index and the shares of radiation that pass the canopy."""

    leaf_area: Value
    par: Value  # downwards
    par_up: Value  # upwards, after reflection by the floor
    nir: Value
    fir: Value
    interlamp_par_below: Value  # from the inter-lamps to the floor
    interlamp_par_above: Value  # from the inter-lamps to the top
    interlamp_par_up: Value  # from the floor through the whole canopy
    interlamp_nir_below: Value
    interlamp_nir_above: Value
    interlamp_fir_below: Value
    interlamp_fir_above: Value


def canopy(state: State, p: Parameters) -> Canopy:
    """Leaf area, and what the leaves let pass of every kind of radiation."""
    leaf_area = jnp.maximum(p.specific_leaf_area * state.leaf_carbohydrate, LEAF_AREA_MINIMUM)
    below = p.interlamp_position * leaf_area
    above = leaf_area - below
    exponents = (
        p.canopy_par_extinction * leaf_area,
        p.canopy_par_extinction_up * leaf_area,
        p.canopy_nir_extinction * leaf_area,
        p.canopy_fir_extinction * leaf_area,
        p.interlamp_par_extinction * below,
        p.interlamp_par_extinction * above,
        p.interlamp_par_extinction_up * leaf_area,
        p.interlamp_nir_extinction * below,
        p.interlamp_nir_extinction * above,
        p.interlamp_fir_extinction * below,
        p.interlamp_fir_extinction * above,
    )
    return Canopy(leaf_area, *together(lambda exponent: jnp.exp(-exponent), *exponents))
