"""Daily records that the weather generator is fitted to, and the hourly shapes of days."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import json
from collections.abc import Callable, Mapping
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
        """Index in the year of 366 days."""
        since = (self.dates - self.dates.astype("datetime64[Y]").astype("datetime64[D]")).astype(int)
        leap = np.array([y % 4 == 0 for y in self.dates.astype("datetime64[Y]").astype(int) + 1970])
        return since + (~leap & (since >= 59))


def read_rows(path: Path) -> dict[str, list[str]]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        rows = list(csv.DictReader(io.TextIOWrapper(file, encoding="utf-8")))
    return {name: [row[name] for row in rows] for name in rows[0]}


def daily_record(path: Path, years: tuple[int, int], latitude: float) -> Record:
    rows = read_rows(path)
    dates = np.array(rows["date"], "datetime64[D]")
    source = ("irrad_j_m2_d", "tmin_c", "tmax_c", "tmean_c", "vap_kpa", "wind2_m_s", "rain_mm")
    series = {name: np.array(rows[column], float) for name, column in zip(COLUMNS, source, strict=True)}
    series["vapour_pressure"] = 1000.0 * series["vapour_pressure"]
    return _between(dates, series, years, latitude)


def hourly_record(path: Path, years: tuple[int, int], latitude: float) -> Record:
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


def _between(dates: Any, series: Mapping[str, Numbers], years: tuple[int, int], latitude: float) -> Record:
    year = dates.astype("datetime64[Y]").astype(int) + 1970
    chosen = (year >= years[0]) & (year <= years[1])
    return Record(dates[chosen], {name: column[chosen] for name, column in series.items()}, latitude)


def primaries(series: Mapping[str, Numbers], day: NDArray[np.int64], latitude: float) -> Numbers:
    """(6, days): wet or not, clearness, mean temperature, range, humidity deficit, wind."""
    low, high, mean = (series[name] for name in ("minimum_temperature", "maximum_temperature", "air_temperature"))
    clearness = series["irradiation"] / angot_radiation(day + 1.0, latitude)
    deficit = np.log(saturation_vapour_pressure(mean) / series["vapour_pressure"])
    wet = (series["rain"] >= WET).astype(float)
    return np.stack([wet, np.clip(clearness, 0.01, 0.9), mean, high - low, np.maximum(deficit, 1e-3),
                     series["wind_speed_2m"]])  # fmt: skip


def diurnal_shapes(shapes: Path, hours: Path) -> dict[str, Any]:
    """Hourly shapes by month and clearness class, condensed; gusts from the hourly file."""
    months = json.loads(shapes.read_text(encoding="utf-8"))["months"]
    classes = ("low", "mid", "high")

    def shape(month: int, kind: str, name: str) -> list[float]:
        held = months[str(month)]
        rich = kind in held and held[kind].get("n_days", 0) >= 5
        return list(held[kind if rich else "all"][name])

    def table(name: str, digits: int) -> list[Any]:
        return [[np.round(shape(m, k, name), digits).tolist() for k in classes] for m in range(1, 13)]

    noise = []
    for kind in classes:
        share, spread = (
            np.array([shape(m, kind, name) for m in range(1, 13)]) for name in ("frac_rad", "frac_rad_std")
        )
        noise.append(round(float(np.sum(spread) / np.sum(share)), 4))
    warmth = np.array([np.array(shape(m, "high", "t_norm")) for m in range(1, 13)])
    rows = read_rows(hours)
    wind = np.array(rows["wind_m_s"], float)
    wind = wind[: wind.size // 24 * 24].reshape(-1, 24)
    ratio = wind / np.maximum(wind.mean(1, keepdims=True), 0.5)
    gust = ratio - ratio.mean(0)
    lag = [months[str(m)]["hourly_lag1"]["frac_rad_daytime"] for m in range(1, 13)]
    return {
        "clearness": [0.15, 0.375, 0.6],
        "radiation_noise": noise,
        "radiation_lag": round(float(np.mean(lag)), 3),
        "gust_std": round(float(gust.std()), 3),
        "gust_lag": round(float(np.mean(gust[:, 1:] * gust[:, :-1]) / np.mean(gust**2)), 3),
        "coldest_hour": warmth[:, :12].argmin(1).tolist(),
        "warmest_hour": warmth.argmax(1).tolist(),
        "vapour_ratio": table("vp_ratio", 3),
        "wind_ratio": table("wind_ratio", 3),
        "sky_depression": table("sky_depression_k", 1),
    }
