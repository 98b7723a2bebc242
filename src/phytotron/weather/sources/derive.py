"""Variables that follow from those that a file holds."""

from __future__ import annotations

import numpy as np

from phytotron.core.constants import KELVIN
from phytotron.weather.humid_air import (
    co2_mole_fraction,
    tetens_vapour_pressure,
    vapour_pressure,
)
from phytotron.weather.radiation import sky_temperature_from_cloud
from phytotron.weather.site import Site
from phytotron.weather.sources.numbers import Floats
from phytotron.weather.surface import wind_at_2m

Columns = dict[str, Floats]
GRAVITY_PER_GAS_CONSTANT = 9.80665 / 287.05  # K m-1, of dry air
COLDEST_CLEAR_SKY = -38.0  # °C: the linear rule for the clear sky gives less than nothing below


def clouds_and_sky(columns: Columns) -> Columns:
    """Cloud cover from oktas, and the sky temperature where there is none.

    GreenLight-Gym divides the oktas by nine for the sky temperature: KNMI's 9 is a sky that cannot be seen.
    """
    if "oktas" in columns:
        oktas = columns.pop("oktas")
        columns["cloud_cover"] = np.minimum(oktas, 8.0) / 8.0
        air = columns.get("air_temperature")
        if air is not None and "sky_temperature" not in columns and air.min() > COLDEST_CLEAR_SKY:
            cloud = np.minimum(oktas, 9.0) / 9.0
            columns["sky_temperature"] = sky_temperature_from_cloud(air, cloud)
    return columns


def humidity(columns: Columns, dew_point_first: bool = False) -> Columns:
    """Vapour pressure from relative humidity, or from the dew point (FAO-56, eq. 14)."""
    from_dew_point = "dew_point" in columns and (dew_point_first or "relative_humidity" not in columns)
    if "vapour_pressure" not in columns:
        if from_dew_point:
            columns["vapour_pressure"] = tetens_vapour_pressure(columns["dew_point"])
        elif {"air_temperature", "relative_humidity"} <= set(columns):
            columns["vapour_pressure"] = vapour_pressure(columns["air_temperature"], columns["relative_humidity"])
    return columns


def pressure_at_station(columns: Columns, site: Site) -> Columns:
    """Pressure at the station from that at sea level: the hypsometric equation with the air temperature there.

    WMO-No. 8, Guide to Instruments and Methods of Observation, part I, ch. 3.
    """
    if "sea_level_pressure" in columns:
        sea_level = columns.pop("sea_level_pressure")
        if "air_temperature" in columns:
            warmth = columns["air_temperature"] + KELVIN
            columns["air_pressure"] = sea_level * np.exp(-GRAVITY_PER_GAS_CONSTANT * site.elevation / warmth)
    return columns


def carbon_dioxide(columns: Columns) -> Columns:
    """CO2 in ppm from its concentration."""
    if "co2_concentration" in columns:
        concentration = columns.pop("co2_concentration")
        if "air_temperature" in columns:
            columns["co2"] = co2_mole_fraction(columns["air_temperature"], concentration)
    return columns


def days(columns: Columns) -> Columns:
    """Mean temperature as the middle of the extremes, wind at 2 m from that at 10 m, where a file has neither."""
    if "air_temperature" not in columns and {"minimum_temperature", "maximum_temperature"} <= set(columns):
        columns["air_temperature"] = 0.5 * (columns["minimum_temperature"] + columns["maximum_temperature"])
    if "wind_speed_2m" not in columns and "wind_speed" in columns:
        columns["wind_speed_2m"] = wind_at_2m(columns["wind_speed"])
    return columns
