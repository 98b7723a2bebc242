"""Water vapour: transpiration, condensation, exchange with the air.

Vanthoor 2011, eqs. 8.42-8.52; Katzin 2021, eqs. 7.39-7.41.
"""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.convection import Convection
from phytotron.models.greenlight.design import Design
from phytotron.models.greenlight.mathematics import switch, together
from phytotron.models.greenlight.optics import Canopy
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import State, Weather
from phytotron.models.greenlight.ventilation import AirFlows
from phytotron.weather.humid_air import saturation_vapour_pressure


class Stomata(NamedTuple):
    """The terms of stomatal resistance that depend on light."""

    light_factor: Value
    co2_sensitivity: Value  # ppm-2
    vapour_sensitivity: Value  # Pa-2


class Vapour(NamedTuple):
    """Vapour fluxes [kg m-2 s-1] from the first to the second node."""

    canopy_air: Value
    air_thermal_screen: Value
    air_blackout_screen: Value
    top_cover: Value
    air_top: Value
    air_out: Value
    top_out: Value
    canopy_air_coefficient: Value  # kg m-2 Pa-1 s-1


def stomata(canopy_radiation: Value, p: Parameters) -> Stomata:
    """Return the effect of light on the stomata, by day and by night."""
    day = switch(-p.stomatal_switch_slope * (canopy_radiation - p.stomatal_switch_radiation))  # 8.51
    light = (canopy_radiation + p.stomatal_radiation1) / (canopy_radiation + p.stomatal_radiation2)  # 8.50
    return Stomata(
        light_factor=light,
        co2_sensitivity=p.stomatal_co2_night * (1.0 - day) + p.stomatal_co2_day * day,  # 8.52
        vapour_sensitivity=p.stomatal_vapour_night * (1.0 - day) + p.stomatal_vapour_day * day,
    )


def vapour(
    state: State,
    weather: Weather,
    stomata: Stomata,
    flows: AirFlows,
    heat: Convection,
    leaves: Canopy,
    p: Parameters,
    design: Design,
    equations: Equations,
) -> Vapour:
    """Return all vapour that moves: transpiration, condensation, and what air carries [kg m-2 s-1]."""
    saturated_canopy, saturated_thermal, saturated_blackout, saturated_cover = together(
        saturation_vapour_pressure,
        state.canopy_temperature,
        state.thermal_screen_temperature,
        state.blackout_screen_temperature,
        state.inner_cover_temperature,
    )

    # Transpiration (8.47-8.50)
    deficit = saturated_canopy - state.air_vapour_pressure
    co2_excess = p.co2_ppm_per_mg * state.air_co2 - 200.0
    co2_factor = jnp.minimum(1.5, 1.0 + stomata.co2_sensitivity * co2_excess * co2_excess)
    vapour_factor = jnp.minimum(5.8, 1.0 + stomata.vapour_sensitivity * deficit * deficit)
    resistance = p.boundary_layer_resistance + (
        p.stomatal_resistance_minimum * stomata.light_factor * co2_factor * vapour_factor
    )
    transfer = 2.0 * design.air_heat * leaves.leaf_area / (p.latent_heat * p.psychrometric_constant * resistance)

    # Condensation, smooth at the dew point (8.43-8.44)
    thermal_excess = state.air_vapour_pressure - saturated_thermal
    blackout_excess = state.air_vapour_pressure - saturated_blackout
    cover_excess = state.top_vapour_pressure - saturated_cover
    wet_thermal, wet_blackout, wet_cover = together(
        lambda excess: 6.4e-9 * excess * switch(0.1 * excess), thermal_excess, blackout_excess, cover_excess
    )
    on_blackout = heat.air_blackout_screen_coefficient * wet_blackout
    if not equations.blackout_screen_may_evaporate:
        on_blackout = jnp.maximum(on_blackout, 0.0)

    # Moved by air (8.45)
    moles = 2.165e-3 if equations.rounded_vapour_constant else p.water_molar_mass / p.gas_constant
    air = moles * state.air_vapour_pressure / (state.air_temperature + KELVIN)
    top = moles * state.top_vapour_pressure / (state.top_temperature + KELVIN)
    out = moles * weather.outdoor_vapour_pressure / (weather.outdoor_temperature + KELVIN)
    return Vapour(
        canopy_air=transfer * deficit,
        air_thermal_screen=heat.air_thermal_screen_coefficient * wet_thermal,
        air_blackout_screen=on_blackout,
        top_cover=heat.top_cover_coefficient * wet_cover,
        air_top=flows.air_top * (air - top),
        air_out=flows.air_out * (air - out),
        top_out=flows.top_out * (top - out),
        canopy_air_coefficient=transfer,
    )
