"""Canopy photosynthesis (Vanthoor 2011, eqs. 9.10-9.23)."""

from __future__ import annotations

import jax.numpy as jnp

from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value
from phytotron.models.greenlight.canopy import Canopy
from phytotron.models.greenlight.mathematics import root, switch
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.states import State
from phytotron.weather.humid_air import co2_mole_fraction


def electron_transport(state: State, photons: Value, leaves: Canopy, p: Parameters) -> Value:
    """Electron transport rate of the canopy [µmol m-2 s-1]."""
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
    """Gross photosynthesis less photorespiration [mg{CH2O} m-2 s-1], for an empty buffer.

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
