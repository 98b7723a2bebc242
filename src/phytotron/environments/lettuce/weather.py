"""The half-hourly weather of lettuce: that of the benchmark, or your own, and the days on which seasons start."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.arrays import read_only
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.environments.dated_rows import DatedRows, dated_rows
from phytotron.environments.lettuce.model import INTERVAL, Weather, percent_per_concentration, ppm_per_concentration
from phytotron.weather import humid_air
from phytotron.weather.archive import known_names
from phytotron.weather.greenhouse_weather import CO2
from phytotron.weather.table import WeatherTable

WeatherChoice = str | Path | WeatherTable | int | Sequence[int]

BLEISWIJK = Path(__file__).with_name("bleiswijk_2014.npz")  # 10 January to 29 November 2014, see bleiswijk_2014.md
FIRST_DAY, DAY_ZERO = 10, np.datetime64("2013-12-31")  # 1 January is day 1
START_DAYS: Mapping[str, Sequence[int]] = {"benchmark": (40,), "train": range(80, 293)}
DARK = 1e-6  # W m-2; less is the noise of the instrument


def row_values(radiation: Any, temperature: Any, humidity: Any, co2: Any) -> NDArray[Any]:
    """Return rows (rows, 4) of `model.Weather` from radiation [W m-2], temperature [°C], relative humidity [%] and CO2
    [ppm].
    """
    concentrations = co2 / ppm_per_concentration(temperature), humidity / percent_per_concentration(temperature)
    return np.stack([radiation, concentrations[0], temperature, concentrations[1]], axis=-1)


@functools.cache
def bleiswijk() -> NDArray[Any]:
    """Return the half-hourly weather of the benchmark, as an array (rows, 4) of the quantities of `Weather`."""
    with np.load(BLEISWIJK, allow_pickle=False) as file:
        radiation = np.where(file["radiation"] < DARK, 0.0, file["radiation"])
        return read_only(row_values(radiation, file["temperature"], file["relative_humidity"], file["co2"]))


def rows_of_table(table: WeatherTable) -> NDArray[Any]:
    """Return the rows of a table of half hours; without CO2 it is that of the greenhouse's weather."""
    temperature = table["air_temperature"]
    if "relative_humidity" in table:
        humidity = table["relative_humidity"]
    else:
        humidity = humid_air.relative_humidity(temperature, table["vapour_pressure"])
    co2 = table["co2"] if "co2" in table else np.full(table.size, CO2)
    return row_values(table["global_radiation"], temperature, humidity, co2)


def choose_weather(weather: WeatherChoice, folder: Path | None, steps: int, id: str) -> DatedRows:
    """Return the rows that an option stands for; the weather has to last for `steps` steps.

    `weather` is a name of START_DAYS or days of the year of the benchmark; or the path of a file, another name of
    weather, or a table.
    """
    named = isinstance(weather, str) and weather in START_DAYS
    if isinstance(weather, str | Path | WeatherTable) and not named:
        try:
            return dated_rows(weather, folder, steps, Weather, int(INTERVAL), rows_of_table)
        except UnknownNameError:
            known = (*START_DAYS, *known_names("hourly", folder))
            raise UnknownNameError(f"weather of {id}", str(weather), known) from None
    chosen: Any = weather
    days = np.atleast_1d(START_DAYS[chosen] if named else chosen)
    made = DatedRows(bleiswijk(), int(INTERVAL), FIRST_DAY, DAY_ZERO, days)
    last = made.last_day(steps)
    if days.size == 0 or days.dtype.kind != "i" or days.min() < FIRST_DAY or days.max() > last:
        raise ValueRangeError("weather", weather, f"days of the year, {FIRST_DAY} to {last}")
    return made
