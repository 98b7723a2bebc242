"""Hours that version 1 of the weather generator is fitted to: mean courses, their noise, and its adjustment."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from _weather_records import Numbers, days_of, read_rows
from phytotron.core.constants import KELVIN
from phytotron.weather.climate.hourly_statistics import COLUMNS, HourlyStatistics, hourly_statistics
from phytotron.weather.generator import WeatherGenerator
from phytotron.weather.generator.seasons import DAYS, MONTH, calendar_days
from phytotron.weather.generator.tables import SiteParameters
from phytotron.weather.generator.variable_hours import CLOUD_SHARES, GUST_SPEEDS, line_through_days
from phytotron.weather.radiation import CLOUD_EMISSION, STEFAN_BOLTZMANN, angot_radiation

EDGES = (0.0, 0.25, 0.5, 1.0)  # of the classes of clearness
MIDDLES = (0.15, 0.375, 0.6)
FEWEST = 8  # days of a month and class; with less the class is taken from all days of the month
ROUNDS = 10  # of simulating and adjusting
YEARS = 30  # simulated in each round
SEED = 90310


@dataclasses.dataclass(frozen=True)
class Hours:
    """Observed whole days: (days, 24) of each column."""

    dates: NDArray[np.datetime64]
    columns: dict[str, Numbers]
    latitude: float

    @property
    def day(self) -> NDArray[np.int64]:
        return days_of(self.dates)

    @property
    def statistics(self) -> HourlyStatistics:
        return hourly_statistics(self.dates, self.columns)


def observed_hours(path: Path, years: list[int], latitude: float) -> Hours:
    """Whole days of some years; an hour belongs to the day in which it begins."""
    rows = read_rows(path)
    dates = (np.array([t.rstrip("Z") for t in rows["time_utc_end"]], "datetime64[h]") - 1).astype("datetime64[D]")
    unique, first, count = np.unique(dates, return_index=True, return_counts=True)
    kept = (count == 24) & np.isin(unique.astype("datetime64[Y]").astype(int) + 1970, years)
    source = ("glob_rad_w_m2", "air_temp_c", "rel_hum_pct", "vap_press_pa", "wind_m_s", "sky_temp_c")
    columns = {}
    for name, column in zip(COLUMNS, source, strict=True):
        values = np.array([float(x or "nan") for x in rows[column]])
        columns[name] = np.stack([values[i : i + 24] for i in first[kept]])
    return Hours(unique[kept], columns, latitude)


def generated_hours(parameters: SiteParameters, seed: int, years: int) -> Hours:
    generator = WeatherGenerator(parameters=parameters)
    key, again = jax.random.split(jax.random.key(seed))
    dates, keep = calendar_days(2001, years)
    days = jax.tree.map(lambda column: column.reshape(-1)[keep], generator.daily(key, years, balanced=False))
    made = generator.hourly(again, np.tile(np.arange(DAYS), years)[keep], days)
    return Hours(dates, {name: np.asarray(getattr(made, name)) for name in COLUMNS}, parameters.site.latitude)


def cloud_of(air: Numbers, sky: Numbers) -> Numbers:
    """Cloud cover [-] behind a sky temperature; the inverse of `sky_temperature_from_cloud`."""
    black = STEFAN_BOLTZMANN * (air + KELVIN) ** 4
    clear = (213.0 + 5.5 * air) / black
    emissivity = ((sky + KELVIN) / (air + KELVIN)) ** 4
    return np.asarray(np.clip((emissivity - clear) / (CLOUD_EMISSION * (1.0 - clear)), 0.0, 1.0))


def lag_of(noise: Numbers) -> float:
    return float(np.mean(noise[:, 1:] * noise[:, :-1]) / np.mean(noise**2))


class Courses:
    """Days sorted by month and class of clearness, and the departures of their hours from the days' values."""

    def __init__(self, hours: Hours) -> None:
        column = hours.columns
        self.month = MONTH[hours.day]
        angot = angot_radiation(hours.day + 1.0, hours.latitude)
        self.clearness = 3600.0 * column["global_radiation"].sum(1) / angot
        self.kind = np.clip(np.digitize(self.clearness, EDGES) - 1, 0, 2)
        temperature, vapour, wind = (column[n] for n in ("air_temperature", "vapour_pressure", "wind_speed"))
        span = np.maximum(np.ptp(temperature, axis=1), 0.3)[:, None]
        self.temperature = (temperature - np.asarray(line_through_days(jnp.asarray(temperature.mean(1))))) / span
        self.vapour = np.log(vapour) - np.asarray(line_through_days(jnp.log(vapour.mean(1))))
        self.mean_wind = np.maximum(wind.mean(1), 0.5)
        self.wind = wind / self.mean_wind[:, None]
        total = np.maximum(column["global_radiation"].sum(1, keepdims=True), 1e-9)
        self.sun = column["global_radiation"] / total
        self.cloud = cloud_of(temperature, column["sky_temperature"])

    def chosen(self, month: int, kind: int, months: int = 0) -> NDArray[np.bool_]:
        """Days of a month (and of as many months on either side) in a class, or all where those are few."""
        near = np.isin(self.month, [(month + i) % 12 for i in range(-months, months + 1)])
        both = near & (self.kind == kind)
        return both if both.sum() >= FEWEST else near

    def shape(self, values: Numbers) -> Numbers:
        """(12, 3, 24): the mean course."""
        return np.array([[values[self.chosen(m, k)].mean(0) for k in range(3)] for m in range(12)])

    def rest(self, values: Numbers) -> Numbers:
        """What is left beside the mean course."""
        return values - self.shape(values)[self.month, self.kind]

    def spread(self, values: Numbers) -> Numbers:
        """(12,)"""
        rest = self.rest(values)
        return np.array([rest[self.month == m].std() for m in range(12)])

    def sun_noise(self) -> Numbers:
        """(3,): spread of the hours' share of the day's radiation."""
        found = []
        for kind in range(3):
            days = [(self.month == m) & (self.kind == kind) for m in range(12)]
            found.append(np.mean([self.sun[chosen].std(0).sum() for chosen in days if chosen.sum() >= FEWEST]))
        return np.array(found)

    def sun_lag(self) -> float:
        rest = self.rest(self.sun)
        return float(np.corrcoef(rest[:, 10:14].ravel(), rest[:, 9:13].ravel())[0, 1])

    def shade(self) -> float:
        """Correlation, about noon, of cloud with the lack of radiation in the hour."""
        return -float(np.corrcoef(self.rest(self.cloud)[:, 9:14].ravel(), self.rest(self.sun)[:, 9:14].ravel())[0, 1])

    def gusts(self) -> Numbers:
        """(speeds,): spread of the logarithm of wind over the day's mean, by that mean."""
        rest, edges = self.rest(self.wind), np.concatenate([[0.0], midpoints(GUST_SPEEDS), [np.inf]])
        found = [rest[(self.mean_wind >= a) & (self.mean_wind < b)] for a, b in pairwise(edges)]
        spread = np.array([part.std() if part.shape[0] >= FEWEST else np.nan for part in found])
        known = np.isfinite(spread)
        return np.interp(np.array(GUST_SPEEDS), np.array(GUST_SPEEDS)[known], spread[known])


