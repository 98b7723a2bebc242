"""Radiation of sun and sky, and what a grower reads from it: daily sums, day and night."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phytotron.core.arrays import namespace
from phytotron.core.constants import KELVIN, SECONDS_PER_HOUR
from phytotron.core.fields import Value

STEFAN_BOLTZMANN = 5.67e-8  # W m-2 K-4
CLOUD_EMISSION = 0.84  # share of the clear-sky gap that a full cloud cover closes
TWILIGHT = 3600  # s, length of the ramp between night and day

Series = NDArray[np.float64]


def sky_temperature_from_cloud(air_temperature: Value, cloud_fraction: Value) -> Value:
    """Return the temperature [°C] of a black sky, from air temperature [°C] and the fraction of it under cloud.

    Clear-sky radiation 213 + 5.5 T [W m-2] (Monteith and Unsworth), cloud as in Luo et al. 2005, Biosyst. Eng. 90,
    as GreenLight (Katzin et al. 2020) and GreenLight-Gym compute it.
    """
    black = STEFAN_BOLTZMANN * (air_temperature + KELVIN) ** 4
    clear = (213.0 + 5.5 * air_temperature) / black
    cloud = CLOUD_EMISSION * cloud_fraction
    emissivity = (1.0 - cloud) * clear + cloud
    return emissivity**0.25 * (air_temperature + KELVIN) - KELVIN


def sky_temperature_from_longwave(longwave_radiation: Value) -> Value:
    """Return the temperature [°C] of a black sky that sends down so much longwave radiation [W m-2]."""
    return (longwave_radiation / STEFAN_BOLTZMANN) ** 0.25 - KELVIN


def clear_sky_emissivity(air_temperature: Value, vapour_pressure: Value) -> Value:
    """Return the emissivity of a clear sky, from air temperature [°C] and vapour pressure [Pa].

    Brutsaert 1975, Water Resources Research 11, 742-744: 1.24 (e / T)^(1/7), e in hPa and T in K.
    """
    return 1.24 * (0.01 * vapour_pressure / (air_temperature + KELVIN)) ** (1.0 / 7.0)


def sky_temperature_from_humidity(air_temperature: Value, vapour_pressure: Value, cloud_fraction: Value) -> Value:
    """Return the temperature [°C] of a black sky, from air temperature [°C], vapour pressure [Pa] and the fraction
    under cloud.

    A clear sky by Brutsaert, clouds as black: Crawford and Duchon 1999, Journal of Applied Meteorology 38, 474-480.
    """
    clear = clear_sky_emissivity(air_temperature, vapour_pressure)
    emissivity = cloud_fraction + (1.0 - cloud_fraction) * clear
    return emissivity**0.25 * (air_temperature + KELVIN) - KELVIN


def daylength_terms(day_of_year: Value, latitude: Value) -> tuple[Value, Value, Value]:
    """Return the integral of the sine of the sun's height over a day [s], its day length [h], the sun's strength [W
    m-2].

    `day_of_year` is 1 on 1 January. Goudriaan and van Laar 1994, Modelling Potential Crop Growth Processes, ch. 3, with
    the polar day and night; the form that PCSE uses.
    """
    xp = namespace(day_of_year, latitude)
    radian = math.pi / 180.0
    declination = -xp.arcsin(math.sin(23.45 * radian) * xp.cos(2.0 * math.pi * (day_of_year + 10.0) / 365.0))
    strength = 1370.0 * (1.0 + 0.033 * xp.cos(2.0 * math.pi * day_of_year / 365.0))
    sine = xp.sin(radian * latitude) * xp.sin(declination)
    cosine = xp.cos(radian * latitude) * xp.cos(declination)
    ratio = xp.clip(sine / cosine, -1.0, 1.0)
    hours = 12.0 * (1.0 + 2.0 * xp.arcsin(ratio) / math.pi)
    integral = SECONDS_PER_HOUR * (hours * sine + 24.0 * cosine * xp.sqrt(1.0 - ratio**2) / math.pi)
    return integral, hours, strength


def angot_radiation(day_of_year: Value, latitude: Value) -> Value:
    """Return the radiation on a horizontal plane above the atmosphere [J m-2 day-1]; `day_of_year`: 1 on 1 January."""
    integral, _, strength = daylength_terms(day_of_year, latitude)
    xp = namespace(day_of_year, latitude)
    return xp.maximum(strength * integral, 0.0)


def clear_sky_radiation(day_of_year: Value, latitude: Value, elevation: Value) -> Value:
    """Return the global radiation of a clear day [J m-2 day-1], FAO-56, eq. 37; `day_of_year` is 1 on 1 January."""
    return (0.75 + 2e-5 * elevation) * angot_radiation(day_of_year, latitude)


def daily_radiation_sum(radiation: ArrayLike, time: ArrayLike, interval: float) -> Series:
    """Return the radiation sum [MJ m-2 day-1] of the calendar day that each value [W m-2] belongs to.

    Time in days, counted from any midnight. It knows the rest of the day, as a perfect forecast would.
    """
    power = np.asarray(radiation, float)
    day = np.floor(np.asarray(time, float) + 1e-9).astype(int)
    sums = np.bincount(day - day.min(), weights=power) * interval * 1e-6
    return np.asarray(sums[day - day.min()])


def day_ramps(radiation: ArrayLike, interval: float) -> tuple[Series, Series]:
    """Return 1 while the sun shines, 0 otherwise, with an hour's ramp at each change: linear, and as a sigmoid."""
    linear = (np.asarray(radiation, float) > 0.0).astype(float)
    smooth = linear.copy()
    length = int(TWILIGHT // interval)
    ramp = np.linspace(0.0, 1.0, length)
    sigmoid = 1.0 / (1.0 + np.exp(-10.0 * (ramp - 0.5)))
    changes: Any = np.flatnonzero(np.diff(linear))  # the last value before each change
    rises = np.diff(linear)[changes] > 0.0
    for last, rising in zip(changes, rises, strict=True):
        window = slice(last - length // 2, last - length // 2 + length)
        if length > 1 and window.start >= 0 and window.stop <= linear.size:
            linear[window] = ramp if rising else 1.0 - ramp
            smooth[window] = sigmoid if rising else 1.0 - sigmoid
    return linear, smooth
