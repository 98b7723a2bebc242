"""Leaves and roots: how leaf area and root depth grow, and how much of their mass dies."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State, Weather

# A crop is juvenile below both; fixed numbers in the published model.
JUVENILE_STAGE = 0.2
JUVENILE_LEAF_AREA = 0.75  # m2 m-2


class Leaves(NamedTuple):
    """Leaf area grows exponentially while juvenile, then by leaf mass; leaves die of age, shade, nitrogen shortage."""

    area_growth: Value  # m2 m-2 d-1, GLAI
    area_death: Value  # m2 m-2 d-1, DLAI
    mass_death: Value  # g m-2 d-1, DLV


def initial_leaf_area(p: Parameters) -> Value:
    """Return the leaf area index [-] at emergence."""
    return p.initial_leaf_mass * p.specific_leaf_area * p.specific_leaf_area_factor(p.initial_stage)


def leaves(
    state: State, weather: Weather, leaf_growth: Value, water_reduction: Value, nitrogen_index: Value, p: Parameters
) -> Leaves:
    """Return the growth and death of the leaves in a day; `leaf_growth` is in g m-2 d-1."""
    temperature = 0.5 * (weather.minimum_temperature + weather.maximum_temperature)
    shortage = 1.0 - nitrogen_index
    area = state.leaf_area_index
    specific = p.specific_leaf_area * p.specific_leaf_area_factor(state.stage)
    specific = specific * jnp.exp(-p.specific_leaf_area_nitrogen_effect * shortage)

    effective = jnp.maximum(0.0, temperature - p.base_temperature)
    juvenile = area * (jnp.exp(p.juvenile_leaf_growth * effective) - 1.0)
    juvenile = juvenile * water_reduction * jnp.exp(-p.leaf_area_nitrogen_effect * shortage)
    is_juvenile = (state.stage < JUVENILE_STAGE) & (area < JUVENILE_LEAF_AREA)
    area_growth = jnp.where(is_juvenile, juvenile, specific * leaf_growth)
    emerges = (area == 0.0) & (state.water_content > p.wilting_point)
    area_growth = jnp.where(emerges, jnp.asarray(initial_leaf_area(p), area.dtype), area_growth)

    by_age = jnp.where(state.temperature_sum >= p.ageing_temperature_sum, p.leaf_death(temperature), 0.0)
    by_shade = jnp.maximum(0.0, p.shade_leaf_death * (area - p.critical_leaf_area) / p.critical_leaf_area)
    relative_death = jnp.maximum(by_age, by_shade)
    by_shortage = state.leaf_mass * p.nitrogen_leaf_death * shortage
    return Leaves(
        area_growth=area_growth,
        area_death=area * relative_death + by_shortage * specific,
        mass_death=state.leaf_mass * relative_death + by_shortage,
    )


class Roots(NamedTuple):
    """They deepen while the soil is moist, also after flowering, when their mass begins to die."""

    deepening: Value  # m d-1, RROOTD
    mass_death: Value  # g m-2 d-1, DRT


def roots(state: State, p: Parameters) -> Roots:
    """Return the daily deepening [m d-1] and death of the roots."""
    possible = jnp.minimum(p.root_deepening, p.maximum_root_depth - state.root_depth)
    dying = state.stage >= p.root_death_stage
    return Roots(
        deepening=jnp.where(state.water_content > p.wilting_point, possible, 0.0),
        mass_death=jnp.where(dying, state.root_mass * p.root_death, 0.0),
    )
