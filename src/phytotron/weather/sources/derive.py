"""Variables that follow from those that a file holds: steps that add them to its columns, in place."""

import contextlib

import numpy as np

from phytotron.core.constants import KELVIN
from phytotron.weather.humid_air import co2_mole_fraction, tetens_vapour_pressure, vapour_pressure
from phytotron.weather.radiation import sky_temperature_from_longwave
from phytotron.weather.site import Site
from phytotron.weather.sky import sky_from_cloud
from phytotron.weather.sources.numbers import Floats
from phytotron.weather.surface import wind_at_2m
from phytotron.weather.table import WeatherError

Columns = dict[str, Floats]
GRAVITY_PER_GAS_CONSTANT = 9.80665 / 287.05  # K m-1, of dry air


def sky_from_longwave(columns: Columns, _: Site) -> None:
    """Derive the sky temperature from longwave radiation."""
    if "longwave_radiation" in columns:
        columns["sky_temperature"] = sky_temperature_from_longwave(columns["longwave_radiation"])


def clouds(columns: Columns, _: Site) -> None:
    """Derive the cloud cover from oktas."""
    if "oktas" in columns:
        columns["cloud_cover"] = np.minimum(columns.pop("oktas"), 8.0) / 8.0


def clouds_and_sky(columns: Columns, site: Site) -> None:
    """Derive the cloud cover from oktas, and the sky temperature where there is none.

    GreenLight-Gym divides the oktas by nine for the sky temperature: KNMI's 9 is a hidden sky.
    """
    oktas, air = columns.get("oktas"), columns.get("air_temperature")
    clouds(columns, site)
    if oktas is not None and air is not None and "sky_temperature" not in columns:
        # Too cold for the rule: the other columns are good without the sky, and who needs it is told then.
        with contextlib.suppress(WeatherError):
            columns["sky_temperature"] = sky_from_cloud(air, np.minimum(oktas, 9.0) / 9.0)


def vapour_from_humidity(columns: Columns, _: Site) -> None:
    """Derive the vapour pressure from relative humidity."""
    if "vapour_pressure" not in columns and {"air_temperature", "relative_humidity"} <= set(columns):
        columns["vapour_pressure"] = vapour_pressure(columns["air_temperature"], columns["relative_humidity"])


def vapour_from_dew_point(columns: Columns, _: Site) -> None:
    """Derive the vapour pressure from the dew point (FAO-56, eq. 14)."""
    if "vapour_pressure" not in columns and "dew_point" in columns:
        columns["vapour_pressure"] = tetens_vapour_pressure(columns["dew_point"])


def pressure_at_station(columns: Columns, site: Site) -> None:
    """Derive the pressure at the station from that at sea level: the hypsometric equation with the air temperature
    there.

    WMO-No. 8, Guide to Instruments and Methods of Observation, part I, ch. 3.
    """
    if "sea_level_pressure" in columns:
        sea_level = columns.pop("sea_level_pressure")
        if "air_temperature" in columns:
            warmth = columns["air_temperature"] + KELVIN
            columns["air_pressure"] = sea_level * np.exp(-GRAVITY_PER_GAS_CONSTANT * site.elevation / warmth)


def carbon_dioxide(columns: Columns, _: Site) -> None:
    """Derive CO2 in ppm from its concentration."""
    if "co2_concentration" in columns:
        concentration = columns.pop("co2_concentration")
        if "air_temperature" in columns:
            columns["co2"] = co2_mole_fraction(columns["air_temperature"], concentration)


def means_of_days(columns: Columns, _: Site) -> None:
    """Derive the mean temperature as the middle of the extremes and wind at 2 m from that at 10 m, where missing."""
    if "air_temperature" not in columns and {"minimum_temperature", "maximum_temperature"} <= set(columns):
        columns["air_temperature"] = 0.5 * (columns["minimum_temperature"] + columns["maximum_temperature"])
    if "wind_speed_2m" not in columns and "wind_speed" in columns:
        columns["wind_speed_2m"] = wind_at_2m(columns["wind_speed"])


# What follows for hours and for days, where relative humidity is a mean and says less than the dew point.
HOURS = (vapour_from_humidity, vapour_from_dew_point)
DAYS = (means_of_days, vapour_from_dew_point, vapour_from_humidity)
