"""Water in the rooted soil: one layer that deepens with the roots."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.lintul3.arithmetic import root
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, State, Weather
from phytotron.models.lintul3.transpiration import Transpiration

MILLIMETRES = 1000.0  # per metre
WETTING_RAIN = 0.5  # mm d-1, from which a day counts as rainy


class WaterFlows(NamedTuple):
    """In mm d-1, but for the days."""

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
        """Of the water in the rooted soil."""
        gained = self.rain + self.explored + self.irrigation
        return gained - self.runoff - self.transpiration - self.evaporation - self.drainage


def evaporation(state: State, weather: Weather, potential: Value, p: Parameters) -> tuple[Value, Value]:
    """Evaporation of the soil, slower with every dry day, and the number of these days."""
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
    """Drainage and runoff follow from what the day brings; roots reach new soil at its end."""
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
