"""Transmission of light and far-infrared by the layers above the crop (roof, screens, lamps) and by the canopy.

Layers: Katzin et al. 2020, eqs. A4-A6; Vanthoor 2011, section 8.4; Katzin 2021, eqs. 7.5-7.6.
Canopy: Vanthoor 2011, eqs. 9.5, 8.27, 8.31 and table 8.3; Katzin 2021, eqs. 7.13 and 7.29-7.30.
"""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.greenlight.design import Design
from phytotron.models.greenlight.mathematics import together
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State

# The smallest leaf area the energy balance of the canopy is solved for: bare soil has a canopy temperature too.
LEAF_AREA_MINIMUM = 1e-3


class Layer(NamedTuple):
    """Transmission, and reflection of light that comes from above (up) and from below (down)."""

    transmission: Value
    reflection_up: Value
    reflection_down: Value


class CoverOptics(NamedTuple):
    """The whole stack above the crop, and what it lets pass in the far-infrared."""

    par: Layer
    nir: Layer
    thermal_screen_fir_transmission: Value
    blackout_screen_fir_transmission: Value


def stack(upper: Layer, lower: Layer) -> Layer:
    """Return two layers with the light that bounces between them."""
    bounces = 1.0 - upper.reflection_down * lower.reflection_up
    return Layer(
        upper.transmission * lower.transmission / bounces,  # A4
        upper.reflection_up + upper.transmission**2 * lower.reflection_up / bounces,  # A5
        lower.reflection_down + lower.transmission**2 * upper.reflection_down / bounces,  # A6
    )


def symmetric(transmission: Value, reflection: Value) -> Layer:
    """Return a layer that reflects as much on either side."""
    return Layer(transmission, reflection, reflection)


def screen(closure: Value, transmission: Value, reflection: Value) -> Layer:
    """Return a screen drawn over a share of the roof (Vanthoor 2011, p. 208)."""
    return symmetric(1.0 - closure * (1.0 - transmission), closure * reflection)


def cover_optics(control: Control, p: Parameters, design: Design) -> CoverOptics:
    """Return the optical properties of roof, screens and lamps together, for the positions of the screens."""
    thermal, blackout = control.thermal_screen, control.blackout_screen
    par = stack(
        symmetric(p.roof_par_transmission, p.roof_par_reflection),
        screen(thermal, p.thermal_screen_par_transmission, p.thermal_screen_par_reflection),
    )
    par = stack(par, screen(blackout, p.blackout_screen_par_transmission, p.blackout_screen_par_reflection))
    nir = stack(
        symmetric(p.roof_nir_transmission, p.roof_nir_reflection),
        screen(thermal, p.thermal_screen_nir_transmission, p.thermal_screen_nir_reflection),
    )
    nir = stack(nir, screen(blackout, p.blackout_screen_nir_transmission, p.blackout_screen_nir_reflection))
    return CoverOptics(
        par=stack(par, symmetric(design.lamp_transmission, p.lamp_par_reflection)),
        nir=stack(nir, symmetric(design.lamp_transmission, p.lamp_nir_reflection)),
        thermal_screen_fir_transmission=1.0 - thermal * (1.0 - p.thermal_screen_fir_transmission),  # 8.39
        blackout_screen_fir_transmission=1.0 - blackout * (1.0 - p.blackout_screen_fir_transmission),
    )


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
    """Return the leaf area, and what the leaves let pass of every kind of radiation."""
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
