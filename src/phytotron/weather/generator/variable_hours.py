"""Hours of version 1: weather that changes from hour to hour as observed hours do, with the values of the day."""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import ndtr

from phytotron.weather.generator.daily import DailyWeather
from phytotron.weather.generator.hourly import (
    HOURS,
    HourlyWeather,
    SunTables,
    autocorrelated,
    below_caps,
    by_clearness,
    hourly_radiation,
)
from phytotron.weather.generator.seasons import DAYS, MONTH, hourly_elevation
from phytotron.weather.generator.tables import SiteParameters
from phytotron.weather.humid_air import relative_humidity, saturation_vapour_pressure
from phytotron.weather.radiation import angot_radiation, sky_temperature_from_cloud
from phytotron.weather.surface import wind_at_2m

EXTREME_ROUNDS = 40  # of drawing the curve of temperature to the day's extremes and mean
RELAXATION = 0.7  # of each of these rounds
REACH = 4  # hours on either side of an extreme that move with it
MEAN_ROUNDS = 12  # of bending the curve between its extremes until its mean is right
STEEPEST = 0.8  # °C h-1, at which the extremes of the other day are approached before and after midnight
USUAL_STEP = 0.4  # °C, over midnight, beyond which the hours of both days are drawn together
DAILY_ROUNDS = 10  # of drawing vapour pressure and wind to the day's mean
CLOUD_SHARES = np.linspace(0.0, 1.0, 21)  # cumulative probabilities at which cloud cover is tabulated
GUST_SPEEDS = (1.5, 2.5, 3.5, 4.5, 6.0, 9.0, 12.0)  # daily wind at 10 m [m s-1] at which gusts are tabulated


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class VariableTables(SunTables):
    """Tables that version 1 looks up for each day, besides those of the sun.

    Departures are from straight lines through the days' values, in which the day before goes over into the day after.
    """

    temperature_shape: Any  # (366, classes, 24), mean departure over the day's range
    temperature_noise: Any  # (366,), spread of the departure over the day's range
    temperature_lag: Any  # ()
    vapour_shape: Any  # (366, classes, 24), mean departure of the logarithm
    vapour_noise: Any  # (366,)
    vapour_lag: Any  # ()
    softness: Any  # (), s, how far below saturation the logarithm of humidity bends
    cloud: Any  # (366, classes, shares), quantiles of cloud cover [-]
    cloud_lag: Any  # ()
    cloud_shade: Any  # (), correlation of cloud with the lack of radiation in the hour
    wind_shape: Any  # (366, classes, 24), over the day's mean
    gust: Any  # (speeds,), spread of the logarithm of an hour's wind
    gust_lag: Any  # ()


def variable_tables(parameters: SiteParameters) -> VariableTables:
    """Return the tables of a site, in double precision."""
    diurnal, site = parameters.diurnal, parameters.site
    held = {field.name for field in dataclasses.fields(VariableTables)} - {"elevation", "extraterrestrial"}
    arrays = {name: np.asarray(diurnal[name], float) for name in held}
    monthly = {"temperature_shape", "temperature_noise", "vapour_shape", "vapour_noise", "cloud", "wind_shape"}
    return VariableTables(
        elevation=hourly_elevation(site.latitude, site.longitude),
        extraterrestrial=angot_radiation(np.arange(1.0, DAYS + 1.0), site.latitude),
        **{name: array[MONTH] if name in monthly else array for name, array in arrays.items()},
    )


def line_through_days(daily: Array) -> Array:
    """Return hours (days, 24) on straight lines between noons, whose means are nearly those of the days."""
    before, after = jnp.concatenate([daily[:1], daily[:-1]]), jnp.concatenate([daily[1:], daily[-1:]])
    return between_noons(daily - (before - 2.0 * daily + after) / 8.0)


def between_noons(noon: Array) -> Array:
    """Return hours (days, 24) on straight lines between values at noon."""
    own = noon[:, None]
    before = jnp.concatenate([noon[:1], noon[:-1]])[:, None]
    after = jnp.concatenate([noon[1:], noon[-1:]])[:, None]
    part = (jnp.arange(HOURS, dtype=noon.dtype)[None, :] + 0.5) / HOURS - 0.5
    return own + jnp.where(part < 0.0, part * (own - before), part * (after - own))


