"""Air exchange: roof vents (wind and buoyancy), leakage, and through the screens.

Vanthoor 2011, eqs. 8.41 and 8.65-8.72; Katzin 2021, eqs. 7.37-7.38 and 7.42; De Zwart 1996, eq. 5.68.
Greenhouses here have no side vents: with roof vents alone the share of roof vents is above the chimney threshold.
"""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.design import Design, vent_aperture
from phytotron.models.greenlight.mathematics import magnitude_power, root
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State, Weather

SCREEN_EXPONENT = 0.66  # of |dT| in the air flux through screen fabric


class Openings(NamedTuple):
    """The terms of air exchange that depend on controls and weather."""

    vent: Value  # aperture with its discharge, per floor area
    wind_pressure: Value  # m2 s-2
    leakage_top: Value  # m3 m-2 s-1
    leakage_side: Value
    thermal_screen_fabric: Value  # air flux through the fabric
    thermal_screen_gap: Value  # opening beside the screen to the power 3/2
    blackout_screen_fabric: Value
    blackout_screen_gap: Value


class AirFlows(NamedTuple):
    """Air fluxes [m3 m-2 s-1]."""

    air_top: Value
    top_out: Value
    air_out: Value


def openings(control: Control, weather: Weather, p: Parameters, design: Design) -> Openings:
    """Return vents, leaks and gaps beside the screens, for the positions of the actuators."""
    leakage = p.leakage * jnp.maximum(weather.wind_speed, p.leakage_minimum_wind)  # 8.71
    thermal_gap, blackout_gap = 1.0 - control.thermal_screen, 1.0 - control.blackout_screen
    return Openings(
        vent=design.insect_screen_factor * vent_aperture(control.roof_vent, p),
        wind_pressure=p.vent_wind_pressure * weather.wind_speed**2,
        leakage_top=p.leakage_top_fraction * leakage,  # 7.42
        leakage_side=(1.0 - p.leakage_top_fraction) * leakage,
        thermal_screen_fabric=control.thermal_screen * p.thermal_screen_flux,
        thermal_screen_gap=thermal_gap * root(thermal_gap),
        blackout_screen_fabric=control.blackout_screen * p.blackout_screen_flux,
        blackout_screen_gap=blackout_gap * root(blackout_gap),
    )


def density_flow(state: State, difference: Value, p: Parameters) -> Value:
    """Return the air flux through a full opening between main and top air for a temperature difference [m s-1]."""
    return root(p.gravity * difference / (state.air_temperature + state.top_temperature + 2.0 * KELVIN))


def gap_flow(state: State, openings: Openings, p: Parameters, difference: Value) -> Value:
    """Return the air flux beside the screens for a given temperature difference."""
    gap = jnp.minimum(openings.thermal_screen_gap, openings.blackout_screen_gap)
    return gap * density_flow(state, difference, p)


def air_flows(state: State, weather: Weather, openings: Openings, p: Parameters) -> AirFlows:
    """Return the air exchange between main air, top air and outdoors at a state."""
    air, top, out = state.air_temperature, state.top_temperature, weather.outdoor_temperature
    buoyancy = p.gravity * p.roof_vent_height * (air - out) / (air + out + 2.0 * KELVIN)
    vent = openings.vent * root(buoyancy + openings.wind_pressure)  # 8.65

    # Past a screen: through the fabric, and through the gap by the difference of densities. By the ideal gas law the
    # relative difference is 2 |dT| / (T1 + T2) whatever the pressure (8.41).
    difference = air - top
    fabric = magnitude_power(difference, SCREEN_EXPONENT)
    gap = density_flow(state, difference, p)
    thermal = openings.thermal_screen_fabric * fabric + openings.thermal_screen_gap * gap
    blackout = openings.blackout_screen_fabric * fabric + openings.blackout_screen_gap * gap  # 7.37
    return AirFlows(
        air_top=jnp.minimum(thermal, blackout),  # 7.38
        top_out=vent + openings.leakage_top,  # 8.72
        air_out=openings.leakage_side,
    )
