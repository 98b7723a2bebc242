"""Daily weather from latent variables."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import ndtr, ndtri

from phytotron.core.fields import Value, quantity, record
from phytotron.weather.generator.latent import centred, fast_process, nested
from phytotron.weather.generator.parameters import LATENT, SCORES
from phytotron.weather.generator.seasons import DAYS, MONTH, MONTH_MEANS
from phytotron.weather.generator.tables import SPIN_UP, WET, DailyTables
from phytotron.weather.humid_air import saturation_vapour_pressure

STEP = float(SCORES[1] - SCORES[0])
INTERVALS = SCORES.size - 1
BALANCED_FROM = 30  # years
LEAST_POSITION = 0.15  # of the mean temperature within the daily range; 1 minus it is the most


@record
class DailyWeather:
    """Daily values (years, 366); day 59 is 29 February, which common years leave out."""

    irradiation: Value = quantity("IRRAD", "J m-2", "global radiation, sum of the day", low=0.0)
    minimum_temperature: Value = quantity("TMIN", "°C", "lowest air temperature")
    maximum_temperature: Value = quantity("TMAX", "°C", "highest air temperature")
    air_temperature: Value = quantity("TEMP", "°C", "mean air temperature")
    vapour_pressure: Value = quantity("VAP", "Pa", "mean vapour pressure", low=0.0)
    wind_speed_2m: Value = quantity("WIND", "m s-1", "mean wind speed at 2 m", low=0.0)
    rain: Value = quantity("RAIN", "mm", "precipitation", low=0.0)


def look_up(table: Array, score: Array) -> Array:
    """Values of a table (366, scores) at standard normal scores (366, years), on straight lines between entries."""
    position = jnp.clip((score - float(SCORES[0])) / STEP, 0.0, INTERVALS * (1.0 - 1e-6))
    below = position.astype(jnp.int32)
    entry = jnp.arange(DAYS)[:, None] * SCORES.size + below
    flat = table.reshape(-1)
    low = flat.at[entry].get(mode="promise_in_bounds")
    high = flat.at[entry + 1].get(mode="promise_in_bounds")
    return low + (position - below) * (high - low)


def rain_amount(tables: DailyTables, latent: Array, noise: Array, balanced: bool) -> Array:
    """Rain [mm]: on days whose latent occurrence exceeds the threshold, at least 0.3 mm.

    The amount follows partly the height of the occurrence above its threshold, partly wind and clearness as far as
    they do not depend on occurrence, partly its own noise. In a balanced set amounts are scaled so that each month's
    mean over all years is that of the climate.
    """
    occurrence = latent[:, LATENT.index("occurrence")]
    wet = occurrence > tables.threshold[:, None]
    rank = ndtr(-occurrence) / tables.wet_fraction[:, None]
    height = -ndtri(jnp.clip(rank, 1e-6, 1.0 - 1e-6))
    parts = (height, latent[:, LATENT.index("wind")], latent[:, LATENT.index("clearness")], occurrence, noise)
    score = sum(tables.rain_weights[:, i, None] * part for i, part in enumerate(parts))
    above = look_up(tables.quantiles[0], score)
    if balanced:
        means = jnp.asarray(MONTH_MEANS, above.dtype)
        excess = means @ jnp.where(wet, above, 0.0).mean(axis=1)
        wanted = tables.rain_mean - WET * (means @ wet.astype(above.dtype).mean(axis=1))
        factor = jnp.where(excess > 0.0, jnp.clip(wanted / excess, 0.1, 10.0), 1.0)
        above = above * factor[MONTH][:, None]
    return jnp.where(wet, WET + above, 0.0)


@functools.partial(jax.jit, static_argnames=("years", "balanced"))
def generate_daily(tables: DailyTables, key: Array, years: int, balanced: bool) -> DailyWeather:
    """Years of daily weather; the arithmetic has the precision of the tables."""
    precision = tables.scale.dtype
    first, rest = jax.random.split(key)
    before = jax.random.normal(first, (SPIN_UP, len(LATENT) + 1), precision)
    innovations = jax.random.normal(rest, (DAYS, len(LATENT) + 3, years), precision)
    if balanced:
        innovations = centred(innovations)
    latent = nested(tables, fast_process(tables, innovations[:, :-2], before))
    clearness, mean, span, deficit, wind = (look_up(tables.quantiles[i], latent[:, i]) for i in range(1, len(LATENT)))
    constant, slope, spread = (tables.mean_position[:, i, None] for i in range(3))
    position = jnp.clip(constant + slope * span + spread * innovations[:, -1], LEAST_POSITION, 1.0 - LEAST_POSITION)
    lowest = mean - position * span
    weather = DailyWeather(
        irradiation=clearness * tables.extraterrestrial[:, None],
        minimum_temperature=lowest,
        maximum_temperature=lowest + span,
        air_temperature=mean,
        vapour_pressure=jnp.minimum(saturation_vapour_pressure(mean) * jnp.exp(-deficit), tables.most_vapour[:, None]),
        wind_speed_2m=wind,
        rain=rain_amount(tables, latent, innovations[:, -2], balanced),
    )
    return jax.tree.map(jnp.transpose, weather)
