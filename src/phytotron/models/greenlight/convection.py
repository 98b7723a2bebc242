"""Sensible heat: convection to air, conduction through cover, floor and soil (Vanthoor 2011, table 8.4)."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.greenlight.design import Design
from phytotron.models.greenlight.mathematics import magnitude_power, magnitude_powers
from phytotron.models.greenlight.optics import Canopy
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State, Weather
from phytotron.models.greenlight.ventilation import AirFlows

SHELTER = 0.75  # share of the exchange of each of two closed screens that the other one and the air between them take


class Convection(NamedTuple):
    """Heat fluxes [W m-2] from the first to the second node; coefficients where others need them [W m-2 K-1]."""

    canopy_air: Value
    air_floor: Value
    air_thermal_screen: Value
    thermal_screen_top: Value
    air_blackout_screen: Value
    blackout_screen_top: Value
    top_cover: Value
    cover_out: Value
    pipe_air: Value
    grow_pipe_air: Value
    lamp_air: Value
    interlamp_air: Value
    air_top: Value
    air_out: Value
    top_out: Value
    through_cover: Value
    floor_soil: Value
    soil: tuple[Value, ...]  # layer 1 to 2, ..., layer 5 to deep soil
    air_floor_coefficient: Value
    air_thermal_screen_coefficient: Value
    thermal_screen_top_coefficient: Value
    air_blackout_screen_coefficient: Value
    blackout_screen_top_coefficient: Value
    top_cover_coefficient: Value
    pipe_air_coefficient: Value


def outer_convection(weather: Weather, p: Parameters, design: Design) -> Value:
    """Return the coefficient of the outer cover [W m-2 K-1], a function of the wind alone."""
    wind = magnitude_power(weather.wind_speed, p.outer_convection_exponent)
    return design.cover_ratio * (p.outer_convection + p.outer_convection_wind * wind)


def convection(
    state: State,
    control: Control,
    weather: Weather,
    flows: AirFlows,
    outer_coefficient: Value,
    leaves: Canopy,
    p: Parameters,
    design: Design,
    equations: Equations,
) -> Convection:
    """Return all heat that air carries, and that cover and soil conduct [W m-2]."""
    air, top, out = state.air_temperature, state.top_temperature, weather.outdoor_temperature
    floor, pipe, grow_pipe = state.floor_temperature, state.pipe_temperature, state.grow_pipe_temperature
    thermal, blackout = state.thermal_screen_temperature, state.blackout_screen_temperature
    inner, outer = state.inner_cover_temperature, state.outer_cover_temperature
    n = p.convective_exponent

    warm = floor > air
    floor_power, thermal_power, blackout_power, cover_power, thermal_top_power, blackout_top_power, *pipe_powers = (
        magnitude_powers(
            [
                (floor - air, jnp.where(warm, n, 0.25)),
                (air - thermal, n),
                (air - blackout, n),
                (top - inner, n),
                (thermal - top, n),
                (blackout - top, n),
                (pipe - air, 0.32),
                (grow_pipe - air, 0.32),
            ]
        )
    )
    floor_coefficient = jnp.where(warm, 1.7, 1.3) * floor_power
    thermal_share, blackout_share = control.thermal_screen, control.blackout_screen
    if equations.screens_in_series:
        sheltered = 1.0 - SHELTER * jnp.minimum(thermal_share, blackout_share)
        thermal_share, blackout_share = sheltered * thermal_share, sheltered * blackout_share
    air_thermal = 1.7 * thermal_share * thermal_power
    air_blackout = 1.7 * blackout_share * blackout_power
    top_cover = p.inner_convection * design.cover_ratio * cover_power
    thermal_top = 1.7 * thermal_share * thermal_top_power
    blackout_top = 1.7 * blackout_share * blackout_top_power
    # Pipes: 1.99 pi phi l |dT|^0.32 (Vanthoor 2011, table 8.4; Katzin 2021, eq. 7.33)
    pipe_air = 1.99 * design.pipe_area * pipe_powers[0]
    grow_pipe_air = 1.99 * design.grow_pipe_area * pipe_powers[1]
    layers = (
        state.soil1_temperature,
        state.soil2_temperature,
        state.soil3_temperature,
        state.soil4_temperature,
        state.soil5_temperature,
    )
    below = (*layers[1:], weather.deep_soil_temperature)
    conductances = design.soil_conductances
    return Convection(
        canopy_air=2.0 * p.leaf_convection * leaves.leaf_area * (state.canopy_temperature - air),
        air_floor=floor_coefficient * (air - floor),
        air_thermal_screen=air_thermal * (air - thermal),
        thermal_screen_top=thermal_top * (thermal - top),
        air_blackout_screen=air_blackout * (air - blackout),
        blackout_screen_top=blackout_top * (blackout - top),
        top_cover=top_cover * (top - inner),
        cover_out=outer_coefficient * (outer - out),
        pipe_air=pipe_air * (pipe - air),
        grow_pipe_air=grow_pipe_air * (grow_pipe - air),
        lamp_air=p.lamp_convection * (state.lamp_temperature - air),
        interlamp_air=p.interlamp_convection * (state.interlamp_temperature - air),
        air_top=design.air_heat * flows.air_top * (air - top),
        air_out=design.air_heat * flows.air_out * (air - out),
        top_out=design.air_heat * flows.top_out * (top - out),
        through_cover=design.cover_conductance * (inner - outer),
        floor_soil=conductances[0] * (floor - layers[0]),
        soil=tuple(k * (a - b) for k, a, b in zip(conductances[1:], layers, below, strict=True)),
        air_floor_coefficient=floor_coefficient,
        air_thermal_screen_coefficient=air_thermal,
        thermal_screen_top_coefficient=thermal_top,
        air_blackout_screen_coefficient=air_blackout,
        blackout_screen_top_coefficient=blackout_top,
        top_cover_coefficient=top_cover,
        pipe_air_coefficient=pipe_air,
    )
