"""Evaporation of water, soil and grass: what a crop model asks of the weather, term for term as PCSE computes it.

Penman: Penman 1948, Proc. R. Soc. A 193, 120-145, with the constants of Frère and Popov 1979 (FAO) that WOFOST and its
kin use. Penman-Monteith: Allen, Pereira, Raes and Smith 1998, FAO Irrigation and Drainage Paper 56, in the variant of
PCSE: the crop's resistance enters as 70 / 208 instead of 0.34, and the term for clouds is not bounded.
"""

from typing import NamedTuple

import numpy as np

from phytotron.core.arrays import namespace
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Value, quantity, record
from phytotron.weather.humid_air import tetens_vapour_pressure
from phytotron.weather.radiation import angot_radiation

LATENT_HEAT = 2.45e6  # J kg-1, of vaporisation: J m-2 to mm
STEFAN_BOLTZMANN = 5.670373e-8  # W m-2 K-4
STEFAN_BOLTZMANN_DAY = 4.903e-3  # J m-2 d-1 K-4, as FAO-56 rounds it
WATER_ALBEDO, SOIL_ALBEDO, CANOPY_ALBEDO = 0.05, 0.15, 0.25


class Angstrom(NamedTuple):
    """Share of the radiation above the atmosphere that arrives under cloud (a), and what a clear sky adds (b)."""

    a: float
    b: float


DEFAULT_ANGSTROM = Angstrom(0.29, 0.49)


@record
class DayWeather:
    """The inputs of the evaporation of a day."""

    irradiation: Value = quantity("IRRAD", "J m-2 d-1", "global radiation", low=0)
    minimum_temperature: Value = quantity("TMIN", "°C", "lowest air temperature")
    maximum_temperature: Value = quantity("TMAX", "°C", "highest air temperature")
    vapour_pressure: Value = quantity("VAP", "Pa", "vapour pressure", low=0)
    wind_speed_2m: Value = quantity("WIND", "m s-1", "wind speed at 2 m", low=0)
    day_of_year: Value = quantity("DOY", "d", "day of the year, 1 on 1 January", low=1, high=366)
    latitude: Value = quantity("LAT", "degrees", "latitude", low=-90, high=90)
    elevation: Value = quantity("ELEV", "m", "elevation above sea level")


def penman(day: DayWeather, angstrom: Angstrom = DEFAULT_ANGSTROM) -> tuple[Value, Value, Value]:
    """Return the evaporation [mm d-1] of open water (E0), wet bare soil (ES0) and a canopy by the same formula."""
    xp = namespace(day.irradiation, day.minimum_temperature)
    mean = 0.5 * (day.minimum_temperature + day.maximum_temperature)
    spread = day.maximum_temperature - day.minimum_temperature
    wind_factor = 0.54 + 0.35 * xp.clip((spread - 12.0) / 4.0, 0.0, 1.0)

    air_pressure = 1013.0 * xp.exp(-0.034 * day.elevation / (mean + 273.0))  # hPa
    psychrometric = 0.67 * air_pressure / 1013.0  # hPa K-1
    saturated = 6.10588 * xp.exp(17.32491 * mean / (mean + 238.102))  # hPa
    slope = 238.102 * 17.32491 * saturated / (mean + 238.102) ** 2  # hPa K-1
    actual = xp.minimum(0.01 * day.vapour_pressure, saturated)  # hPa

    sunshine = relative_sunshine(day, angstrom)
    longwave_loss = STEFAN_BOLTZMANN * SECONDS_PER_DAY * (mean + 273.0) ** 4  # J m-2 d-1
    longwave_loss = longwave_loss * (0.56 - 0.079 * xp.sqrt(actual)) * (0.1 + 0.9 * sunshine)
    deficit = xp.maximum(0.0, saturated - actual)

    def evaporation(albedo: float, roughness: float) -> Value:
        net = (day.irradiation * (1.0 - albedo) - longwave_loss) / LATENT_HEAT
        drying = 0.26 * deficit * (roughness + wind_factor * day.wind_speed_2m)
        return xp.maximum(0.0, (slope * net + psychrometric * drying) / (slope + psychrometric))

    return evaporation(WATER_ALBEDO, 0.5), evaporation(SOIL_ALBEDO, 0.5), evaporation(CANOPY_ALBEDO, 1.0)


