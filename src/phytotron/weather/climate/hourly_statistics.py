"""Statistics of hourly weather and of whole years: what daily means and monthly tables do not show."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.core.fields import Value, quantity, record

Numbers = NDArray[np.float64]

HOURS = 24
DAMP = 98.5  # %; instruments report whole per cents, so that this and more reads 99 or 100
NIGHT = (2, 7)  # h, first and last of the hours in which the daily minimum is expected
HOT = 30.0  # °C
COLUMNS = ("global_radiation", "air_temperature", "relative_humidity", "vapour_pressure", "wind_speed",
           "sky_temperature")  # fmt: skip


@record
class HourlyStatistics:
    """Statistics of how weather changes from hour to hour, and differs from year to year."""

    damp_hours: Value = quantity("", "%", "hours whose relative humidity, in whole per cents, is 99 or more")
    vapour_change: Value = quantity("", "Pa", "standard deviation of the hourly change of vapour pressure")
    sky_depression: Value = quantity("", "°C", "standard deviation of air minus sky temperature")
    sky_change: Value = quantity("", "°C", "standard deviation of the hourly change of air minus sky temperature")
    temperature_change: Value = quantity("", "°C", "standard deviation of the hourly change of air temperature")
    other_minimum: Value = quantity("", "%", "days whose minimum temperature is not between 2 and 7 h UTC")
    strong_wind: Value = quantity("", "m s-1", "99.9th percentile of wind speed")
    annual_radiation: Value = quantity("", "W m-2", "standard deviation of annual means of global radiation")
    annual_temperature: Value = quantity("", "°C", "standard deviation of annual means of air temperature")
    annual_vapour: Value = quantity("", "Pa", "standard deviation of annual means of vapour pressure")
    annual_wind: Value = quantity("", "m s-1", "standard deviation of annual means of wind speed")
    hot_days: Value = quantity("", "d", "days a year above 30 °C")


def hourly_statistics(dates: ArrayLike, hours: Mapping[str, ArrayLike]) -> HourlyStatistics:
    """Return the statistics of whole days; years may be apart from each other.

    Args:
        dates: (days,) of whole years.
        hours: (days, 24) of each of COLUMNS.
    """
    days = np.asarray(dates, "datetime64[D]")
    lacking = [name for name in COLUMNS if name not in hours]
    if lacking:
        raise ValueRangeError("hours", tuple(hours), f"a table with {', '.join(lacking)}")
    values = {name: np.asarray(hours[name], float) for name in COLUMNS}
    for name, column in values.items():
        if column.shape != (days.size, HOURS):
            raise ShapeError(name, f"({days.size}, {HOURS})", column.shape, "24 hours for each date")
    year = days.astype("datetime64[Y]").astype(int)
    follows = np.diff(days) == np.timedelta64(1, "D")

    def changes(column: Numbers) -> Any:
        within = np.diff(column, axis=1).ravel()
        return np.concatenate([within, (column[1:, 0] - column[:-1, -1])[follows]]).std()

    def between_years(name: str) -> Any:
        means = [values[name][year == each].mean() for each in np.unique(year)]
        return np.std(means, ddof=1) if len(means) > 1 else np.nan

    temperature = values["air_temperature"]
    depression = temperature - values["sky_temperature"]
    coldest = temperature.argmin(axis=1)
    return HourlyStatistics(
        damp_hours=100.0 * np.mean(values["relative_humidity"] >= DAMP),
        vapour_change=changes(values["vapour_pressure"]),
        sky_depression=depression.std(),
        sky_change=changes(depression),
        temperature_change=changes(temperature),
        other_minimum=100.0 * np.mean((coldest < NIGHT[0]) | (coldest > NIGHT[1])),
        strong_wind=np.percentile(values["wind_speed"], 99.9),
        annual_radiation=between_years("global_radiation"),
        annual_temperature=between_years("air_temperature"),
        annual_vapour=between_years("vapour_pressure"),
        annual_wind=between_years("wind_speed"),
        hot_days=np.sum(temperature.max(axis=1) > HOT) / np.unique(year).size,
    )
