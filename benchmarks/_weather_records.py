"""Daily records that the weather generator is fitted to, and the hourly shapes of days."""

from __future__ import annotations

import csv
import dataclasses
import functools
import gzip
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.weather.climate.statistics import WET
from phytotron.weather.humid_air import saturation_vapour_pressure
from phytotron.weather.radiation import angot_radiation
from phytotron.weather.surface import wind_at_2m

Numbers = NDArray[np.float64]

COLUMNS = ("irradiation", "minimum_temperature", "maximum_temperature", "air_temperature", "vapour_pressure",
           "wind_speed_2m", "rain")  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Record:
    """Observed days of a site."""

    dates: NDArray[np.datetime64]
    series: dict[str, Numbers]
    latitude: float

    @property
    def month(self) -> NDArray[np.int64]:
        return self.dates.astype("datetime64[M]").astype(int) % 12

    @property
    def day(self) -> NDArray[np.int64]:
        return days_of(self.dates)


def days_of(dates: NDArray[np.datetime64]) -> NDArray[np.int64]:
    """Index of dates in the year of 366 days."""
    since = (dates - dates.astype("datetime64[Y]").astype("datetime64[D]")).astype(int)
    leap = np.array([y % 4 == 0 for y in dates.astype("datetime64[Y]").astype(int) + 1970])
    return since + (~leap & (since >= 59))


@functools.cache
def read_rows(path: Path) -> dict[str, list[str]]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        rows = list(csv.DictReader(io.TextIOWrapper(file, encoding="utf-8")))
    return {name: [row[name] for row in rows] for name in rows[0]}


def daily_record(path: Path, years: Sequence[int], latitude: float) -> Record:
    rows = read_rows(path)
    dates = np.array(rows["date"], "datetime64[D]")
    source = ("irrad_j_m2_d", "tmin_c", "tmax_c", "tmean_c", "vap_kpa", "wind2_m_s", "rain_mm")
    series = {name: np.array(rows[column], float) for name, column in zip(COLUMNS, source, strict=True)}
    series["vapour_pressure"] = 1000.0 * series["vapour_pressure"]
    return _between(dates, series, years, latitude)


def hourly_record(path: Path, years: Sequence[int], latitude: float) -> Record:
    """Days from hours; an hour belongs to the day in which it begins."""
    rows = read_rows(path)
    dates = (np.array([t.rstrip("Z") for t in rows["time_utc_end"]], "datetime64[h]") - 1).astype("datetime64[D]")
    values = {name: np.array([float(x or "nan") for x in rows[name]]) for name in
              ("glob_rad_w_m2", "air_temp_c", "vap_press_pa", "wind_m_s", "rain_mm")}  # fmt: skip
    unique, first, count = np.unique(dates, return_index=True, return_counts=True)
    full = count == 24
    hours = {name: np.stack([column[i : i + 24] for i in first[full]]) for name, column in values.items()}
    temperature = hours["air_temp_c"]
    series = {
        "irradiation": 3600.0 * hours["glob_rad_w_m2"].sum(1),
        "minimum_temperature": temperature.min(1),
        "maximum_temperature": temperature.max(1),
        "air_temperature": temperature.mean(1),
        "vapour_pressure": hours["vap_press_pa"].mean(1),
        "wind_speed_2m": wind_at_2m(hours["wind_m_s"].mean(1)),
        "rain": np.maximum(hours["rain_mm"], 0.0).sum(1),
    }
    return _between(unique[full], series, years, latitude)


def _between(dates: Any, series: Mapping[str, Numbers], years: Sequence[int], latitude: float) -> Record:
    year = dates.astype("datetime64[Y]").astype(int) + 1970
    chosen = np.isin(year, years)
    return Record(dates[chosen], {name: column[chosen] for name, column in series.items()}, latitude)


def primaries(series: Mapping[str, Numbers], day: NDArray[np.int64], latitude: float) -> Numbers:
    """(6, days): wet or not, clearness, mean temperature, range, humidity deficit, wind."""
    low, high, mean = (series[name] for name in ("minimum_temperature", "maximum_temperature", "air_temperature"))
    clearness = series["irradiation"] / angot_radiation(day + 1.0, latitude)
    deficit = np.log(saturation_vapour_pressure(mean) / series["vapour_pressure"])
    wet = (series["rain"] >= WET).astype(float)
    return np.stack([wet, np.clip(clearness, 0.01, 0.9), mean, high - low, np.maximum(deficit, 1e-3),
                     series["wind_speed_2m"]])  # fmt: skip
