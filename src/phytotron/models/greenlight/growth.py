"""Photosynthesis of the canopy (Vanthoor 2011, eqs. 9.10-9.23), and the carbohydrate flows of the crop (chapter 9)."""

from typing import NamedTuple

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.design import Design
from phytotron.models.greenlight.mathematics import root, switch, together
from phytotron.models.greenlight.optics import Canopy
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import State
from phytotron.weather.humid_air import co2_mole_fraction


def electron_transport(state: State, photons: Value, leaves: Canopy, p: Parameters) -> Value:
    """Return the electron transport rate of the canopy [µmol m-2 s-1]."""
    kelvin = state.canopy_temperature + KELVIN
    molar_gas_constant = 1e-3 * p.gas_constant  # J mol-1 K-1
    reference = molar_gas_constant * p.reference_temperature
    actual = molar_gas_constant * kelvin
    activation = jnp.exp(p.electron_activation_energy * (kelvin - p.reference_temperature) / (reference * kelvin))
    at_reference = p.electron_entropy * p.reference_temperature - p.electron_deactivation_energy
    at_actual = p.electron_entropy * kelvin - p.electron_deactivation_energy
    deactivation = (1.0 + jnp.exp(at_reference / reference)) * switch(-at_actual / actual)
    potential = leaves.leaf_area * p.electron_transport_25 * activation * deactivation  # 9.15, 9.16
    light = p.electron_yield * photons
    both = potential + light
    discriminant = root(both * both - 4.0 * p.electron_curvature * potential * light)
    # The smaller root of theta J^2 - (Jpot + alpha I) J + Jpot alpha I = 0 (9.14), in the form without cancellation.
    return 2.0 * potential * light / (both + discriminant)


def net_photosynthesis(state: State, photons: Value, leaves: Canopy, p: Parameters) -> Value:
    """Return the gross photosynthesis less photorespiration [mg{CH2O} m-2 s-1], for an empty buffer.

    The formula is meant for CO2 above the compensation point. Below it the canopy takes up nothing, and a compensation
    point below zero (a cold, nearly leafless canopy) counts as zero: outside these limits the published expression
    has poles.
    """
    stomatal_co2 = p.stomatal_co2_ratio * co2_mole_fraction(state.air_temperature, state.air_co2)  # 9.21
    slope = p.compensation_slope
    compensation = 20.0 * slope + slope * (state.canopy_temperature - 20.0) / leaves.leaf_area  # 9.23
    compensation = jnp.maximum(compensation, 0.0)
    above = jnp.maximum(stomatal_co2 - compensation, 0.0)
    co2 = jnp.maximum(stomatal_co2, 1e-3)
    transport = electron_transport(state, photons, leaves, p)
    gross = 0.25 * transport * above / (co2 + 2.0 * compensation)  # 9.12
    photorespiration = gross * compensation / co2  # 9.13
    return p.carbohydrate_molar_mass * (gross - photorespiration)  # 9.10


class Growth(NamedTuple):
    """Carbohydrate fluxes [mg{CH2O} m-2 s-1]."""

    assimilation: Value  # from the air to the buffer
    buffer_fruit: Value
    buffer_leaf: Value
    buffer_stem: Value
    growth_respiration: Value
    fruit_maintenance: Value
    leaf_maintenance: Value
    stem_maintenance: Value
    leaf_pruning: Value
    fruit_harvest: Value


def positive_part(x: Value) -> Value:
    """Return max(x, 0), smooth over 0.01 (Vanthoor 2011, eq. B.6)."""
    return 0.5 * (x + jnp.sqrt(x * x + 1e-4))


def harvest_rate(state: State, p: Parameters) -> Value:
    """Return fruit harvested [mg{CH2O} m-2 s-1]: what grows beyond the largest pool; Vanthoor 2011, eq. B.5."""
    return p.fruit_harvest_rate * switch(p.harvest_slope * (state.fruit_carbohydrate - p.fruit_maximum))


def growth(state: State, photosynthesis: Value, p: Parameters, design: Design) -> Growth:
    """Return flows of carbohydrates between buffer, organs, harvest and air [mg m-2 s-1]."""
    canopy, daily = state.canopy_temperature, state.canopy_temperature_24h
    has_room, has_stock, warm, cool, warm_day, cool_day, prune, harvest = together(
        switch,
        -5e-4 * (state.buffer_carbohydrate - p.buffer_maximum),  # 9.11
        5e-3 * (state.buffer_carbohydrate - p.buffer_minimum),  # 9.26
        0.869 * (canopy - p.canopy_temperature_minimum),  # B.2
        -0.5793 * (canopy - p.canopy_temperature_maximum),
        1.1587 * (daily - p.daily_temperature_minimum),  # B.3
        -1.3904 * (daily - p.daily_temperature_maximum),
        p.harvest_slope * (state.leaf_carbohydrate - design.leaf_maximum),  # B.5; Katzin 2021, eq. 7.45
        p.harvest_slope * (state.fruit_carbohydrate - p.fruit_maximum),
    )
    stage = state.canopy_temperature_sum / p.generative_temperature_sum
    generative = positive_part(stage) - positive_part(stage - 1.0)  # 9.27
    vigour = has_stock * warm_day * cool_day * jnp.maximum(0.047 * daily + 0.06, 0.0)  # 9.28, down to -1.3 °C
    fruit = vigour * warm * cool * generative * p.fruit_growth  # 9.24
    leaf = vigour * p.leaf_growth  # 9.25
    stem = vigour * p.stem_growth
    maintenance = design.maintenance * jnp.exp(0.1 * jnp.log(p.maintenance_q10) * (daily - 25.0))  # 9.45
    return Growth(
        assimilation=has_room * photosynthesis,  # 9.10
        buffer_fruit=fruit,
        buffer_leaf=leaf,
        buffer_stem=stem,
        growth_respiration=p.leaf_growth_respiration * leaf
        + p.stem_growth_respiration * stem
        + p.fruit_growth_respiration * fruit,  # 9.43-9.44
        fruit_maintenance=maintenance * p.fruit_maintenance * state.fruit_carbohydrate,
        leaf_maintenance=maintenance * p.leaf_maintenance * state.leaf_carbohydrate,
        stem_maintenance=maintenance * p.stem_maintenance * state.stem_carbohydrate,
        leaf_pruning=p.leaf_pruning_rate * prune,
        fruit_harvest=p.fruit_harvest_rate * harvest,
    )
