"""Replays: the model driven by measured actuators and weather, from the measured air at the start of every window."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.calibration.inputs import INTERVAL, Drive, Windows
from phytotron.calibration.installation import Installation, screen_transmission
from phytotron.core.compilation import single_kernel
from phytotron.core.fields import record
from phytotron.models.greenlight import Control, Equations, GreenLight, Parameters, State, Weather, indoor_climate
from phytotron.models.greenlight.design import design
from phytotron.weather.humid_air import co2_concentration, saturation_vapour_pressure, vapour_pressure

EQUATIONS = Equations(screens_in_series=True)
INNER_EXCHANGE = 50.0  # W m-2 K-1 between the air and what stands in it: within minutes, as fits have it
LEAST_APERTURE = 1e-4  # a closed vent, in logarithms


@record
class Twin:
    """A model of one real greenhouse."""

    parameters: Parameters
    installation: Installation


def simulate(twin: Twin, given: Windows, substeps: int = 20) -> Any:
    """Return the simulated climate (°C, %, ppm) at the end of every free step: (steps, windows, 3)."""
    free = np.arange(given.drive.light.shape[0]) >= given.spin_up
    arrays = jax.tree.map(jnp.asarray, (given.drive, given.mean_temperature))
    return compiled_simulation(substeps)(twin, *arrays, jnp.asarray(free))[given.spin_up :]


@functools.cache
def compiled_simulation(substeps: int) -> Callable[..., Any]:
    """Return `simulation`, compiled."""
    return jax.jit(simulation(substeps))


def simulation(substeps: int) -> Callable[..., Any]:
    """Return the climate after every step of a drive, as a pure function of the twin and the drive."""
    model = GreenLight(interval=float(INTERVAL), substeps=substeps, equations=EQUATIONS)

    def step(carried: tuple[State, Any], each: tuple[Drive, Any], twin: Twin) -> tuple[tuple[State, Any], Any]:
        drive, free = each
        state, inner = beside_the_model(*carried, twin)
        state = imposed(state, drive, free, twin)
        control, weather = forced(drive, twin)
        state = model.run_inline(state, control, weather, twin.parameters).state
        return (state, inner), jnp.stack(indoor_climate(state), axis=-1)

    kernel = single_kernel(step)

    def run(twin: Twin, drive: Drive, mean_temperature: Any, free: Any) -> Any:
        begun = initial(jax.tree.map(lambda column: column[0], drive), mean_temperature, twin)
        carried = (begun, begun.air_temperature)
        return jax.lax.scan(lambda carried, each: kernel(carried, each, twin), carried, (drive, free))[1]

    return run


def forced(drive: Drive, twin: Twin) -> tuple[Control, Weather]:
    """Return the control and weather of a step."""
    p, house = twin.parameters, twin.installation
    passed = screen_transmission(drive.thermal_screen, drive.blackout_screen, p)
    diffuse, direct = drive.diffuse_share, 1.0 - drive.diffuse_share
    sun = passed * drive.outdoor_light * (house.sun_share * diffuse + house.direct_share * direct)
    nothing = jnp.zeros_like(drive.light)
    control = Control(
        boiler=nothing,
        co2_injection=drive.co2_dosing,
        thermal_screen=drive.thermal_screen,
        roof_vent=aperture(drive.vent_lee, drive.vent_wind, house),
        lamp=jnp.clip((drive.light - sun) / house.lamp_light, 0.0, 1.0),
        interlamp=nothing,
        grow_pipe_boiler=nothing,
        blackout_screen=drive.blackout_screen,
    )
    weather = Weather(
        global_radiation=drive.global_radiation * (diffuse + house.direct_entry * direct),
        outdoor_temperature=drive.outdoor_temperature,
        outdoor_vapour_pressure=drive.outdoor_vapour_pressure,
        outdoor_co2=co2_concentration(drive.outdoor_temperature, house.outdoor_co2),
        wind_speed=drive.wind_speed,
        sky_temperature=drive.sky_temperature,
        deep_soil_temperature=drive.grassland_temperature + house.soil_warmth,
        daily_radiation_sum=nothing,
        is_day=nothing,
        is_day_smooth=nothing,
    )
    return control, weather


def aperture(lee: Any, wind: Any, house: Installation) -> Any:
    """Return the effective aperture of vents on both sides of the roof; x where both are open to x.

    Air that comes in on one side and leaves on the other passes both openings, one after the other, so that the squares
    of their resistances add up (Allard 1998, Natural Ventilation in Buildings). Through one side alone, only
    `one_sided` of it is exchanged. Flow grows less than in proportion to how far a vent is open (De Jong 1990).
    """
    here, there = (jnp.exp(house.vent_exponent * jnp.log(jnp.maximum(x, LEAST_APERTURE))) for x in (lee, wind))
    across = here * there * jnp.sqrt(2.0 / (here * here + there * there))
    return house.one_sided * 0.5 * (here + there) + (1.0 - house.one_sided) * across


def beside_the_model(state: State, inner: Any, twin: Twin) -> tuple[State, Any]:
    """Return the state and the temperature of inner masses after what a step exchanges outside of the equations.

    Those know no side walls, of masses inside the house only the pipes, no water on floor, substrate and walls, and no
    CO2 from the soil. The heat that passes in a step is that of the temperatures at its start: towards neighbouring
    rooms, and between air and masses, whose heat together stays. Wet or cold surfaces evaporate where the air is drier
    than saturated air of their temperature, and else water condenses there; the heat of it, some W m-2, is theirs.
    """
    house, capacity = twin.installation, design(twin.parameters, EQUATIONS).air_capacity
    lost = 1.0 - jnp.exp(-house.side_wall_conductance * INTERVAL / capacity)
    air = state.air_temperature + lost * (house.neighbour_temperature - state.air_temperature)
    together = capacity + house.inner_capacity
    common = (capacity * air + house.inner_capacity * inner) / together
    rate = INNER_EXCHANGE * together / (capacity * house.inner_capacity)
    apart = (air - inner) * jnp.exp(-rate * INTERVAL)
    after = common + apart * house.inner_capacity / together
    height = twin.parameters.air_height
    at_surfaces = saturation_vapour_pressure(house.surface_temperature)
    reached = 1.0 - jnp.exp(-house.surface_exchange * INTERVAL / height)
    vapour = state.air_vapour_pressure + reached * (at_surfaces - state.air_vapour_pressure)
    co2 = state.air_co2 + house.co2_source * INTERVAL / height
    state = dataclasses.replace(state, air_temperature=after, air_vapour_pressure=vapour, air_co2=co2)
    return state, common - apart * capacity / together


def imposed(state: State, drive: Drive, free: Any, twin: Twin) -> State:
    """Return the state with what was measured: pipe, crop, and during the spin-up the air."""
    p, house = twin.parameters, twin.installation
    closure = 1.0 - jnp.exp(-house.cover_per_dry_weight * drive.dry_weight)  # van Henten 1994: share of ground covered
    leaf_area = house.wet_area + house.crop_area_fraction * house.closed_leaf_area * closure
    nothing = jnp.zeros_like(drive.light)

    def air(measured: Any, own: Any) -> Any:
        return jnp.where(free | jnp.isnan(measured), own, measured)

    temperature = jnp.nan_to_num(drive.air_temperature)
    vapour = vapour_pressure(temperature, drive.relative_humidity)
    return dataclasses.replace(
        state,
        air_temperature=air(drive.air_temperature, state.air_temperature),
        air_vapour_pressure=air(vapour, state.air_vapour_pressure),
        air_co2=air(co2_concentration(temperature, drive.co2), state.air_co2),
        pipe_temperature=jnp.where(drive.pump > 0.0, drive.pipe_temperature, state.pipe_temperature),
        leaf_carbohydrate=leaf_area / p.specific_leaf_area,
        buffer_carbohydrate=nothing,  # a crop that neither grows nor stores within a window
        stem_carbohydrate=nothing,
        fruit_carbohydrate=nothing,
    )


def initial(drive: Drive, mean_temperature: Any, twin: Twin) -> State:
    """Return the state at the beginning of the spin-up: nodes near the air, soil between its mean and the deep soil."""
    deep = drive.grassland_temperature + twin.installation.soil_warmth
    inside = jnp.where(jnp.isnan(drive.air_temperature), mean_temperature, drive.air_temperature)
    mean, out = mean_temperature + 0.0 * inside, drive.outdoor_temperature
    vapour = 0.75 * saturation_vapour_pressure(inside)
    co2 = co2_concentration(inside, twin.installation.outdoor_co2)
    nodes = ("air", "top", "canopy", "thermal_screen", "blackout_screen", "pipe", "lamp", "interlamp", "grow_pipe")
    nothing = jnp.zeros_like(inside)
    return State(
        **{f"{node}_temperature": inside for node in nodes},
        inner_cover_temperature=0.5 * (inside + out),
        outer_cover_temperature=0.5 * (inside + out),
        floor_temperature=mean,
        soil1_temperature=mean,
        soil2_temperature=0.25 * (3.0 * mean + deep),
        soil3_temperature=0.25 * (2.0 * mean + 2.0 * deep),
        soil4_temperature=0.25 * (mean + 3.0 * deep),
        soil5_temperature=deep,
        canopy_temperature_24h=mean,
        air_vapour_pressure=vapour,
        top_vapour_pressure=vapour,
        air_co2=co2,
        top_co2=co2,
        leaf_carbohydrate=nothing,
        buffer_carbohydrate=nothing,
        stem_carbohydrate=nothing,
        fruit_carbohydrate=nothing,
        canopy_temperature_sum=nothing,
        time=nothing,
    )
