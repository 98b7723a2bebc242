"""Statistics of daily weather, month by month: what a generator has to reproduce."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.weather.generator import WeatherGenerator

Numbers = NDArray[np.float64]

WET = 0.3  # mm: a day with at least this much rain is wet
LONG_DRY_SPELL = 10  # days
LONGEST_SPELL = 40  # days, end of the table of spell lengths
SEASONS = ((12, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11))


@dataclass(frozen=True, eq=False)
class ClimateStatistics:
    """Monthly statistics of a climate: per variable twelve values, January to December.

    Attributes:
        mean: of all days of the calendar month.
        std: of daily values about `mean`, over all days of the calendar month in all years.
        lag1: autocorrelation of those anomalies over pairs of successive days that lie in the same month.
        interannual_std: sample standard deviation, over the years, of the month's mean (of its total for rain).
        wet_fraction: share of days with at least 0.3 mm of rain.
        dry_spells: entry n is the share of dry spells that last longer than n days (n = 0, 1, ..., 40; whole record).
        correlation: (4, V, V), of daily values about `mean`, December to February first; variables as in `variables`.
    """

    variables: tuple[str, ...]
    mean: dict[str, Numbers]
    std: dict[str, Numbers]
    lag1: dict[str, Numbers]
    interannual_std: dict[str, Numbers]
    wet_fraction: Numbers
    dry_spells: Numbers
    correlation: Numbers

    @property
    def long_dry_spells(self) -> float:
        """The share of dry spells that last longer than ten days."""
        return float(self.dry_spells[LONG_DRY_SPELL])


def climate_statistics(dates: ArrayLike, series: Mapping[str, ArrayLike]) -> ClimateStatistics:
    """Return statistics of daily series of whole years, which may be apart; `series` holds `rain` [mm] among others.

    Where years are left out, a dry spell at the end of one goes on in the next that is there.
    """
    days = np.asarray(dates, "datetime64[D]")
    if days.ndim != 1 or days.size < 2 or not np.all(_follows(days)):
        raise ValueRangeError("dates", days, "days that follow each other without a gap but for whole years")
    values = {name: np.asarray(column, float) for name, column in series.items()}
    for name, column in values.items():
        if column.shape != days.shape:
            raise ShapeError(name, f"({days.size},)", column.shape, "one value for each date")
        if not np.all(np.isfinite(column)):
            raise ValueRangeError(name, column, "finite numbers")
    if "rain" not in values:
        raise ValueRangeError("series", tuple(values), "a column named rain")

    months = days.astype("datetime64[M]")
    month = months.astype(int) % 12
    if np.unique(month).size != 12:
        raise ValueRangeError("dates", days, "at least one whole year")
    wet = values["rain"] >= WET
    mean = {name: _by_month(column, month) for name, column in values.items()}
    anomaly = {name: column - mean[name][month] for name, column in values.items()}
    return ClimateStatistics(
        variables=tuple(values),
        mean=mean,
        std={name: np.sqrt(_by_month(column**2, month)) for name, column in anomaly.items()},
        lag1={name: _lag1(column, month) for name, column in anomaly.items()},
        interannual_std={name: _interannual(column, months, name == "rain") for name, column in values.items()},
        wet_fraction=_by_month(wet.astype(float), month),
        dry_spells=dry_spell_shares(wet),
        correlation=_seasonal_correlation(np.stack(list(anomaly.values())), month),
    )


def _follows(days: NDArray[np.datetime64]) -> NDArray[np.bool_]:
    """Return whether a day is the one after the day before it, or begins a later year where that ended one."""
    years = days.astype("datetime64[Y]")
    begins = days == years.astype("datetime64[D]")
    ends = days == (years + 1).astype("datetime64[D]") - 1
    step = np.diff(days)
    return (step == np.timedelta64(1, "D")) | (begins[1:] & ends[:-1] & (step > np.timedelta64(0, "D")))


@dataclass(frozen=True)
class Deviation:
    """The distance of a statistic of generated weather from the observed one, in its worst month."""

    criterion: str
    variable: str
    month: int  # 1 to 12; 0 for the whole record
    value: float
    allowed: float

    @property
    def ratio(self) -> float:
        """Return the absolute deviation as a multiple of the allowed one."""
        return abs(self.value) / self.allowed

    def __str__(self) -> str:
        where = f"month {self.month}" if self.month else "whole record"
        return f"{self.criterion}, {self.variable}, {where}: {self.value:+.3f} (allowed {self.allowed:g})"


def deviations(made: ClimateStatistics, real: ClimateStatistics) -> list[Deviation]:
    """Return the worst month for each criterion and variable.

    Means of temperature within 0.3 °C, other means within 3 %, wet days within 0.02, standard deviations within 10 %,
    autocorrelations within 0.05, interannual standard deviations (where the record has them) and long dry spells within
    25 %.
    """
    found = []

    def compare(criterion: str, variable: str, deviation: Numbers, allowed: float) -> None:
        month = int(np.argmax(np.abs(deviation)))
        found.append(Deviation(criterion, variable, month + 1, float(deviation[month]), allowed))

    for name in real.variables:
        if "temperature" in name:
            compare("mean", name, made.mean[name] - real.mean[name], 0.3)
        else:
            compare("mean", name, made.mean[name] / real.mean[name] - 1.0, 0.03)
        compare("std", name, made.std[name] / real.std[name] - 1.0, 0.1)
        compare("lag-1", name, made.lag1[name] - real.lag1[name], 0.05)
        if np.all(real.interannual_std[name] > 0.0):
            compare("interannual std", name, made.interannual_std[name] / real.interannual_std[name] - 1.0, 0.25)
    compare("wet fraction", "rain", made.wet_fraction - real.wet_fraction, 0.02)
    spells = made.long_dry_spells / real.long_dry_spells - 1.0
    found.append(Deviation("long dry spells", "rain", 0, spells, 0.25))
    return found


def to_figures(statistics: ClimateStatistics) -> dict[str, Any]:
    """Return plain numbers, four digits, for a JSON file."""
    numbers = {field.name: getattr(statistics, field.name) for field in fields(statistics) if field.name != "variables"}
    text = json.dumps(numbers, default=np.ndarray.tolist)
    return json.loads(text, parse_float=lambda digits: float(f"{float(digits):.4g}"))


def from_figures(figures: Mapping[str, Any]) -> ClimateStatistics:
    """Return the inverse of `to_figures`, but for the rounding."""
    content: dict[str, Any] = {
        name: {key: np.asarray(column, float) for key, column in value.items()}
        if isinstance(value, Mapping)
        else np.asarray(value, float)
        for name, value in figures.items()
    }
    return ClimateStatistics(variables=tuple(content["mean"]), **content)


def dry_spell_shares(wet: ArrayLike) -> Numbers:
    """Return entry n: the share of the runs of dry days that are longer than n days, n = 0 to 40."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], np.asarray(wet, bool), [True]]).astype(int)))
    lengths = edges[1::2] - edges[::2]
    if lengths.size == 0:
        return np.zeros(LONGEST_SPELL + 1)
    return np.asarray([np.mean(lengths > n) for n in range(LONGEST_SPELL + 1)])


