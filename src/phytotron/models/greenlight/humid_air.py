"""Properties of humid air."""

from __future__ import annotations

import jax.numpy as jnp

from phytotron.core.fields import Value
from phytotron.models.greenlight.mathematics import KELVIN

# Ideal gas: R / (p M) with R = 8.3144598 J mol-1 K-1, p = 101325 Pa, M = 44.01e-3 kg mol-1, mg in kg and ppm in one.
PPM_PER_CONCENTRATION_AND_KELVIN = 8.3144598 / (101325.0 * 44.01e-3)


def saturation_vapour_pressure(temperature: Value) -> Value:
    """Saturation vapour pressure [Pa] at a temperature [°C]."""
    return 610.78 * jnp.exp(17.2694 * temperature / (temperature + 238.3))


def co2_mole_fraction(temperature: Value, concentration: Value) -> Value:
    """CO2 mole fraction [ppm] from its concentration [mg m-3] at a temperature [°C] and one atmosphere."""
    return PPM_PER_CONCENTRATION_AND_KELVIN * (temperature + KELVIN) * concentration


def co2_concentration(temperature: Value, mole_fraction: Value) -> Value:
    """The inverse of `co2_mole_fraction`."""
    return mole_fraction / (PPM_PER_CONCENTRATION_AND_KELVIN * (temperature + KELVIN))


def relative_humidity(temperature: Value, vapour_pressure: Value) -> Value:
    """Relative humidity [%]."""
    return 100.0 * vapour_pressure / saturation_vapour_pressure(temperature)
