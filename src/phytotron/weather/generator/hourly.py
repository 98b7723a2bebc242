"""Hours of version 0: radiation, temperature, humidity and wind on smooth courses, with the values of the day."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.fields import Value, quantity, record
from phytotron.weather.generator.daily import DailyWeather
from phytotron.weather.generator.seasons import DAYS, MONTH, hourly_elevation
from phytotron.weather.generator.tables import SiteParameters
from phytotron.weather.humid_air import relative_humidity, saturation_vapour_pressure
from phytotron.weather.radiation import angot_radiation
from phytotron.weather.surface import wind_at_2m

HOURS = 24
MOST_CLEARNESS = 0.95  # of an hour, as a fraction of what arrives above the atmosphere
MEAN_ROUNDS = 12  # of bending the curve of temperature until its mean is right


@record
class HourlyWeather:
    """Hourly values (days, 24), UTC."""

    global_radiation: Value = quantity("iGlob", "W m-2", "global radiation", low=0.0)
    air_temperature: Value = quantity("tOut", "°C", "air temperature")
    relative_humidity: Value = quantity("RH", "%", "relative humidity", low=0.0, high=100.0)
    vapour_pressure: Value = quantity("vpOut", "Pa", "vapour pressure", low=0.0)
    wind_speed: Value = quantity("wind", "m s-1", "wind speed at 10 m", low=0.0)
    sky_temperature: Value = quantity("tSky", "°C", "temperature of a black sky")


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class SunTables:
    """Axis 0 holds the 366 days; classes are those of clearness: low, middle, high."""

    elevation: Any  # (366, 24), mean sine of the sun's elevation
    extraterrestrial: Any  # (366,), J m-2 d-1
    clearness: Any  # (classes,), middle of each class
    radiation_noise: Any  # (classes,), spread of an hour's share of the day's radiation
    radiation_lag: Any  # (), from hour to hour


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class HourlyTables(SunTables):
    """Tables that version 0 looks up for each day, besides those of the sun."""

    coldest: Any  # (366,), hour
    warmest: Any  # (366,), hour
    vapour_ratio: Any  # (366, classes, 24), over the day's mean
    wind_ratio: Any  # (366, classes, 24)
    sky_depression: Any  # (366, classes, 24), air minus sky temperature [°C]
    gust: Any  # (2,), spread of the hourly wind over the day's mean, and its autocorrelation


def hourly_tables(parameters: SiteParameters) -> HourlyTables:
    """Return the tables of a site, in double precision."""
    diurnal, site = parameters.diurnal, parameters.site
    return HourlyTables(
        elevation=hourly_elevation(site.latitude, site.longitude),
        extraterrestrial=angot_radiation(np.arange(1.0, DAYS + 1.0), site.latitude),
        coldest=np.asarray(diurnal["coldest_hour"], float)[MONTH],
        warmest=np.asarray(diurnal["warmest_hour"], float)[MONTH],
        vapour_ratio=np.asarray(diurnal["vapour_ratio"], float)[MONTH],
        wind_ratio=np.asarray(diurnal["wind_ratio"], float)[MONTH],
        sky_depression=np.asarray(diurnal["sky_depression"], float)[MONTH],
        clearness=np.asarray(diurnal["clearness"], float),
        radiation_noise=np.asarray(diurnal["radiation_noise"], float),
        radiation_lag=np.asarray(diurnal["radiation_lag"], float),
        gust=np.asarray([diurnal["gust_std"], diurnal["gust_lag"]], float),
    )


def autocorrelated(key: Array, days: int, lag: Array, precision: Any) -> Array:
    """Return the standard normal noise (days, 24) with this correlation from hour to hour, on through midnight."""
    shocks = jax.random.normal(key, (days * HOURS,), precision)

    def join(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[Array, Array]:
        return first[0] * second[0], first[1] * second[0] + second[1]

    factors = jnp.full_like(shocks, lag).at[0].set(0.0)
    shocks = shocks * jnp.sqrt(1.0 - lag**2).astype(precision)
    shocks = shocks.at[0].divide(jnp.sqrt(1.0 - lag**2))
    return jax.lax.associative_scan(join, (factors, shocks))[1].reshape(days, HOURS)


def by_clearness(tables: SunTables, clearness: Array, values: Array) -> Array:
    """Return values of the three classes (days, 3, ...) on straight lines between them, at the days' clearness."""
    low, middle, high = tables.clearness
    lower = jnp.clip((clearness - low) / (middle - low), 0.0, 1.0)
    upper = jnp.clip((clearness - middle) / (high - middle), 0.0, 1.0)
    weights = jnp.stack([1.0 - lower, lower - upper, upper], axis=1)
    return (weights.reshape(weights.shape + (1,) * (values.ndim - 2)) * values).sum(axis=1)


