"""The 28 state equations: processes are computed one by one and added up node by node.

`forcing` gathers what control, weather and parameters alone determine; it is computed once per control interval.
`processes` and `derivative` are functions of the state and of that forcing. Everything is elementwise, so that a state
of scalars, a batch, and a block inside a GPU kernel run through the same lines.
"""

from typing import NamedTuple

from phytotron.core.constants import KELVIN, SECONDS_PER_DAY
from phytotron.core.fields import Value
from phytotron.models.greenlight import convection as heat_exchange
from phytotron.models.greenlight import shortwave, vapour, ventilation
from phytotron.models.greenlight.convection import Convection
from phytotron.models.greenlight.design import Design, design
from phytotron.models.greenlight.growth import Growth, growth, net_photosynthesis
from phytotron.models.greenlight.longwave import Longwave, LongwaveViews, longwave, longwave_views
from phytotron.models.greenlight.optics import Canopy, canopy, cover_optics
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import Control, State, Weather


class Forcing(NamedTuple):
    """All that does not depend on the state."""

    control: Control
    weather: Weather
    parameters: Parameters
    design: Design
    light: shortwave.Light
    views: LongwaveViews
    openings: ventilation.Openings
    stomata: vapour.Stomata
    outer_convection: Value


class Processes(NamedTuple):
    """All fluxes of the greenhouse at one instant."""

    leaves: Canopy
    shortwave: shortwave.Absorbed
    longwave: Longwave
    flows: ventilation.AirFlows
    heat: Convection
    vapour: vapour.Vapour
    growth: Growth
    co2_air_top: Value  # mg m-2 s-1
    co2_air_out: Value
    co2_top_out: Value
    co2_injection: Value
    co2_uptake: Value  # of the crop, net of all respiration


def forcing(control: Control, weather: Weather, parameters: Parameters, equations: Equations) -> Forcing:
    """Return the terms that stay constant while control, weather and parameters are held."""
    p = parameters
    derived = design(p, equations)
    optics = cover_optics(control, p, derived)
    light = shortwave.light(control, weather, optics, p)
    return Forcing(
        control=control,
        weather=weather,
        parameters=p,
        design=derived,
        light=light,
        views=longwave_views(control, weather, optics, p, derived, equations),
        openings=ventilation.openings(control, weather, p, derived),
        stomata=vapour.stomata(light.canopy_radiation, p),
        outer_convection=heat_exchange.outer_convection(weather, p, derived),
    )


def processes(state: State, f: Forcing, equations: Equations) -> Processes:
    """Return all fluxes at a state, process by process."""
    p, derived, weather = f.parameters, f.design, f.weather
    leaves = canopy(state, p)
    absorbed = shortwave.absorbed(f.light, leaves, p, equations)
    flows = ventilation.air_flows(state, weather, f.openings, p)
    heat = heat_exchange.convection(state, f.control, weather, flows, f.outer_convection, leaves, p, derived, equations)
    crop = growth(state, net_photosynthesis(state, absorbed.photons, leaves, p), p, derived)
    respiration = crop.growth_respiration + crop.fruit_maintenance + crop.leaf_maintenance + crop.stem_maintenance
    return Processes(
        leaves=leaves,
        shortwave=absorbed,
        longwave=longwave(state, f.views, leaves, p, derived),
        flows=flows,
        heat=heat,
        vapour=vapour.vapour(state, weather, f.stomata, flows, heat, leaves, p, derived, equations),
        growth=crop,
        co2_air_top=flows.air_top * (state.air_co2 - state.top_co2),  # 8.46
        co2_air_out=flows.air_out * (state.air_co2 - weather.outdoor_co2),
        co2_top_out=flows.top_out * (state.top_co2 - weather.outdoor_co2),
        co2_injection=f.control.co2_injection * derived.co2_intensity,  # 8.77
        co2_uptake=p.co2_molar_mass / p.carbohydrate_molar_mass * (crop.assimilation - respiration),
    )


def derivative(state: State, f: Forcing, equations: Equations) -> State:
    """Return rates of change per second."""
    return balances(state, processes(state, f, equations), f)


