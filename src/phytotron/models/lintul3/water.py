"""Water: what the air asks of leaves and soil, and the balance of one soil layer that deepens with the roots."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.arithmetic import root
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, State, Weather

# Extinction of radiation in the energy balance; a fixed number in the published model, unlike K for light.
EXTINCTION = 0.5
# Smallest distance of the critical water content from the wilting point, m3 m-3.
LEAST_CRITICAL_DISTANCE = 0.01
MILLIMETRES = 1000.0  # per metre
WETTING_RAIN = 0.5  # mm d-1, from which a day counts as rainy


class Transpiration(NamedTuple):
    """Evaporation and transpiration of a day, possible and actual."""

    potential_evaporation: Value  # mm d-1, PEVAP
    potential: Value  # mm d-1, PTRAN
    actual: Value  # mm d-1, TRAN
    reduction: Value  # -, TRANRF = TRAN / PTRAN, 1 where nothing is asked for


def transpiration(state: State, weather: Weather, p: Parameters) -> Transpiration:
    """Return the potential evaporation of soil and crop, and the transpiration of the crop, in a day [mm d-1]."""
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
    """Return 1 in moist soil, falling to 0 towards the wilting point and towards saturation."""
    available = potential / (potential + p.critical_transpiration) * (p.field_capacity - p.wilting_point)
    critical = p.wilting_point + jnp.maximum(LEAST_CRITICAL_DISTANCE, available)
    dry = jnp.clip((water_content - p.wilting_point) / (critical - p.wilting_point), 0.0, 1.0)
    wet = jnp.clip((p.saturation - water_content) / (p.saturation - p.wet_content), 0.0, 1.0)
    suffers_wet = (water_content > p.wet_content) & (p.flooded_crop < 0.5)
    return jnp.where(water_content < critical, dry, jnp.where(suffers_wet, wet, 1.0))


class WaterFlows(NamedTuple):
    """The flows of water in mm d-1, but for the days."""

    rain: Value
    irrigation: Value
    explored: Value  # in the soil that roots grow into
    transpiration: Value
    evaporation: Value
    drainage: Value
    runoff: Value
    dry_days: Value  # d, DSLR of this day

    @property
    def change(self) -> Value:
        """The change of the water in the rooted soil."""
        gained = self.rain + self.explored + self.irrigation
        return gained - self.runoff - self.transpiration - self.evaporation - self.drainage


def evaporation(state: State, weather: Weather, potential: Value, p: Parameters) -> tuple[Value, Value]:
    """Return the evaporation of the soil, slower with every dry day, and the number of these days."""
    rainy = weather.rain >= WETTING_RAIN
    days = jnp.where(rainy, 1.0, state.dry_days + 1.0)
    drying = jnp.minimum(potential, potential * (root(days) - root(days - 1.0)) + weather.rain)
    wanted = jnp.where(rainy, potential, drying)
    left = state.soil_water - p.air_dry_content * MILLIMETRES * state.root_depth
    # Negative in soil that is drier than air-dry, as published.
    return jnp.where(wanted > 0.0, jnp.minimum(wanted, left), 0.0), days


def water_flows(
    state: State, weather: Weather, management: Management, leaves: Transpiration, deepening: Value, p: Parameters
) -> WaterFlows:
    """Return the drainage and runoff follow from what the day brings; roots reach new soil at its end."""
    depth = MILLIMETRES * state.root_depth
    rain, transpired = weather.rain, leaves.actual
    evaporated, dry_days = evaporation(state, weather, leaves.potential_evaporation, p)
    by_farmer = p.irrigation_by_farmer > 0.5
    asked = jnp.where(by_farmer, management.irrigation * p.irrigation_efficiency, 0.0)

    surplus = state.soil_water - p.field_capacity * depth + rain + asked - evaporated - transpired
    drainage = jnp.clip(surplus, 0.0, p.maximum_drainage)
    overflow = state.soil_water - p.saturation * depth + rain + asked - evaporated - transpired - drainage
    runoff = jnp.maximum(0.0, overflow)

    without_irrigation = rain - evaporated - transpired - drainage - runoff
    room = p.saturation * depth - state.soil_water - without_irrigation
    target = jnp.where(p.flooded_crop > 0.5, p.saturation, p.field_capacity)
    automatic = jnp.maximum(0.0, target * depth - state.soil_water - without_irrigation)
    automatic = jnp.where(p.automatic_irrigation > 0.5, automatic, 0.0)
    return WaterFlows(
        rain=rain,
        irrigation=jnp.where(by_farmer, jnp.minimum(asked, room), automatic),
        explored=MILLIMETRES * deepening * p.subsoil_water_content,
        transpiration=transpired,
        evaporation=evaporated,
        drainage=drainage,
        runoff=runoff,
        dry_days=dry_days,
    )