def joined(shape: Array) -> Array:
    """Return courses (days, 24) that go over into those of the day before and after, as `between_noons` does.

    At midnight each of the two days has half of its own course and half of the other's, so that what is left of a step
    there is that within a course, from its last hour to its first; a line through the day takes that out.
    """
    part = (jnp.arange(HOURS, dtype=shape.dtype)[None, :] + 0.5) / HOURS - 0.5
    step = (shape[:, -1:] - shape[:, :1]) * HOURS / (HOURS - 1)
    closed = shape - part * step
    before, after = jnp.concatenate([closed[:1], closed[:-1]]), jnp.concatenate([closed[1:], closed[-1:]])
    return closed + jnp.where(part < 0.0, part * (closed - before), part * (after - closed))


def bounds_of(lowest: Array, highest: Array) -> tuple[Array, Array]:
    """Return the least and the most (days, 24) that hours may have.

    These are the day's extremes, and near midnight those of the other day too: an hour is as near to the extremes of
    the day before or after as STEEPEST lets it come until midnight.
    """
    hour = jnp.arange(HOURS, dtype=lowest.dtype)[None, :]
    reach_before, reach_after = STEEPEST * (hour + 1.0), STEEPEST * (HOURS - hour)

    def beside(extreme: Array) -> tuple[Array, Array]:
        before, after = jnp.concatenate([extreme[:1], extreme[:-1]]), jnp.concatenate([extreme[1:], extreme[-1:]])
        return before[:, None], after[:, None]

    (low_before, low_after), (high_before, high_after) = beside(lowest), beside(highest)
    least = jnp.maximum(low_before - reach_before, low_after - reach_after)
    most = jnp.minimum(high_before + reach_before, high_after + reach_after)
    low, high = lowest[:, None], highest[:, None]
    return jnp.clip(least, low, high), jnp.clip(most, low, high)


def temperature_hours(curve: Array, lowest: Array, highest: Array, mean: Array) -> Array:
    """Return air temperature (days, 24) near a curve, with the extremes and the mean of each day.

    What moves the curve to its extremes and to its mean runs on through midnight, and hours near midnight stay within
    reach of the other day, so that days join as hours do. At the end the extremes are set and the hours between them
    bent, by what little is left.
    """
    kernel = jnp.maximum(1.0 - jnp.abs(jnp.arange(-REACH, REACH + 1, dtype=mean.dtype)) / (REACH + 1.0), 0.0)
    days = jnp.arange(mean.size)
    fading = 0.5 ** jnp.arange(HOURS, dtype=mean.dtype)  # of what brings two days together, away from midnight
    least, most = bounds_of(lowest, highest)
    can_be_lowest, can_be_highest = least <= lowest[:, None], most >= highest[:, None]

    def coldest(hours: Array) -> Array:
        return jnp.where(can_be_lowest, hours, jnp.inf).argmin(axis=1)

    def warmest(hours: Array) -> Array:
        return jnp.where(can_be_highest, hours, -jnp.inf).argmax(axis=1)

    def stretch(_: Any, hours: Array) -> Array:
        centre = between_noons(mean)
        width = jnp.maximum(hours.max(axis=1) - hours.min(axis=1), 1e-3)
        factor = between_noons(jnp.clip((highest - lowest) / width, 0.5, 2.0))
        return centre + (hours - centre) * factor

    def draw(_: Any, hours: Array) -> Array:
        warm, cold = warmest(hours), coldest(hours)
        pull = jnp.zeros_like(hours)
        pull = pull.at[days, warm].add(highest - hours[days, warm]).at[days, cold].add(lowest - hours[days, cold])
        pull = jnp.convolve(pull.ravel(), kernel, mode="same").reshape(hours.shape)
        hours = hours + RELAXATION * (pull + 0.5 * between_noons(mean - hours.mean(axis=1)))
        step = hours[1:, 0] - hours[:-1, -1]
        meet = 0.5 * (step - jnp.clip(step, -USUAL_STEP, USUAL_STEP))[:, None]
        hours = hours.at[1:].add(-meet * fading).at[:-1].add(meet * fading[::-1])
        return jnp.clip(hours, least, most)

    hours = jax.lax.fori_loop(0, 2, stretch, curve)
    hours = jax.lax.fori_loop(0, EXTREME_ROUNDS, draw, hours)
    span = jnp.maximum(highest - lowest, 1e-6)
    share = (hours - lowest[:, None]) / span[:, None]
    share = share.at[days, warmest(hours)].set(1.0).at[days, coldest(hours)].set(0.0)
    wanted = (mean - lowest) / span

    def bend(_: Any, share: Array) -> Array:
        room = share * (1.0 - share)
        lack = (wanted - share.mean(axis=1)) / jnp.maximum(room.mean(axis=1), 1e-6)
        return share + jnp.clip(lack, -1.0, 1.0)[:, None] * room

    return lowest[:, None] + span[:, None] * jax.lax.fori_loop(0, MEAN_ROUNDS, bend, share)


