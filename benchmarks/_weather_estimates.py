"""What the weather generator is fitted with: marginal distributions, correlations, and the targets to compare with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import rankdata

from _weather_records import Numbers, Record, primaries
from phytotron.weather.climate.hourly_statistics import HOT
from phytotron.weather.climate.statistics import WET, ClimateStatistics, climate_statistics
from phytotron.weather.generator.seasons import seasonal_cycle
from phytotron.weather.generator.tables import LATENT, SCORES, SiteParameters, table_moments
from phytotron.weather.site import Site

SHRINKAGE = 0.7  # of correlations of the wind that are known from one year only
VAPOUR_MARGIN = 1.12  # highest vapour pressure over the highest observed, about 2 °C of dew point
FEW = 100  # values of a month that are too few for empirical quantiles
HOTTEST = 0.03  # share of days
LEAST_EIGENVALUE = 0.004


def by_month(column: Numbers, month: NDArray[np.int64]) -> Numbers:
    return np.asarray(np.bincount(month, column, 12) / np.bincount(month, minlength=12))


def correlations(values: Numbers, month: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Per month: of the same day, and of a day (row) with the day before (column); (12, V, V) each."""
    mean = np.stack([by_month(row, month) for row in values])
    anomaly = values - mean[:, month]
    same, lagged = [], []
    for m in range(12):
        now = np.flatnonzero(month == m)
        after = now[(now > 0) & (month[now - 1] == m)]
        part = anomaly[:, now]
        scale = np.sqrt(np.maximum((part**2).mean(1), 1e-12))
        same.append(part @ part.T / now.size / np.outer(scale, scale))
        lagged.append(anomaly[:, after] @ anomaly[:, after - 1].T / after.size / np.outer(scale, scale))
    return np.stack(same), np.stack(lagged)


def at_mid_month(values: Numbers, month: NDArray[np.int64], day: NDArray[np.int64]) -> Numbers:
    """Values freed from the seasonal course within the month: by difference for temperature, by ratio otherwise."""
    adjusted = values.copy()
    for row in range(1, len(LATENT)):
        mean = by_month(values[row], month)
        course = seasonal_cycle(mean)[day]
        if LATENT[row] == "temperature":
            adjusted[row] = values[row] - course
        else:
            adjusted[row] = values[row] * mean[month] / course
    return adjusted


def quantile_table(sample: Numbers, name: str) -> Numbers:
    """Quantiles of a month's values at the scores; beyond 2.4 standard deviations the tail runs on from its slope.

    Less than 100 values make a lognormal distribution.
    """
    top = 0.88  # clearness that is hardly ever exceeded
    forward: Callable[[Any], Any]
    backward: Callable[[Any], Any]
    if name == "temperature":
        forward = backward = lambda x: x
    elif name == "clearness":
        forward, backward = lambda x: np.log(x / (top - x)), lambda y: top / (1.0 + np.exp(-y))
        sample = np.minimum(sample, 0.99 * top)
    else:
        forward, backward = np.log, np.exp
    if sample.size < FEW:
        spread = np.sqrt(np.log1p((sample.std() / sample.mean()) ** 2))
        return with_moments(np.exp(spread * SCORES), float(sample.mean()), float(sample.std()), name)
    ordered = np.sort(forward(sample))
    score = ndtri((np.arange(ordered.size) + 0.5) / ordered.size)
    table = np.interp(SCORES, score, ordered)
    inner = np.abs(SCORES) <= 2.4
    low, high = np.flatnonzero(inner)[[0, -1]]
    for edge, step in ((low, -1), (high, 1)):
        slope = 0.6 * abs(table[edge] - table[edge - 4 * step]) / 4.0
        beyond = np.arange(edge + step, SCORES.size if step > 0 else -1, step)
        table[beyond] = table[edge] + step * slope * np.arange(1, beyond.size + 1)
    return with_moments(backward(table), float(sample.mean()), float(sample.std()), name)


def with_moments(table: Numbers, mean: float, std: float, name: str) -> Numbers:
    """The table, stretched so that it has this mean and spread; positive quantities stay so."""
    for _ in range(5):
        got_mean, got_std = table_moments(table)
        if name == "temperature":
            table = mean + (table - got_mean) * std / got_std
        else:  # a power changes the spread, a factor the mean
            table = table ** (1.0 + 0.8 * (std / mean / (got_std / got_mean) - 1.0))
            table = table * mean / table_moments(table)[0]
        if name == "clearness":
            table = np.minimum(table, 0.88)
    return table


def scores(values: Numbers, month: NDArray[np.int64]) -> Numbers:
    """Standard normal scores by rank within the month; row 0 (wet or not) is passed on."""
    z = values.copy()
    for m in range(12):
        here = month == m
        for row in range(1, values.shape[0]):
            z[row, here] = ndtri((rankdata(values[row, here]) - 0.5) / here.sum())
    return z


