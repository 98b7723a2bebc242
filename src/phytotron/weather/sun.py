"""The position of the sun, and the diffuse share of its light."""

from typing import Any

import numpy as np

from phytotron.core.fields import Value
from phytotron.weather.calendar import Times, days_since_new_year

SOLAR_CONSTANT = 1361.0  # W m-2
LOWEST_SUN = 0.03  # sine of the elevation below which all light counts as diffuse


def sun_height(times: Times, latitude: float, longitude: float) -> Any:
    """Return the sine of the sun's elevation at times in UTC, zero while the sun is down.

    Spencer 1971, Search 2, 172.
    """
    days = days_since_new_year(times)
    g = 2.0 * np.pi * days / 365.0
    declination = (
        0.006918 - 0.399912 * np.cos(g) + 0.070257 * np.sin(g) - 0.006758 * np.cos(2 * g) + 0.000907 * np.sin(2 * g)
        - 0.002697 * np.cos(3 * g) + 0.00148 * np.sin(3 * g)
    )  # fmt: skip
    equation = 0.000075 + 0.001868 * np.cos(g) - 0.032077 * np.sin(g) - 0.014615 * np.cos(2 * g)
    equation = equation - 0.040849 * np.sin(2 * g)
    angle = 2.0 * np.pi * (days % 1.0 - 0.5) + np.radians(longitude) + equation
    phi = np.radians(latitude)
    height = np.sin(phi) * np.sin(declination) + np.cos(phi) * np.cos(declination) * np.cos(angle)
    return np.asarray(np.maximum(height, 0.0))


def diffuse_share(global_radiation: Value, height: Value) -> Any:
    """Return the diffuse share of global radiation [W m-2] under a sun of this `sun_height`.

    Erbs, Klein and Duffie 1982, Solar Energy 28, 293-302, eq. 1: a function of the clearness of the sky.
    """
    clearness = np.asarray(global_radiation) / (SOLAR_CONSTANT * np.maximum(height, LOWEST_SUN))
    k = np.clip(clearness, 0.0, 0.8)
    between = 0.9511 - 0.1604 * k + 4.388 * k**2 - 16.638 * k**3 + 12.336 * k**4
    share = np.where(k <= 0.22, 1.0 - 0.09 * k, np.where(clearness < 0.8, between, 0.165))
    return np.where(np.asarray(height) < LOWEST_SUN, 1.0, share)
