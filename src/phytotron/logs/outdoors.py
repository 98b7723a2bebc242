"""The weather of a log as a weather table, for environments that are to run on it."""

import numpy as np

from phytotron.core.constants import KELVIN, SECONDS_PER_DAY
from phytotron.logs.table import Column, GreenhouseLog, LogError
from phytotron.weather.calendar import utc
from phytotron.weather.radiation import STEFAN_BOLTZMANN, sky_temperature_from_cloud, sky_temperature_from_longwave
from phytotron.weather.table import WeatherTable, weather_table

STEP = 300  # s
LONGEST_GAP = 1800.0  # s: the distance from a measurement over which weather is interpolated
USUAL_CLOUD = 0.7  # where a log has no pyrgeometer
# column of a weather table: quantity of a log
COLUMNS = {
    "global_radiation": "global_radiation",
    "air_temperature": "outdoor_temperature",
    "relative_humidity": "outdoor_relative_humidity",
    "wind_speed": "wind_speed",
}


def outdoor_weather(log: GreenhouseLog) -> WeatherTable:
    """Return the whole days (UTC) of a log as a weather table in steps of 5 minutes.

    A long gap raises an error that names it.
    """
    day = np.timedelta64(1, "D")
    first = log.times[0].astype("datetime64[D]")
    first = first if first == log.times[0] else first + day
    end = (log.times[-1] + np.timedelta64(STEP, "s")).astype("datetime64[D]")
    if end <= first:
        raise LogError(f"the log {log.name} holds no whole day of UTC; environments run on whole days")
    start, rows = first.astype("datetime64[s]"), int((end - first) / day) * (SECONDS_PER_DAY // STEP)
    grid = log.on_grid(start, rows, STEP, LONGEST_GAP)
    columns = {}
    for column, quantity in COLUMNS.items():
        if quantity not in log:
            raise LogError(f"the log {log.name} has no {quantity}, which the weather of a greenhouse needs")
        columns[column] = grid[quantity]
        missing = np.isnan(grid[quantity])
        if missing.any():
            where = start + int(np.argmax(missing)) * np.timedelta64(STEP, "s")
            raise LogError(f"the log {log.name} has no {quantity} for more than half an hour at {where} UTC")
    columns["sky_temperature"] = sky_temperature(grid.get("net_longwave"), grid["outdoor_temperature"])
    return weather_table(columns, utc(first.astype(object)), STEP, log.site, log.provenance)


def sky_temperature(net_longwave: Column | None, outdoor: Column) -> Column:
    """Return the temperature of the sky [°C] from a pyrgeometer [W m-2] and the air [°C].

    Without a pyrgeometer, the usual cloud cover is assumed.
    """
    usual = np.asarray(sky_temperature_from_cloud(outdoor, USUAL_CLOUD))
    if net_longwave is None:
        return usual
    measured = np.asarray(sky_temperature_from_longwave(STEFAN_BOLTZMANN * (outdoor + KELVIN) ** 4 + net_longwave))
    return np.where(np.isnan(measured), usual, measured)
