"""The temperature of the sky, where nobody measured it: from clouds, from humidity, or from a pyrgeometer."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError
from phytotron.weather.calendar import days_since_new_year
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.radiation import (
    clear_sky_radiation,
    sky_temperature_from_cloud,
    sky_temperature_from_humidity,
    sky_temperature_from_longwave,
)
from phytotron.weather.table import WeatherError, WeatherTable
from phytotron.weather.variables import variable

LEAST_SUN = 1e6  # J m-2 of a clear day, below which radiation does not tell clouds


def cloud_from_radiation(table: WeatherTable) -> Any:
    """Return the fraction of the sky under cloud: 1 less the share of a clear day's radiation that arrives.

    Crawford and Duchon 1999, with sums of whole days, between whose noons it runs along straight lines. Days of the
    polar night, and days that the table has in part, take it from the days beside them.
    """
    day = table.times.astype("datetime64[D]")
    days, of_day, rows = np.unique(day, return_inverse=True, return_counts=True)
    measured = np.bincount(of_day, np.asarray(table["global_radiation"], float)) * table.interval
    number = days_since_new_year(days.astype("datetime64[s]")) + 1.0
    clear = np.asarray(clear_sky_radiation(number, table.site.latitude, table.site.elevation))
    known = (rows == SECONDS_PER_DAY // table.interval) & (clear > LEAST_SUN)
    if not known.any():
        raise WeatherError(f"{table!r} has no whole day with sun, from which clouds could be computed")
    cloud = 1.0 - np.clip(measured[known] / clear[known], 0.0, 1.0)
    noons = (days[known] - days[0]) / np.timedelta64(1, "D") + 0.5
    now = (table.times - days[0]) / np.timedelta64(1, "D")
    return np.interp(now, noons, cloud)


def sky_from_cloud(air_temperature: Any, cloud_fraction: Any) -> Any:
    """Return the temperature of the sky [°C] from air temperature [°C] and the fraction of the sky under cloud.

    The rule for a clear sky is linear in the air temperature; below about -31 °C, where it gives what no sky can have,
    it is refused.
    """
    with np.errstate(invalid="ignore"):
        sky = sky_temperature_from_cloud(air_temperature, cloud_fraction)
    wrong = ~(np.asarray(sky) >= variable("sky_temperature").low)  # also true of NaN
    if wrong.any():
        coldest = float(np.min(np.asarray(air_temperature)[wrong]))
        raise WeatherError(
            f"the air temperature of {coldest:.1f} °C is too low for the sky temperature by cloud cover, a rule that "
            "holds down to about -31 °C; give sky_temperature, or estimate it by another rule: phytotron weather "
            'import FILE --sky humidity, or phytotron.weather.sky.with_sky(table, "humidity")'
        )
    return sky


def _from_cloud(table: WeatherTable) -> Any:
    return sky_from_cloud(table["air_temperature"], table["cloud_cover"])


def _from_humidity(table: WeatherTable) -> Any:
    air = np.asarray(table["air_temperature"], float)
    vapour = (
        table["vapour_pressure"] if "vapour_pressure" in table else vapour_pressure(air, table["relative_humidity"])
    )
    return sky_temperature_from_humidity(air, vapour, cloud_from_radiation(table))


def _from_longwave(table: WeatherTable) -> Any:
    return sky_temperature_from_longwave(table["longwave_radiation"])


METHODS: Mapping[str, tuple[Callable[[WeatherTable], Any], str]] = {
    "cloud": (_from_cloud, "cloud cover (Monteith and Unsworth; Luo et al. 2005)"),
    "humidity": (_from_humidity, "humidity and radiation (Brutsaert 1975; Crawford and Duchon 1999)"),
    "pyrgeometer": (_from_longwave, "measured longwave radiation (Stefan and Boltzmann)"),
}


def with_sky(table: WeatherTable, method: str) -> WeatherTable:
    """Return a table with the temperature of the sky by a method of METHODS, which replaces any that it has.

    A note in the provenance of the table says so.
    """
    if method not in METHODS:
        raise UnknownNameError("method for the sky temperature", method, METHODS)
    estimate, words = METHODS[method]
    made = table.with_columns({"sky_temperature": estimate(table)})
    notes = (*table.provenance.notes, f"sky_temperature estimated from {words}")
    return dataclasses.replace(made, provenance=dataclasses.replace(table.provenance, notes=notes))