def below_caps(wanted: Array, caps: Array, total: Array) -> Array:
    """Return values (days, 24) near those wanted, up to their caps, with this daily sum (at most that of the caps)."""
    cut = jnp.minimum(wanted, caps)
    room = caps - cut
    missing = total[:, None] - cut.sum(axis=1, keepdims=True)
    filled = cut + jnp.maximum(missing, 0.0) * room / jnp.maximum(room.sum(axis=1, keepdims=True), 1e-12)
    return filled * jnp.where(missing < 0.0, total[:, None] / cut.sum(axis=1, keepdims=True), 1.0)


def hourly_radiation(tables: SunTables, day: Array, irradiation: Array, noise: Array) -> Array:
    """Return the global radiation (days, 24) [W m-2] with this daily sum [J m-2].

    Around the curve sin b (1 + 0.4 sin b) of Spitters, Toussaint and Goudriaan 1986 (Agric. For. Meteorol. 38,
    217-229) clouds come and go; their effect depends on the clearness of the day.
    """
    sine = tables.elevation[day]
    clearness = irradiation / tables.extraterrestrial[day]
    spread = by_clearness(tables, clearness, jnp.broadcast_to(tables.radiation_noise, (day.size, 3)))
    curve = sine * (1.0 + 0.4 * sine) * jnp.exp(spread[:, None] * noise)
    wanted = curve / curve.sum(axis=1, keepdims=True)
    caps = MOST_CLEARNESS / clearness[:, None] * sine / sine.sum(axis=1, keepdims=True)
    return below_caps(wanted, caps, jnp.ones_like(clearness)) * irradiation[:, None] / SECONDS_PER_HOUR


def hourly_temperature(tables: HourlyTables, day: Array, lowest: Array, highest: Array, mean: Array) -> Array:
    """Return the air temperature (days, 24): the extremes at their hours, the mean of the day, no jump at midnight.

    Half cosines lead from midnight to the minimum, on to the maximum and to the next midnight, where the temperature
    is one that both days have. Then the curve is bent between its extremes until the mean is right.
    """
    cold, warm = tables.coldest[day][:, None], tables.warmest[day][:, None]
    night = jnp.concatenate([lowest[:1], 0.5 * (mean[:-1] + lowest[1:])])
    before = jnp.clip(night, lowest, highest)
    after = jnp.clip(jnp.append(night[1:], lowest[-1]), lowest, highest)
    shared_low, shared_high = jnp.maximum(lowest[:-1], lowest[1:]), jnp.minimum(highest[:-1], highest[1:])
    shared = jnp.clip(night[1:], shared_low, shared_high)
    meet = shared_low <= shared_high
    before = before.at[1:].set(jnp.where(meet, shared, before[1:]))
    after = after.at[:-1].set(jnp.where(meet, shared, after[:-1]))

    hour = jnp.arange(HOURS, dtype=mean.dtype)[None, :]
    low, span = lowest[:, None], jnp.maximum(highest - lowest, 1e-6)[:, None]

    def ease(part: Array) -> Array:
        return 0.5 - 0.5 * jnp.cos(jnp.pi * jnp.clip(part, 0.0, 1.0))

    start, end = (before[:, None] - low) / span, (after[:, None] - low) / span
    falling = start * (1.0 - ease((hour + 0.5) / (cold + 0.5)))
    rising = ease((hour - cold) / (warm - cold))
    cooling = 1.0 + (end - 1.0) * ease((hour - warm) / (HOURS - 0.5 - warm))
    curve = jnp.where(hour <= cold, falling, jnp.where(hour <= warm, rising, cooling))

    wanted = (mean - lowest) / span[:, 0]
    inside = 0.05 + 0.95 * jnp.sin(jnp.pi * (hour + 0.5) / HOURS) ** 2  # midnight hardly moves
    for _ in range(MEAN_ROUNDS):
        room = curve * (1.0 - curve) * inside
        bend = (wanted - curve.mean(axis=1)) / jnp.maximum(room.mean(axis=1), 1e-6)
        curve = curve + jnp.clip(bend, -1.0, 1.0)[:, None] * room
    return low + span * curve


