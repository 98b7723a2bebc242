"""Recorded weather of fields, and recorded episodes of CropGym's code."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

import numpy as np
from shared_data import shared

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.weather.field_weather import FieldWeather, concatenated, field_weather
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

# name in the file, and what makes the unit of a table of it
COLUMNS = {
    "irradiation": ("IRRAD", 1.0),
    "minimum_temperature": ("TMIN", 1.0),
    "maximum_temperature": ("TMAX", 1.0),
    "air_temperature": ("TEMP", 1.0),
    "vapour_pressure": ("VAP", 100.0),
    "wind_speed_2m": ("WIND", 1.0),
    "rain": ("RAIN", 10.0),
    "bare_soil_evaporation": ("ES0", 10.0),
    "reference_evapotranspiration": ("ET0", 10.0),
}


def power_table(place: str, year: int) -> WeatherTable:
    """A year of a recorded file, e.g. lat51.5_lon5, with the evaporation that PCSE computed."""
    with np.load(shared("weather", "power", f"nasapower_{place}.npz")) as held:
        days = held["day"].astype("datetime64[D]")
        rows = np.flatnonzero(days.astype("datetime64[Y]") == np.datetime64(str(year)))
        assert np.all(np.diff(days[rows]) == np.timedelta64(1, "D"))
        columns = {name: factor * held[symbol][rows] for name, (symbol, factor) in COLUMNS.items()}
        site = Site(place, float(held["lat"]), float(held["lon"]), float(held["elev"]))
    return weather_table(columns, date(year, 1, 1), SECONDS_PER_DAY, site, Provenance("NASA POWER", "public domain"))


def power_weather(place: str, *years: int) -> FieldWeather:
    return concatenated([field_weather(power_table(place, year)) for year in years])


class Episode(NamedTuple):
    """One episode of CropGym's code."""

    observation: Any  # (steps + 1, 30)
    reward: Any
    growth: Any
    action: Any
    date: Any


def recorded_episode(name: str) -> Episode:
    with np.load(shared("reference", "cropgym_episodes", f"gym_nl515_5_{name}.npz")) as held:
        dates = held["date"].astype("datetime64[D]")
        return Episode(held["obs"], held["reward"], held["growth"], held["action"], dates)