def vapour_hours(curve: Array, vapour_pressure: Array, saturation: Array, softness: Array) -> Array:
    """Return vapour pressure (days, 24) near a curve, with the mean of the day.

    It nears saturation without reaching it: the logarithm d of their ratio becomes (d + sqrt(d^2 + 4 s^2)) / 2.
    """
    dry = jnp.log(saturation / curve)

    def held(correction: Array) -> Array:
        deficit = dry - correction
        return saturation * jnp.exp(-0.5 * (deficit + jnp.sqrt(deficit**2 + 4.0 * softness**2)))

    def draw(_: Any, correction: Array) -> Array:
        lack = jnp.log(vapour_pressure / held(correction).mean(axis=1))
        return correction + between_noons(jnp.clip(lack, -0.5, 0.5))

    hours = held(jax.lax.fori_loop(0, DAILY_ROUNDS, draw, jnp.zeros_like(dry)))
    return below_caps(hours * (vapour_pressure / hours.mean(axis=1))[:, None], saturation, HOURS * vapour_pressure)


def wind_hours(curve: Array, mean: Array) -> Array:
    """Return wind speed (days, 24) near a curve, with the mean of the day."""

    def draw(_: Any, hours: Array) -> Array:
        return hours * jnp.exp(between_noons(jnp.log(mean / hours.mean(axis=1))))

    hours = jax.lax.fori_loop(0, DAILY_ROUNDS, draw, curve)
    return hours * (mean / hours.mean(axis=1))[:, None]


def cloud_cover(tables: VariableTables, day: Array, clearness: Array, score: Array) -> Array:
    """Return cloud cover (days, 24) [-] at standard normal scores, as it is distributed on days of this clearness."""
    quantiles = by_clearness(tables, clearness, tables.cloud[day])
    place = ndtr(score) * (CLOUD_SHARES.size - 1)
    below = jnp.clip(place.astype(jnp.int32), 0, CLOUD_SHARES.size - 2)
    low, high = (jnp.take_along_axis(quantiles, below + i, axis=1) for i in (0, 1))
    return jnp.clip(low + (place - below) * (high - low), 0.0, 1.0)


@jax.jit
def generate_variable_hours(tables: VariableTables, key: Array, day: Array, daily: DailyWeather) -> HourlyWeather:
    """Return hours of successive days; `day` holds their places in the year of 366 days, `daily` has one axis."""
    precision, count = daily.irradiation.dtype, day.shape[0]
    keys = jax.random.split(key, 5)
    sun, heat, moisture, clouds, gusts = (
        autocorrelated(each, count, lag, precision)
        for each, lag in zip(
            keys,
            (tables.radiation_lag, tables.temperature_lag, tables.vapour_lag, tables.cloud_lag, tables.gust_lag),
            strict=True,
        )
    )
    clearness = daily.irradiation / tables.extraterrestrial[day]

    lowest, highest, mean = daily.minimum_temperature, daily.maximum_temperature, daily.air_temperature
    departure = by_clearness(tables, clearness, tables.temperature_shape[day])
    departure = departure + tables.temperature_noise[day][:, None] * heat
    curve = line_through_days(mean) + (highest - lowest)[:, None] * departure
    temperature = temperature_hours(curve, lowest, highest, mean)

    saturation = saturation_vapour_pressure(temperature)
    departure = by_clearness(tables, clearness, tables.vapour_shape[day])
    departure = departure + tables.vapour_noise[day][:, None] * moisture
    curve = jnp.exp(line_through_days(jnp.log(daily.vapour_pressure)) + departure)
    vapour = vapour_hours(curve, daily.vapour_pressure, saturation, tables.softness)

    mean_wind = daily.wind_speed_2m / wind_at_2m(1.0)
    spread = jnp.interp(mean_wind, jnp.asarray(GUST_SPEEDS, precision), tables.gust)
    blow = jnp.exp(between_noons(jnp.log(mean_wind)) + between_noons(spread) * gusts)
    blow = blow * joined(by_clearness(tables, clearness, tables.wind_shape[day]))
    shade = tables.cloud_shade
    cloud = cloud_cover(tables, day, clearness, jnp.sqrt(1.0 - shade**2) * clouds - shade * sun)
    return HourlyWeather(
        global_radiation=hourly_radiation(tables, day, daily.irradiation, sun),
        air_temperature=temperature,
        relative_humidity=jnp.clip(relative_humidity(temperature, vapour), 0.0, 100.0),
        vapour_pressure=vapour,
        wind_speed=wind_hours(blow, mean_wind),
        sky_temperature=sky_temperature_from_cloud(temperature, cloud),
    )
