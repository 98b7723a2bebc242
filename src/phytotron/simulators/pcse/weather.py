"""Our weather for PCSE, and PCSE itself, which is imported only when it is asked for."""

import importlib
from datetime import date, timedelta
from typing import Any

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import PhytotronError
from phytotron.weather.daily import daily_from_hourly, with_evaporation
from phytotron.weather.table import WeatherError, WeatherTable

# PCSE's name, our column, what to multiply it with to have PCSE's unit.
COLUMNS = (
    ("IRRAD", "irradiation", 1.0),  # J m-2 d-1
    ("TMIN", "minimum_temperature", 1.0),  # °C
    ("TMAX", "maximum_temperature", 1.0),
    ("TEMP", "air_temperature", 1.0),
    ("VAP", "vapour_pressure", 0.01),  # hPa
    ("WIND", "wind_speed_2m", 1.0),  # m s-1
    ("RAIN", "rain", 0.1),  # cm d-1
    ("E0", "open_water_evaporation", 0.1),
    ("ES0", "bare_soil_evaporation", 0.1),
    ("ET0", "reference_evapotranspiration", 0.1),
)


def pcse_module(name: str) -> Any:
    """Return a module of PCSE; without PCSE, an error that says how to get it."""
    try:
        return importlib.import_module(f"pcse.{name}")
    except ModuleNotFoundError as error:
        if error.name is not None and not f"pcse.{name}".startswith(error.name):
            raise
        raise PhytotronError(
            f"PCSE (pcse.{name}) is not there; install it with: pip install 'phytotron[pcse]'"
        ) from None


def field_days(table: WeatherTable) -> WeatherTable:
    """Return the days of a table with all that PCSE asks for, evaporation included."""
    daily = table if table.interval == SECONDS_PER_DAY else daily_from_hourly(table)
    if any(ours not in daily for name, ours, _ in COLUMNS if name in ("E0", "ES0", "ET0")):
        daily = with_evaporation(daily)
    return daily.select(ours for _, ours, _ in COLUMNS)


def covers(daily: WeatherTable, first: date, last: date) -> bool:
    """Return whether the weather has all days of a season."""
    return daily.start.date() <= first and last < daily.end.date()


def check_days(daily: WeatherTable, first: date, last: date) -> None:
    """Refuse weather that does not cover a season."""
    if not covers(daily, first, last):
        start, end = daily.start.date(), daily.end.date() - timedelta(days=1)
        raise WeatherError(
            f"the weather of {daily.site.name} has the days {start} to {end}; a season needs {first} to {last}: "
            "give more days, another year, or a latest_harvest that is earlier"
        )


def pcse_weather(table: WeatherTable) -> Any:
    """Return a PCSE `WeatherDataProvider` of a table: its days, in PCSE's names and units."""
    base = pcse_module("base")
    daily = field_days(table)
    site = daily.site
    provider = base.WeatherDataProvider()
    provider.latitude, provider.longitude, provider.elevation = site.latitude, site.longitude, site.elevation
    provider.description = [f"{site.name}; {daily.provenance.source}"]
    place = {"LAT": site.latitude, "LON": site.longitude, "ELEV": site.elevation}
    columns = {name: (np.asarray(daily[ours], float) * factor).tolist() for name, ours, factor in COLUMNS}
    day = daily.start.date()
    errors = pcse_module("exceptions")
    for values in zip(*columns.values(), strict=True):
        try:
            container = base.WeatherDataContainer(DAY=day, **place, **dict(zip(columns, values, strict=True)))
        except errors.PCSEError as error:
            raise WeatherError(f"PCSE refuses the weather of {site.name} on {day}: {error}") from error
        provider._store_WeatherDataContainer(container, day)  # what PCSE documents for providers of one's own
        day += timedelta(days=1)
    return provider
