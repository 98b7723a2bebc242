"""Properties of humid air, for series of measurements (NumPy) and for models (JAX)."""

from phytotron.core.arrays import namespace
from phytotron.core.constants import KELVIN
from phytotron.core.fields import Value

GAS_CONSTANT, PRESSURE = 8.3144598, 101325.0  # J mol-1 K-1, Pa
CO2_MOLAR_MASS, WATER_MOLAR_MASS = 44.01e-3, 18.01528e-3  # kg mol-1
PPM_PER_CONCENTRATION_AND_KELVIN = GAS_CONSTANT / (PRESSURE * CO2_MOLAR_MASS)  # ideal gas; mg in kg and ppm in one

# Saturation vapour pressure: at 0 °C [Pa], its slope, and an offset [°C]; those of GreenLight (Katzin et al. 2020).
SATURATED, SLOPE, OFFSET = 610.78, 17.2694, 238.3


def saturation_vapour_pressure(temperature: Value) -> Value:
    """Return the saturation vapour pressure [Pa] at a temperature [°C]."""
    return SATURATED * namespace(temperature).exp(SLOPE * temperature / (temperature + OFFSET))


def saturation_slope(temperature: Value) -> Value:
    """Return the derivative of the saturation vapour pressure by the temperature [Pa K-1]."""
    return saturation_vapour_pressure(temperature) * (SLOPE * OFFSET) / (temperature + OFFSET) ** 2


def vapour_pressure(temperature: Value, relative_humidity: Value) -> Value:
    """Return the vapour pressure [Pa] of air at a temperature [°C] and relative humidity [%]."""
    return 0.01 * relative_humidity * saturation_vapour_pressure(temperature)


def relative_humidity(temperature: Value, vapour_pressure: Value) -> Value:
    """Return the relative humidity [%] of air at a temperature [°C] and vapour pressure [Pa]."""
    return 100.0 * vapour_pressure / saturation_vapour_pressure(temperature)


def dew_point(vapour_pressure: Value) -> Value:
    """Return the temperature [°C] at which a vapour pressure [Pa] saturates: the inverse of
    `saturation_vapour_pressure`.
    """
    logarithm = namespace(vapour_pressure).log(vapour_pressure / SATURATED)
    return OFFSET * logarithm / (SLOPE - logarithm)


def tetens_vapour_pressure(temperature: Value) -> Value:
    """Return the saturation vapour pressure [Pa] at a temperature [°C], as in FAO-56; at the dew point the actual one.

    Allen, Pereira, Raes and Smith 1998, FAO Irrigation and Drainage Paper 56, eqs. 11 and 14.
    """
    return 610.8 * namespace(temperature).exp(17.27 * temperature / (temperature + 237.3))


def co2_mole_fraction(temperature: Value, concentration: Value) -> Value:
    """Return CO2 mole fraction [ppm] from its concentration [mg m-3] at a temperature [°C] and one atmosphere."""
    return PPM_PER_CONCENTRATION_AND_KELVIN * (temperature + KELVIN) * concentration


def ppm_per_density(temperature: Value) -> Value:
    """Return the factor that converts CO2 from kg m-3 to ppm at a temperature [°C] and one atmosphere."""
    return 1e6 * GAS_CONSTANT * (temperature + KELVIN) / (PRESSURE * CO2_MOLAR_MASS)


def percent_per_density(temperature: Value) -> Value:
    """Return the factor that converts water vapour from kg m-3 to relative humidity [%] at a temperature [°C]."""
    saturated = WATER_MOLAR_MASS * saturation_vapour_pressure(temperature)
    return 100.0 * GAS_CONSTANT * (temperature + KELVIN) / saturated


def co2_concentration(temperature: Value, mole_fraction: Value) -> Value:
    """Return the inverse of `co2_mole_fraction`."""
    return mole_fraction / (PPM_PER_CONCENTRATION_AND_KELVIN * (temperature + KELVIN))
