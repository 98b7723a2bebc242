"""What the air asks of leaves and soil, and what a crop short of water can give."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import State, Weather

# Extinction of radiation in the energy balance; a fixed number in the published model, unlike K for light.
EXTINCTION = 0.5
# Smallest distance of the critical water content from the wilting point, m3 m-3.
LEAST_CRITICAL_DISTANCE = 0.01


class Transpiration(NamedTuple):
    potential_evaporation: Value  # mm d-1, PEVAP
    potential: Value  # mm d-1, PTRAN
    actual: Value  # mm d-1, TRAN
    reduction: Value  # -, TRANRF = TRAN / PTRAN, 1 where nothing is asked for


def transpiration(state: State, weather: Weather, p: Parameters) -> Transpiration:
    passed = jnp.exp(-EXTINCTION * state.leaf_area_index)
    evaporation = jnp.maximum(0.0, weather.bare_soil_evaporation * passed)
    potential = jnp.maximum(0.0, weather.reference_evapotranspiration * (1.0 - passed))
    supply = supplied_fraction(state.water_content, potential, p)
    return Transpiration(
        potential_evaporation=evaporation,
        potential=potential,
        actual=potential * supply,
        reduction=jnp.where(potential > 0.0, supply, 1.0),
    )


def supplied_fraction(water_content: Value, potential: Value, p: Parameters) -> Value:
    """1 in moist soil, falling to 0 towards the wilting point and towards saturation."""
    available = potential / (potential + p.critical_transpiration) * (p.field_capacity - p.wilting_point)
    critical = p.wilting_point + jnp.maximum(LEAST_CRITICAL_DISTANCE, available)
    dry = jnp.clip((water_content - p.wilting_point) / (critical - p.wilting_point), 0.0, 1.0)
    wet = jnp.clip((p.saturation - water_content) / (p.saturation - p.wet_content), 0.0, 1.0)
    suffers_wet = (water_content > p.wet_content) & (p.flooded_crop < 0.5)
    return jnp.where(water_content < critical, dry, jnp.where(suffers_wet, wet, 1.0))
