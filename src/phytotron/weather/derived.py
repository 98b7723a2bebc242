"""What follows from measured weather: vapour pressure, CO2 density, soil temperature, daily light, day and night.

NumPy functions of whole series. The first two are those of `models.greenlight.humid_air`, which lies above this room.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Series = NDArray[np.float64]

SECONDS_PER_DAY = 86400
DAYS_PER_YEAR = 365.0
TWILIGHT = 3600  # s, length of the ramp between night and day


def saturation_vapour_pressure(temperature: ArrayLike) -> Series:
    """Saturation vapour pressure [Pa] at a temperature [°C]."""
    t = np.asarray(temperature, float)
    return np.asarray(610.78 * np.exp(17.2694 * t / (t + 238.3)))


def co2_density(temperature: ArrayLike, mole_fraction: ArrayLike) -> Series:
    """CO2 density [mg m-3] from its mole fraction [ppm] at a temperature [°C]: ideal gas at one atmosphere."""
    kelvin = np.asarray(temperature, float) + 273.15
    return np.asarray(101325.0 * 44.01e-3 / (8.3144598 * kelvin) * np.asarray(mole_fraction, float))


def deep_soil_temperature(time: ArrayLike) -> Series:
    """Temperature [°C] a metre below grassland in the Netherlands; time in days since the start of the year.

    A sine through the long-term record of Jacobs, Heusinkveld and Holtslag 2011, Agric. For. Meteorol. 151, 774-780.
    """
    return np.asarray(10.0 + 5.0 * np.sin(2.0 * np.pi * (np.asarray(time, float) / DAYS_PER_YEAR + 0.625)))


def daily_radiation_sum(radiation: ArrayLike, time: ArrayLike, interval: float) -> Series:
    """Radiation sum [MJ m-2 day-1] of the calendar day that each value [W m-2] belongs to.

    Time in days, counted from any midnight. It knows the rest of the day, as a perfect forecast would.
    """
    power = np.asarray(radiation, float)
    day = np.floor(np.asarray(time, float) + 1e-9).astype(int)
    sums = np.bincount(day - day.min(), weights=power) * interval * 1e-6
    return np.asarray(sums[day - day.min()])


def day_ramps(radiation: ArrayLike, interval: float) -> tuple[Series, Series]:
    """1 while the sun shines, 0 otherwise, with a ramp of an hour around each change: linear, and as a sigmoid."""
    linear = (np.asarray(radiation, float) > 0.0).astype(float)
    smooth = linear.copy()
    length = int(TWILIGHT // interval)
    ramp = np.linspace(0.0, 1.0, length)
    sigmoid = 1.0 / (1.0 + np.exp(-10.0 * (ramp - 0.5)))
    changes = np.flatnonzero(np.diff(linear))  # the last value before each change
    rises = np.diff(linear)[changes] > 0.0
    for last, rising in zip(changes, rises, strict=True):
        window = slice(last - length // 2, last - length // 2 + length)
        if length > 1 and window.start >= 0 and window.stop <= linear.size:
            linear[window] = ramp if rising else 1.0 - ramp
            smooth[window] = sigmoid if rising else 1.0 - sigmoid
    return linear, smooth