def midpoints(nodes: Any) -> Numbers:
    edges = np.asarray(nodes, float)
    return 0.5 * (edges[1:] + edges[:-1])


def first_hours(hours: Hours) -> dict[str, Any]:
    """Mean courses, and noise as it is left beside them."""
    found = Courses(hours)
    quantiles = [[np.quantile(found.cloud[found.chosen(m, k, 1)], CLOUD_SHARES) for k in range(3)] for m in range(12)]
    return {
        "clearness": list(MIDDLES),
        "radiation_noise": found.sun_noise() * 4.0,
        "radiation_lag": found.sun_lag(),
        "temperature_shape": found.shape(found.temperature),
        "temperature_noise": found.spread(found.temperature),
        "temperature_lag": 0.93,
        "vapour_shape": found.shape(found.vapour),
        "vapour_noise": found.spread(found.vapour),
        "vapour_lag": 0.9,
        "softness": 0.03,
        "cloud": np.array(quantiles),
        "cloud_lag": 0.85,
        "cloud_shade": found.shade(),
        "wind_shape": found.shape(found.wind),
        "gust": found.gusts(),
        "gust_lag": 0.85,
    }


def with_variable_hours(parameters: SiteParameters, hours: Hours) -> SiteParameters:
    """Noise such that what is left of it, once hours have the values of their days, is that of the record."""
    used = first_hours(hours)
    real, wanted = hours.statistics, Courses(hours)
    month_change = monthly_changes(hours, "vapour_pressure")
    for number in range(ROUNDS):
        rate = 0.8 if number < ROUNDS // 2 else 0.5
        made = generated_hours(dataclasses.replace(parameters, diurnal=used), SEED + number, YEARS)
        got, courses = made.statistics, Courses(made)
        used["radiation_noise"] = used["radiation_noise"] * (wanted.sun_noise() / courses.sun_noise()) ** rate
        used["radiation_lag"] = towards(used["radiation_lag"], rate * (wanted.sun_lag() - courses.sun_lag()))
        more = float(np.log(odds(real.other_minimum) / odds(got.other_minimum)))
        used["temperature_noise"] = used["temperature_noise"] * np.exp(0.5 * rate * more)
        change = got.temperature_change / real.temperature_change
        used["temperature_lag"] = slower(used["temperature_lag"], float(change), rate)
        spread = wanted.spread(wanted.vapour) / courses.spread(courses.vapour)
        used["vapour_noise"] = used["vapour_noise"] * spread**rate
        change = float(np.mean(monthly_changes(made, "vapour_pressure") / month_change))
        used["vapour_lag"] = slower(used["vapour_lag"], change, rate)
        damp = np.log((got.damp_hours + 0.05) / (real.damp_hours + 0.05))
        used["softness"] = float(np.clip(used["softness"] * np.exp(0.3 * rate * damp), 1e-3, 0.3))
        used["cloud_lag"] = slower(used["cloud_lag"], float(got.sky_change / real.sky_change), rate)
        used["gust"] = used["gust"] * (wanted.gusts() / courses.gusts()) ** rate
        used["gust_lag"] = towards(
            used["gust_lag"], rate * (lag_of(wanted.rest(wanted.wind)) - lag_of(courses.rest(courses.wind)))
        )
    digits = {"cloud": 2, "temperature_shape": 3, "vapour_shape": 4, "wind_shape": 3}
    return dataclasses.replace(
        parameters,
        diurnal={name: np.round(value, digits.get(name, 4)).tolist() for name, value in used.items()},
    )


def odds(per_cent: Any) -> float:
    share = float(np.clip(per_cent, 0.5, 99.5))
    return share / (100.0 - share)


def towards(lag: float, change: float) -> float:
    return float(np.clip(lag + change, 0.0, 0.995))


def slower(lag: float, ratio: float, rate: float) -> float:
    """A lag whose noise changes from hour to hour less by this ratio: changes go as sqrt(1 - lag)."""
    return float(np.clip(1.0 - (1.0 - lag) * (1.0 / ratio) ** (2.0 * rate), 0.0, 0.995))


def monthly_changes(hours: Hours, name: str) -> Numbers:
    """(12,): standard deviation of the change from hour to hour, within days."""
    change, month = np.diff(hours.columns[name], axis=1), MONTH[hours.day]
    return np.array([change[month == m].std() for m in range(12)])
