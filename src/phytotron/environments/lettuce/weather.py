"""The half-hourly weather of lettuce: that of the benchmark, or your own."""

import functools
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


def row_values(radiation: Any, temperature: Any, relative_humidity: Any, co2: Any) -> NDArray[Any]:
    """Return rows of `Weather` from radiation [W m-2], temperature [°C], relative humidity [%] and CO2 [ppm]."""
    co2_density = co2 / ppm_per_density(temperature)  # kg m-3
    vapour_density = relative_humidity / percent_per_density(temperature)  # kg m-3
    return np.stack([radiation, co2_density, temperature, vapour_density], axis=-1)


@functools.cache
def bleiswijk() -> DatedRows:
    """Return the weather of the benchmark, from 10 January to 29 November 2014; see bleiswijk_2014.md."""
    with np.load(Path(__file__).with_name("bleiswijk_2014.npz"), allow_pickle=False) as file:
        radiation = np.where(file["radiation"] < DARK, 0.0, file["radiation"])
        rows = read_only(row_values(radiation, file["temperature"], file["relative_humidity"], file["co2"]))
    return DatedRows(rows, int(INTERVAL), first_day=10, day_zero=np.datetime64("2013-12-31"))


def rows_of_table(table: WeatherTable) -> NDArray[Any]:
    """Return the rows of a table of half hours; without CO2 it is that of the greenhouse's weather."""
    temperature = table["air_temperature"]
    co2 = table["co2"] if "co2" in table else np.full(table.size, CO2)
    measured = "relative_humidity" in table
    humidity = table["relative_humidity"] if measured else relative_humidity(temperature, table["vapour_pressure"])
    return row_values(table["global_radiation"], temperature, humidity, co2)


SEASONS = {"benchmark": (40,), "train": range(80, 293)}  # days of the year; 1 January is day 1
WEATHER = RowWeather(Weather, int(INTERVAL), bleiswijk, SEASONS, rows_of_table)