def hourly_vapour(ratio: Array, vapour_pressure: Array, saturation: Array) -> Array:
    """Return the vapour pressure (days, 24) that runs on from day to day, nowhere above saturation, with the mean of
    the day.
    """
    before = jnp.concatenate([vapour_pressure[:1], vapour_pressure[:-1]])
    after = jnp.concatenate([vapour_pressure[1:], vapour_pressure[-1:]])
    part = (jnp.arange(HOURS, dtype=vapour_pressure.dtype)[None, :] + 0.5) / HOURS - 0.5
    # values at noon between which straight lines have nearly the means of the days
    noon = jnp.clip(
        vapour_pressure - (before - 2.0 * vapour_pressure + after) / 8.0, 0.7 * vapour_pressure, 1.3 * vapour_pressure
    )
    own = noon[:, None]
    before = jnp.concatenate([noon[:1], noon[:-1]])[:, None]
    after = jnp.concatenate([noon[1:], noon[-1:]])[:, None]
    line = own + jnp.where(part < 0.0, part * (own - before), part * (after - own))
    closed = ratio - part * (ratio[:, -1:] - ratio[:, :1]) * HOURS / (HOURS - 1)  # ends as it begins
    curve = line * closed
    wanted = curve * vapour_pressure[:, None] / curve.mean(axis=1, keepdims=True)
    return below_caps(wanted, saturation, HOURS * vapour_pressure)


@jax.jit
def generate_hourly(tables: HourlyTables, key: Array, day: Array, daily: DailyWeather) -> HourlyWeather:
    """Return hours of successive days; `day` holds their places in the year of 366 days, `daily` has one axis."""
    precision = daily.irradiation.dtype
    clouds, gusts = jax.random.split(key)
    count = day.shape[0]
    clearness = daily.irradiation / tables.extraterrestrial[day]
    radiation = hourly_radiation(
        tables, day, daily.irradiation, autocorrelated(clouds, count, tables.radiation_lag, precision)
    )
    temperature = hourly_temperature(
        tables, day, daily.minimum_temperature, daily.maximum_temperature, daily.air_temperature
    )
    saturation = saturation_vapour_pressure(temperature)
    ratio = by_clearness(tables, clearness, tables.vapour_ratio[day])
    vapour = hourly_vapour(ratio, daily.vapour_pressure, saturation)
    spread = jnp.sqrt(jnp.log1p(tables.gust[0] ** 2))
    blow = by_clearness(tables, clearness, tables.wind_ratio[day])
    blow = blow * jnp.exp(spread * autocorrelated(gusts, count, tables.gust[1], precision))
    wind = daily.wind_speed_2m[:, None] / wind_at_2m(1.0) * blow / blow.mean(axis=1, keepdims=True)
    return HourlyWeather(
        global_radiation=radiation,
        air_temperature=temperature,
        relative_humidity=jnp.clip(relative_humidity(temperature, vapour), 0.0, 100.0),
        vapour_pressure=vapour,
        wind_speed=wind,
        sky_temperature=temperature - by_clearness(tables, clearness, tables.sky_depression[day]),
    )