def balances(state: State, flux: Processes, f: Forcing) -> State:
    """Return the state equations (Vanthoor 2011, eqs. 8.1-8.13 and 9.1-9.9; Katzin 2021, eq. 7.1)."""
    p, derived = f.parameters, f.design
    sun, fir, heat, water, crop = flux.shortwave, flux.longwave, flux.heat, flux.vapour, flux.growth
    latent = p.latent_heat
    lamp_light = sun.lamp + f.light.lamp_power * (1.0 - p.lamp_cooling_fraction)  # 7.34
    interlamp_light = sun.interlamp + f.light.interlamp_power
    vapour_capacity = p.water_molar_mass / p.gas_constant  # kg K J-1, to be multiplied by height / temperature (8.25)
    layers = zip((heat.floor_soil, *heat.soil[:-1]), heat.soil, derived.soil_capacities, strict=True)
    soil1, soil2, soil3, soil4, soil5 = ((above - below) / capacity for above, below, capacity in layers)
    return State(
        air_co2=(flux.co2_injection - flux.co2_uptake - flux.co2_air_top - flux.co2_air_out) / p.air_height,
        top_co2=(flux.co2_air_top - flux.co2_top_out) / derived.top_height,
        air_temperature=(
            sun.air + heat.canopy_air + heat.pipe_air + heat.grow_pipe_air + heat.lamp_air + heat.interlamp_air
            - heat.air_floor - heat.air_thermal_screen - heat.air_blackout_screen - heat.air_top - heat.air_out
        ) / derived.air_capacity,
        top_temperature=(
            heat.thermal_screen_top + heat.blackout_screen_top + heat.air_top - heat.top_cover - heat.top_out
        ) / derived.top_capacity,
        canopy_temperature=(sun.canopy + fir.canopy - heat.canopy_air - latent * water.canopy_air)
        / (p.leaf_capacity * flux.leaves.leaf_area),
        inner_cover_temperature=(fir.inner_cover + heat.top_cover + latent * water.top_cover - heat.through_cover)
        / derived.cover_capacity,
        outer_cover_temperature=(sun.cover + fir.outer_cover + heat.through_cover - heat.cover_out)
        / derived.cover_capacity,
        thermal_screen_temperature=(
            fir.thermal_screen + heat.air_thermal_screen - heat.thermal_screen_top + latent * water.air_thermal_screen
        ) / derived.thermal_screen_capacity,
        floor_temperature=(sun.floor + fir.floor + heat.air_floor - heat.floor_soil) / derived.floor_capacity,
        pipe_temperature=(fir.pipe - heat.pipe_air + f.control.boiler * derived.boiler_intensity)
        / derived.pipe_capacity,
        soil1_temperature=soil1,
        soil2_temperature=soil2,
        soil3_temperature=soil3,
        soil4_temperature=soil4,
        soil5_temperature=soil5,
        air_vapour_pressure=(
            water.canopy_air - water.air_thermal_screen - water.air_blackout_screen - water.air_top - water.air_out
        ) * (state.air_temperature + KELVIN) / (vapour_capacity * p.air_height),
        top_vapour_pressure=(water.air_top - water.top_cover - water.top_out)
        * (state.top_temperature + KELVIN) / (vapour_capacity * derived.top_height),
        lamp_temperature=(fir.lamp - heat.lamp_air + lamp_light) / p.lamp_capacity,
        interlamp_temperature=(fir.interlamp - heat.interlamp_air + interlamp_light) / p.interlamp_capacity,
        grow_pipe_temperature=(
            fir.grow_pipe - heat.grow_pipe_air + f.control.grow_pipe_boiler * derived.grow_pipe_boiler_intensity
        ) / derived.grow_pipe_capacity,
        blackout_screen_temperature=(
            fir.blackout_screen + heat.air_blackout_screen - heat.blackout_screen_top
            + latent * water.air_blackout_screen
        ) / derived.blackout_screen_capacity,
        canopy_temperature_24h=(state.canopy_temperature - state.canopy_temperature_24h) / SECONDS_PER_DAY,
        buffer_carbohydrate=crop.assimilation - crop.buffer_fruit - crop.buffer_leaf - crop.buffer_stem
        - crop.growth_respiration,
        leaf_carbohydrate=crop.buffer_leaf - crop.leaf_maintenance - crop.leaf_pruning,
        stem_carbohydrate=crop.buffer_stem - crop.stem_maintenance,
        fruit_carbohydrate=crop.buffer_fruit - crop.fruit_maintenance - crop.fruit_harvest,
        canopy_temperature_sum=state.canopy_temperature / SECONDS_PER_DAY,
        time=1.0 / SECONDS_PER_DAY + 0.0 * state.time,
    )  # fmt: skip