def relative_sunshine(day: DayWeather, angstrom: Angstrom) -> Value:
    """Return the share of the day that the sun was out, from the share of radiation that arrived (Ångström)."""
    xp = namespace(day.irradiation, day.minimum_temperature)
    above = angot_radiation(day.day_of_year, day.latitude)
    share = day.irradiation / xp.where(above > 0.0, above, xp.inf)
    return xp.clip((share - abs(angstrom.a)) / abs(angstrom.b), 0.0, 1.0)


def penman_monteith(day: DayWeather) -> Value:
    """Return the evapotranspiration ET0 [mm d-1] of well-watered grass."""
    xp = namespace(day.irradiation, day.minimum_temperature)
    mean = 0.5 * (day.minimum_temperature + day.maximum_temperature)
    air_pressure = 101.3 * ((293.0 - 0.0065 * day.elevation) / 293.0) ** 5.26  # kPa, FAO-56 eq. 7
    psychrometric = 0.665e-3 * air_pressure  # kPa K-1, eq. 8
    slope = 4098.0 * 1e-3 * tetens_vapour_pressure(mean) / (mean + 237.3) ** 2  # kPa K-1, eq. 13
    saturated = 0.5e-3 * (
        tetens_vapour_pressure(day.maximum_temperature) + tetens_vapour_pressure(day.minimum_temperature)
    )  # kPa, eq. 12
    actual = xp.minimum(1e-3 * day.vapour_pressure, saturated)  # kPa

    emitted = (
        0.5 * STEFAN_BOLTZMANN_DAY * ((day.maximum_temperature + 273.16) ** 4 + (day.minimum_temperature + 273.16) ** 4)
    )
    clear_sky = (0.75 + 2e-5 * day.elevation) * angot_radiation(day.day_of_year, day.latitude)  # eq. 37
    clearness = day.irradiation / xp.where(clear_sky > 0.0, clear_sky, xp.inf)
    longwave_loss = emitted * (0.34 - 0.14 * xp.sqrt(actual)) * (1.35 * clearness - 0.35)  # eq. 39
    net = (0.77 * day.irradiation - longwave_loss) / LATENT_HEAT  # mm d-1, eqs. 38 and 40

    wind = day.wind_speed_2m
    drying = psychrometric * 900.0 / (mean + 273.0) * wind * (saturated - actual)
    resistance = slope + psychrometric * (1.0 + 70.0 / 208.0 * wind)
    return xp.maximum(0.0, (slope * net + drying) / resistance)  # eq. 6


def angstrom_coefficients(irradiation: Value, extraterrestrial_irradiation: Value) -> Angstrom:
    """Return Ångström's a and b from a record of radiation below and above the atmosphere.

    As PCSE estimates them for NASA POWER: a is the 5th, a + b the 98th percentile of the ratio, the usual values where
    the record is shorter than 200 days or the result implausible.
    """
    below, above = np.asarray(irradiation, float), np.asarray(extraterrestrial_irradiation, float)
    if below.shape != above.shape:
        raise ValueRangeError("the records of radiation", (below.shape, above.shape), "two of the same length")
    ratio = below[above > 0.0] / above[above > 0.0]
    if ratio.size < 200:
        return DEFAULT_ANGSTROM
    low, high = np.percentile(ratio, (5.0, 98.0))
    plausible = 0.1 <= low <= 0.4 and 0.3 <= high - low <= 0.7 and 0.6 <= high <= 0.9
    return Angstrom(float(low), float(high - low)) if plausible else DEFAULT_ANGSTROM