def latent_correlations(z: Numbers, month: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Starting values: those of the scores; those with occurrence raised for what a yes-or-no variable loses."""
    same, lagged = correlations(z, month)
    wet = by_month(z[0], month)
    loss = np.exp(-0.5 * ndtri(wet) ** 2) / np.sqrt(2.0 * np.pi) / np.sqrt(wet * (1.0 - wet))
    for matrix in (same, lagged):
        matrix[:, 0, 1:] /= loss[:, None]
        matrix[:, 1:, 0] /= loss[:, None]
    lagged[:, 0, 0] = np.sin(0.5 * np.pi * lagged[:, 0, 0])  # exact for a wet fraction of one half
    return same, lagged


def possible_correlations(same: Numbers, lagged: Numbers) -> tuple[Numbers, Numbers]:
    """The nearest pair that two successive days can have: their joint matrix has positive eigenvalues."""
    size = same.shape[-1]
    for _ in range(20):
        joint = np.block([[same, lagged], [lagged.swapaxes(1, 2), same]])
        values, vectors = np.linalg.eigh(0.5 * (joint + joint.swapaxes(1, 2)))
        joint = (vectors * np.maximum(values, LEAST_EIGENVALUE)[:, None, :]) @ vectors.swapaxes(1, 2)
        same = 0.5 * (joint[:, :size, :size] + joint[:, size:, size:])
        scale = np.sqrt(np.diagonal(same, axis1=1, axis2=2))
        scale = scale[:, :, None] * scale[:, None, :]
        same, lagged = same / scale, joint[:, :size, size:] / scale
    return same, lagged


@dataclasses.dataclass(frozen=True)
class Target:
    """What generated weather is compared with."""

    statistics: ClimateStatistics
    same: Numbers  # (12, 6, 6), correlations of the primary variables
    lagged: Numbers
    rain: Numbers  # (12, 6), correlation of the amount of rain with the primary variables
    mean: Numbers  # (12, 6), of the primary variables
    std: Numbers
    interannual: Numbers  # (12, 6): of the month means of the primary variables, of rain totals in column 0
    annual: Numbers  # (6,): std of yearly means of rain, radiation, temperature, range, deficit, wind
    annual_vapour: float  # std of yearly means of vapour pressure
    hot_days: float  # days a year above 30 °C
    hot: Numbers  # (12,): mean maximum temperature of the hottest days of the month, less the mean of all


def target_of(dates: Any, series: Mapping[str, Numbers], day: NDArray[np.int64], latitude: float) -> Target:
    month = dates.astype("datetime64[M]").astype(int) % 12
    values = primaries(series, day, latitude)
    same, lagged = correlations(values, month)
    rain = correlations(np.concatenate([series["rain"][None], values[1:]]), month)[0][:, 0]
    named = {"rain": series["rain"]} | {str(i): values[i] for i in range(1, len(LATENT))}
    primary = climate_statistics(dates, named)

    def table(statistic: Mapping[str, Numbers]) -> Numbers:
        return np.stack(list(statistic.values()), axis=1)

    yearly = [series["rain"], series["irradiation"], *values[2:]]
    year = dates.astype("datetime64[Y]").astype(int)
    return Target(
        statistics=climate_statistics(dates, series),
        same=same,
        lagged=lagged,
        rain=rain,
        mean=table(primary.mean),
        std=table(primary.std),
        interannual=table(primary.interannual_std),
        annual=np.array([between_years(column, year) for column in yearly]),
        annual_vapour=between_years(series["vapour_pressure"], year),
        hot_days=hot_days(dates, series["maximum_temperature"]),
        hot=np.array([hottest(series["maximum_temperature"][month == m]) for m in range(12)]),
    )


def between_years(column: Numbers, year: NDArray[np.int64]) -> float:
    """Standard deviation of yearly means."""
    return float(np.std([column[year == each].mean() for each in np.unique(year)], ddof=1))


def hot_days(dates: Any, maximum: Numbers) -> float:
    """Return days a year above 30 °C."""
    return float(np.sum(maximum > HOT) / np.unique(dates.astype("datetime64[Y]")).size)


def hottest(maximum: Numbers) -> float:
    """Mean of the hottest days, less that of all."""
    return float(maximum[maximum >= np.quantile(maximum, 1.0 - HOTTEST)].mean() - maximum.mean())


def mean_position(record: Record, chosen: NDArray[np.bool_]) -> Numbers:
    """a, b, s of (mean - minimum) / range = a + b range + s noise; days of a wide range weigh more."""
    low, high, mean = (record.series[f"{name}_temperature"][chosen] for name in ("minimum", "maximum", "air"))
    span, above = high - low, mean - low
    design = np.stack([span, span**2])
    constant, slope = np.linalg.lstsq(design.T, above, rcond=None)[0]
    rest = above - constant * span - slope * span**2
    return np.array([constant, slope, np.sqrt(np.mean(rest**2) / np.mean(span**2))])


def first_guess(record: Record, site: Site, source: str) -> SiteParameters:
    """Marginal distributions and correlations straight from the record."""
    month, day = record.month, record.day
    values = primaries(record.series, day, record.latitude)
    adjusted = at_mid_month(values, month, day)
    same, lagged = possible_correlations(*latent_correlations(scores(adjusted, month), month))
    rain, wet = record.series["rain"], record.series["rain"] >= WET
    wet_fraction = by_month(wet.astype(float), month)
    years = record.dates.astype("datetime64[Y]").astype(int) + 1970
    quantiles = [[quantile_table(adjusted[row, month == m], LATENT[row]) for row in range(1, 6)] for m in range(12)]
    return SiteParameters(
        site=site,
        source=source,
        years=(int(years.min()), int(years.max())),
        wet_fraction=wet_fraction,
        rain_mean=by_month(rain, month) / wet_fraction,  # the drizzle of dry days is given to the wet ones
        rain_std=np.array([rain[wet & (month == m)].std() for m in range(12)]),
        rain_weights=np.tile([0.5, 0.0, 0.0, 0.0, 0.75**0.5], (12, 1)),
        temperature=by_month(record.series["air_temperature"], month),
        most_vapour=np.array([VAPOUR_MARGIN * record.series["vapour_pressure"][month == m].max() for m in range(12)]),
        mean_position=np.array([mean_position(record, month == m) for m in range(12)]),
        spell_share=np.array(0.2),
        correlation=same,
        lagged_correlation=lagged,
        monthly_gain=np.tile(np.eye(len(LATENT)), (12, 1, 1)),
        scale=np.ones((12, len(LATENT))),
        quantiles=np.array(quantiles),
        diurnal={},
        observed={},
        annual_gain=np.eye(len(LATENT)),
        heat=np.zeros(12),
    )


def with_wind_of(target: Target, parameters: SiteParameters, other: Record) -> tuple[Target, SiteParameters]:
    """Wind from one typical year of another station.

    Mean and spread are those of its months; correlations those of three months together, drawn towards zero because a
    quarter of a year is short; the autocorrelation is that of the whole year. How much months differ from year to year
    it cannot tell.
    """
    there, guess = (
        target_of(other.dates, other.series, other.day, other.latitude),
        first_guess(other, parameters.site, ""),
    )
    wind, name = LATENT.index("wind"), "wind_speed_2m"

    def pooled(matrices: Numbers, into: Numbers) -> Numbers:
        smooth = SHRINKAGE * (np.roll(matrices, 1, axis=0) + matrices + np.roll(matrices, -1, axis=0)) / 3.0
        smooth[:, wind, wind] = matrices[:, wind, wind]
        merged = into.copy()
        merged[:, wind, :], merged[:, :, wind] = smooth[:, wind, :], smooth[:, :, wind]
        return merged

    real = target.statistics
    lag = np.full(12, there.statistics.lag1[name].mean())
    correlation = real.correlation.copy()
    row = real.variables.index(name)
    correlation[:, row, :], correlation[:, :, row] = (
        there.statistics.correlation[:, row, :], there.statistics.correlation[:, :, row],
    )  # fmt: skip
    statistics = dataclasses.replace(
        real,
        mean=real.mean | {name: there.statistics.mean[name]},
        std=real.std | {name: there.statistics.std[name]},
        lag1=real.lag1 | {name: lag},
        interannual_std=real.interannual_std | {name: np.zeros(12)},
        correlation=correlation,
    )
    lagged = pooled(there.lagged, target.lagged)
    lagged[:, wind, wind] = lag
    rain = target.rain.copy()
    rain[:, wind] = np.nan  # the amount of rain does not ask for the wind
    annual = target.annual.copy()
    annual[wind] = np.nan  # one year does not tell
    columns = {}
    for column in ("mean", "std", "interannual"):
        values = getattr(target, column).copy()
        values[:, wind] = getattr(there, column)[:, wind]
        columns[column] = values
    quantiles = parameters.quantiles.copy()
    quantiles[:, wind - 1] = guess.quantiles[:, wind - 1]
    same, latent_lagged = possible_correlations(
        pooled(guess.correlation, parameters.correlation),
        pooled(guess.lagged_correlation, parameters.lagged_correlation),
    )
    return (
        dataclasses.replace(
            target,
            statistics=statistics,
            same=pooled(there.same, target.same),
            lagged=lagged,
            rain=rain,
            annual=annual,
            **columns,
        ),
        dataclasses.replace(parameters, quantiles=quantiles, correlation=same, lagged_correlation=latent_lagged),
    )
