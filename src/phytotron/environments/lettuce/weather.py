"""The half-hourly weather of lettuce: that of the benchmark, or your own."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.arrays import read_only
from phytotron.environments.dated_rows import DatedRows, RowWeather
from phytotron.environments.lettuce.model import INTERVAL, Weather
from phytotron.weather.greenhouse_weather import CO2
from phytotron.weather.humid_air import percent_per_density, ppm_per_density, relative_humidity
from phytotron.weather.table import WeatherTable

DARK = 1e-6  # W m-2; less is the noise of the instrument
SEASONS = {"benchmark": (40,), "train": range(80, 293)}  # days of the year; 1 January is day 1


def rows(table: WeatherTable | Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """Return rows of `Weather` from a table of half hours; without CO2 it is that of the greenhouse's weather."""
    temperature = table["air_temperature"]
    co2 = table["co2"] if "co2" in table else np.full(temperature.shape, CO2)
    measured = "relative_humidity" in table
    humidity = table["relative_humidity"] if measured else relative_humidity(temperature, table["vapour_pressure"])
    vapour = humidity / percent_per_density(temperature)  # kg m-3
    return np.stack([table["global_radiation"], co2 / ppm_per_density(temperature), temperature, vapour], axis=-1)


@functools.cache
def bleiswijk() -> DatedRows:
    """Return the weather of the benchmark, from 10 January to 29 November 2014; see bleiswijk_2014.md."""
    with np.load(Path(__file__).with_name("bleiswijk_2014.npz"), allow_pickle=False) as file:
        table = dict(file)
    table["global_radiation"] = np.where(table["global_radiation"] < DARK, 0.0, table["global_radiation"])
    return DatedRows(read_only(rows(table)), int(INTERVAL), first_day=10, day_zero=np.datetime64("2013-12-31"))


WEATHER = RowWeather(Weather, int(INTERVAL), rows, bleiswijk, SEASONS)