def _by_month(column: Numbers, month: NDArray[np.int64]) -> Numbers:
    return np.asarray(np.bincount(month, column, 12) / np.bincount(month, minlength=12))


def _lag1(anomaly: Numbers, month: NDArray[np.int64]) -> Numbers:
    same = month[1:] == month[:-1]
    before, after, where = anomaly[:-1][same], anomaly[1:][same], month[1:][same]
    product, left, right = (np.bincount(where, x, 12) for x in (before * after, before**2, after**2))
    scale = np.sqrt(left * right)
    return np.divide(product, scale, out=np.zeros(12), where=scale > 0.0)


def _interannual(column: Numbers, months: NDArray[np.datetime64], total: bool) -> Numbers:
    """Return the standard deviation between years of each month; zero where only one such month is complete."""
    unique, which, size = np.unique(months, return_inverse=True, return_counts=True)
    length = ((unique + np.timedelta64(1, "M")).astype("datetime64[D]") - unique.astype("datetime64[D]")).astype(int)
    value = np.bincount(which, column) / (1.0 if total else size)
    complete, month = size == length, unique.astype(int) % 12
    spread = np.zeros(12)
    for m in range(12):
        chosen = value[complete & (month == m)]
        spread[m] = np.std(chosen, ddof=1) if chosen.size > 1 else 0.0
    return spread


def _seasonal_correlation(anomaly: Numbers, month: NDArray[np.int64]) -> Numbers:
    matrices = []
    for season in SEASONS:
        part = anomaly[:, np.isin(month + 1, season)]
        covariance = part @ part.T
        scale = np.sqrt(np.maximum(np.diag(covariance), 1e-30))
        matrices.append(covariance / np.outer(scale, scale))
    return np.stack(matrices)


def generated_and_observed(
    generator: WeatherGenerator, seed: int, years: int
) -> tuple[ClimateStatistics, ClimateStatistics]:
    """Return statistics of generated days, and of the record that the generator was fitted to."""
    table = generator.daily_table(seed, 2001, years)
    made = climate_statistics(table.times.astype("datetime64[D]"), table.columns)
    return made, from_figures(generator.parameters.observed)
