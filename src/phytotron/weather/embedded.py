"""Weather that comes with the package: five years of hours at Schiphol, twenty-four years of days at Wageningen.

Each file holds the whole numbers that the station reported, with the factor that makes a unit of them. They are made by
`benchmarks/make_embedded_weather.py` from public packages.
"""

import functools
import json
from datetime import UTC, datetime
from importlib import resources
from typing import Any

import numpy as np

from phytotron.core.arrays import read_only
from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.errors import UnknownNameError
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.radiation import sky_temperature_from_cloud
from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

EMBEDDED = ("schiphol", "wageningen")
FILES = {"schiphol": "schiphol_hourly_2008_2012.npz", "wageningen": "wageningen_daily_1976_1999.npz"}


def embedded_weather(name: str) -> WeatherTable:
    """Return the table of a name: hourly `schiphol` 2008-2012, or daily `wageningen` 1976-1999."""
    if name not in EMBEDDED:
        raise UnknownNameError("embedded weather", name, EMBEDDED)
    return _load(name)


@functools.cache
def _load(name: str) -> WeatherTable:
    file = resources.files("phytotron.weather").joinpath("data", FILES[name])
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        about = json.loads(str(archive["about"]))
        numbers = {key: archive[key].astype(float) for key in archive.files if key != "about"}
    columns = _schiphol(numbers) if name == "schiphol" else _wageningen(numbers)
    start = datetime.fromisoformat(about["start"]).replace(tzinfo=UTC)
    interval = SECONDS_PER_HOUR if name == "schiphol" else SECONDS_PER_DAY
    angstrom = about.get("angstrom")
    site = Site(**about["site"], angstrom=tuple(angstrom) if angstrom else None)
    provenance = Provenance(about["source"], about["licence"], tuple(about["notes"]))
    table = weather_table(columns, start, interval, site, provenance)
    read_only(dict(table.columns))
    return table


def _schiphol(numbers: dict[str, Any]) -> dict[str, Any]:
    temperature = numbers["T"] / 10.0
    return {
        "global_radiation": numbers["Q"] * 1e4 / SECONDS_PER_HOUR,  # from J cm-2 in an hour
        "air_temperature": temperature,
        "relative_humidity": numbers["U"],
        "vapour_pressure": vapour_pressure(temperature, numbers["U"]),
        "wind_speed": numbers["FH"] / 10.0,
        # GreenLight-Gym divides the cloud cover in oktas, where 9 is a hidden sky, by nine
        "sky_temperature": sky_temperature_from_cloud(temperature, numbers["N"] / 9.0),
        "cloud_cover": np.minimum(numbers["N"], 8.0) / 8.0,
    }


def _wageningen(numbers: dict[str, Any]) -> dict[str, Any]:
    lowest, highest = numbers["minimum_temperature"] / 10.0, numbers["maximum_temperature"] / 10.0
    return {
        "irradiation": numbers["irradiation"] * 1e3,  # from kJ m-2
        "minimum_temperature": lowest,
        "maximum_temperature": highest,
        "air_temperature": 0.5 * (lowest + highest),
        "vapour_pressure": numbers["vapour_pressure"],
        "wind_speed_2m": numbers["wind_speed_2m"] / 10.0,
        "rain": numbers["rain"] / 10.0,
        "filled": numbers["filled"],
    }
