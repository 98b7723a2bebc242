"""Days from hours, and the evaporation that a crop model asks of a day."""

from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.weather.calendar import days_since_new_year, utc
from phytotron.weather.evapotranspiration import (
    DEFAULT_ANGSTROM,
    Angstrom,
    DayWeather,
    angstrom_coefficients,
    penman,
    penman_monteith,
)
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.surface import wind_at_2m
from phytotron.weather.table import WeatherError, WeatherTable, weather_table

Days = NDArray[np.float64]  # one row per day
EVAPORATING = ("irradiation", "minimum_temperature", "maximum_temperature", "vapour_pressure", "wind_speed_2m")
FEWEST_ROWS = 4  # a day, for its extremes to mean something


def daily_from_hourly(table: WeatherTable) -> WeatherTable:
    """Return every whole day of a table of shorter steps: means, extremes and totals.

    Days are those of the place: they begin at midnight of mean solar time, rounded to hours, which is that of UTC up to
    7.5° from Greenwich. The extremes are those of the rows, which lie a little inside those of a thermometer that is
    read all the time.
    """
    per_day = SECONDS_PER_DAY // table.interval
    if per_day < FEWEST_ROWS:
        raise WeatherError(f"{table!r} has {per_day} rows a day; days are made of {FEWEST_ROWS} or more")
    late = hours_behind_greenwich(table)
    first, days = whole_days(table, late)
    whole = table.window(first, first + timedelta(days=days))

    def by_day(name: str) -> Days:
        return np.asarray(whole[name], float).reshape(days, per_day)

    temperature = by_day("air_temperature")
    columns = {
        "irradiation": by_day("global_radiation").sum(axis=1) * table.interval,
        "minimum_temperature": temperature.min(axis=1),
        "maximum_temperature": temperature.max(axis=1),
        "air_temperature": temperature.mean(axis=1),
    }
    if "vapour_pressure" in table:
        columns["vapour_pressure"] = by_day("vapour_pressure").mean(axis=1)
    elif "relative_humidity" in table:
        columns["vapour_pressure"] = vapour_pressure(temperature, by_day("relative_humidity")).mean(axis=1)
    if "wind_speed" in table:
        columns["wind_speed"] = by_day("wind_speed").mean(axis=1)
        columns["wind_speed_2m"] = wind_at_2m(columns["wind_speed"])
    for name, reduced in (("rain", np.sum), ("filled", np.max)):
        if name in table:
            columns[name] = reduced(by_day(name), axis=1)
    return weather_table(columns, first - late, SECONDS_PER_DAY, table.site, table.provenance)


def hours_behind_greenwich(table: WeatherTable) -> timedelta:
    """Return the time by which days at the place of a table begin later than at Greenwich, in whole hours and rows."""
    step = max(SECONDS_PER_HOUR, table.interval)
    return timedelta(seconds=step * round(-table.site.longitude * SECONDS_PER_DAY / (360.0 * step)))


def whole_days(table: WeatherTable, late: timedelta = timedelta()) -> tuple[datetime, int]:
    """Return the first midnight of a table, and the number of whole days from there on; of UTC, or that much later."""
    midnight = utc((table.start - late).date()) + late
    first = midnight if midnight == table.start else midnight + timedelta(days=1)
    days = (table.end - first) // timedelta(days=1)
    if days < 1:
        raise WeatherError(f"{table!r} holds no whole day")
    return first, days


def with_evaporation(table: WeatherTable, angstrom: Angstrom | None = None) -> WeatherTable:
    """Return a daily table with open-water (E0) and bare-soil (ES0) evaporation and reference evapotranspiration (ET0)
    [mm].

    Without Ångström's coefficients those of the site are taken; where it has none, they are estimated from radiation
    above the atmosphere if the table has it, and are the usual ones if not.
    """
    if table.interval != SECONDS_PER_DAY:
        raise WeatherError(f"{table!r} is not daily; make days of it first, with daily_from_hourly")
    day = DayWeather(
        **{name: np.asarray(table[name]) for name in EVAPORATING},
        day_of_year=days_since_new_year(table.times) + 1.0,
        latitude=np.float64(table.site.latitude),
        elevation=np.float64(table.site.elevation),
    )
    water, soil, _ = penman(day, angstrom or site_angstrom(table))
    return table.with_columns(
        {
            "open_water_evaporation": water,
            "bare_soil_evaporation": soil,
            "reference_evapotranspiration": penman_monteith(day),
        }
    )


def site_angstrom(table: WeatherTable) -> Angstrom:
    """Return Ångström's coefficients of a daily table, from its site, its radiation, or the book."""
    if table.site.angstrom is not None:
        return Angstrom(*table.site.angstrom)
    if "extraterrestrial_irradiation" in table:
        return angstrom_coefficients(table["irradiation"], table["extraterrestrial_irradiation"])
    return DEFAULT_ANGSTROM
