"""Quantities that follow from the primary parameters: capacities, areas, conductances, view factors."""

import math
from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters

PIPE_VIEW_UP = 0.49  # share of a pipe's surface that faces upwards, and as much downwards [V, table 8.3]


def per_floor_area(amount: Value, p: Parameters) -> Value:
    """Return an amount of the whole greenhouse per square metre of its floor.

    The floor area acts here and on vents only.
    """
    return amount / p.floor_area


def vent_aperture(opening: Value, p: Parameters) -> Value:
    """Return half the area of vents that are open to a share `opening`, with its discharge, per floor area.

    Eq. 8.65.
    """
    return opening * p.roof_vent_area * p.vent_discharge / (2.0 * p.floor_area)


class Design(NamedTuple):
    """Derived constants of one greenhouse, per square metre of floor where it applies."""

    air_density: Value  # kg m-3
    air_heat: Value  # J K-1 m-3, heat capacity of a volume of air
    air_capacity: Value  # J K-1 m-2
    top_capacity: Value
    cover_capacity: Value  # of each of the two cover nodes
    thermal_screen_capacity: Value
    blackout_screen_capacity: Value
    floor_capacity: Value
    pipe_capacity: Value
    grow_pipe_capacity: Value
    soil_capacities: tuple[Value, ...]
    soil_conductances: tuple[Value, ...]  # W m-2 K-1: floor to layer 1, 1 to 2, ..., 5 to deep soil
    top_height: Value  # m
    cover_ratio: Value  # m2 of cover per m2 of floor
    cover_conductance: Value  # W m-2 K-1, inner to outer cover
    pipe_area: Value  # m2 m-2
    grow_pipe_area: Value
    pipe_shade: Value  # share of the floor's view upwards that the pipes take
    lamp_transmission: Value  # of light and far-infrared past the lamps
    cover_fir_emissivity: Value
    leaf_maximum: Value  # mg m-2
    boiler_intensity: Value  # W m-2
    grow_pipe_boiler_intensity: Value  # W m-2
    co2_intensity: Value  # mg m-2 s-1, of the CO2 supply
    insect_screen_factor: Value
    maintenance: Value  # factor of maintenance respiration that depends on growth


def design(p: Parameters, equations: Equations) -> Design:
    """Compute the derived constants. Equation numbers are those of Vanthoor 2011."""
    sign = 1.0 if equations.density_grows_with_elevation else -1.0
    exponent = sign * p.gravity * p.air_molar_mass * p.elevation / ((KELVIN + 20.0) * p.gas_constant)
    air_density = p.sea_level_air_density * jnp.exp(exponent)  # 8.24
    air_heat = air_density * p.air_heat_capacity
    soil = (p.soil1_thickness, p.soil2_thickness, p.soil3_thickness, p.soil4_thickness, p.soil5_thickness)
    below = (*soil[1:], p.deep_soil_thickness)
    pipe_area = math.pi * p.pipe_length * p.pipe_outer_diameter  # table 8.3
    cover_layer = p.roof_thickness * p.roof_density * p.roof_heat_capacity
    return Design(
        air_density=air_density,
        air_heat=air_heat,
        air_capacity=p.air_height * air_heat,  # 8.23
        top_capacity=(p.greenhouse_height - p.air_height) * air_heat,
        cover_capacity=0.1 * jnp.cos(p.roof_slope * (math.pi / 180.0)) * cover_layer,  # 8.18, 8.21
        thermal_screen_capacity=p.thermal_screen_thickness * p.thermal_screen_density * p.thermal_screen_heat_capacity,
        blackout_screen_capacity=p.blackout_screen_thickness
        * p.blackout_screen_density
        * p.blackout_screen_heat_capacity,
        floor_capacity=p.floor_thickness * p.floor_density * p.floor_heat_capacity,
        pipe_capacity=_pipe_capacity(p, p.pipe_length, p.pipe_outer_diameter, p.pipe_inner_diameter),
        grow_pipe_capacity=_pipe_capacity(
            p, p.grow_pipe_length, p.grow_pipe_outer_diameter, p.grow_pipe_inner_diameter
        ),
        soil_capacities=tuple(h * p.soil_heat_capacity for h in soil),
        soil_conductances=(
            2.0 / (p.floor_thickness / p.floor_conductivity + p.soil1_thickness / p.soil_conductivity),  # 8.78
            *(2.0 * p.soil_conductivity / (upper + lower) for upper, lower in zip(soil, below, strict=True)),
        ),
        top_height=p.greenhouse_height - p.air_height,
        cover_ratio=per_floor_area(p.cover_area, p),
        cover_conductance=p.roof_conductivity / p.roof_thickness,  # 8.19
        pipe_area=pipe_area,
        grow_pipe_area=math.pi * p.grow_pipe_length * p.grow_pipe_outer_diameter,
        pipe_shade=PIPE_VIEW_UP * pipe_area,
        lamp_transmission=1.0 - p.lamp_area,  # Katzin 2021, table 7.6
        cover_fir_emissivity=1.0 - p.roof_fir_transmission - p.roof_fir_reflection,
        leaf_maximum=p.leaf_area_maximum / p.specific_leaf_area,  # 9.46
        boiler_intensity=per_floor_area(p.boiler_power, p),  # 8.56
        grow_pipe_boiler_intensity=per_floor_area(p.grow_pipe_boiler_power, p),
        co2_intensity=per_floor_area(p.co2_supply, p),  # 8.77
        insect_screen_factor=p.insect_screen_porosity * (2.0 - p.insect_screen_porosity),  # 8.70
        maintenance=1.0 - jnp.exp(-p.maintenance_growth_effect * p.relative_growth_rate),  # 9.45
    )


def _pipe_capacity(p: Parameters, length: Value, outer: Value, inner: Value) -> Value:
    """Heat capacity of water-filled steel pipes [J K-1 m-2], eq. 8.22. Without pipes the capacity is that of 1 mm."""
    steel = (outer**2 - inner**2) * p.steel_density * p.steel_heat_capacity
    water = inner**2 * p.water_density * p.water_heat_capacity
    return 0.25 * math.pi * jnp.maximum(length, 1e-3) * (steel + water)
