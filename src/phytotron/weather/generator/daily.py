"""Daily weather from latent weather: six standard normal variables that follow each other through days and months."""

import functools

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import ndtr, ndtri

from phytotron.core.fields import Value, quantity, record
from phytotron.weather.generator.seasons import DAY_OF_MONTH, DAYS, MONTH, MONTH_MEANS
from phytotron.weather.generator.tables import LATENT, SCORES, SPIN_UP, WET, DailyTables
from phytotron.weather.humid_air import saturation_vapour_pressure

RAMP = 6.0  # days in which the adjustment of one month gives way to that of the next
YEAR_RAMP = 31.0  # days in which the adjustment of one year gives way to that of the next
STEP = float(SCORES[1] - SCORES[0])
INTERVALS = SCORES.size - 1
BALANCED_FROM = 30  # years
WIDEST_RANGE = 35.0  # °C, of a day
LEAST_POSITION = 0.15  # of the mean temperature within the daily range; 1 minus it is the most


def centred(innovations: Array) -> Array:
    """Return innovations whose mean over the years (last axis) is zero.

    Each year by itself remains a sequence of independent standard normal numbers; two years have correlation
    -1 / (years - 1).
    """
    years = innovations.shape[-1]
    return (innovations - innovations.mean(axis=-1, keepdims=True)) * (years / (years - 1)) ** 0.5


def fast_process(tables: DailyTables, innovations: Array, before: Array) -> Array:
    """Return the autoregression z(t) = A z(t-1) + B e(t): (31 + 366, 7, years) from innovations (366, 7, years).

    Years run side by side. Each starts at zero on the first of December before it and meets the innovations of the
    December of the year before it (`before`, (31, 7), for the first), so that by New Year it has joined that year.
    """
    december = jnp.concatenate([before[..., None], innovations[DAYS - SPIN_UP :, :, :-1]], axis=-1)
    shocks = jnp.concatenate([december, innovations])

    def day(state: Array, now: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        transition, shock, noise = now
        state = (transition[:, :, None] * state).sum(axis=1) + (shock[:, :, None] * noise).sum(axis=1)
        return state, state

    return jax.lax.scan(day, jnp.zeros_like(shocks[0]), (tables.transition, tables.shock, shocks))[1]


def nested(tables: DailyTables, fast: Array) -> Array:
    """Return the latent variables (366, 6, years) whose monthly means vary from year to year as observed.

    The monthly means of the fast process are multiplied by `gain`, in the manner of Wang and Nathan 2007; the
    adjustment of a month sets in over its first days, beginning from that of the month before.
    """
    share = tables.spell_share
    occurrence = jnp.sqrt(1.0 - share) * fast[:, 0] + jnp.sqrt(share) * fast[:, -1]
    fast = fast[:, :-1].at[:, 0].set(occurrence)
    year = fast[SPIN_UP:]
    means = jnp.einsum("md,dvn->mvn", jnp.asarray(MONTH_MEANS, fast.dtype), year)
    first = fast[:SPIN_UP, :, :1].mean(axis=0)
    december = jnp.concatenate([first, means[-1, :, :-1]], axis=-1)
    excess = jnp.einsum("mvw,mwn->mvn", tables.gain, means) - means
    excess_before = jnp.concatenate([(tables.gain[-1] @ december - december)[None], excess[:-1]])
    ramp = jnp.minimum(1.0, (jnp.asarray(DAY_OF_MONTH, fast.dtype) + 0.5) / RAMP)[:, None, None]
    adjustment = excess_before[MONTH] + ramp * (excess - excess_before)[MONTH]
    if tables.annual_gain is None:
        return tables.scale[:, :, None] * (year + adjustment)
    return tables.scale[:, :, None] * with_years(tables.annual_gain, year + adjustment)


def with_years(gain: Array, latent: Array) -> Array:
    """Return the latent variables (366, 6, years) whose yearly means vary as observed, in the manner of the months.

    The adjustment of a year sets in over its January, beginning from that of the year before.
    """
    means = latent.mean(axis=0)
    excess = gain @ means - means
    before = jnp.concatenate([excess[:, :1], excess[:, :-1]], axis=-1)
    ramp = jnp.minimum(1.0, (jnp.arange(DAYS, dtype=latent.dtype) + 0.5) / YEAR_RAMP)[:, None, None]
    return latent + before + ramp * (excess - before)


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
    """Return values of a table (366, scores) at standard normal scores (366, years), on straight lines between
    entries.
    """
    position = jnp.clip((score - float(SCORES[0])) / STEP, 0.0, INTERVALS * (1.0 - 1e-6))
    below = position.astype(jnp.int32)
    entry = jnp.arange(DAYS)[:, None] * SCORES.size + below
    flat = table.reshape(-1)
    low = flat.at[entry].get(mode="promise_in_bounds")
    high = flat.at[entry + 1].get(mode="promise_in_bounds")
    return low + (position - below) * (high - low)


def rain_amount(tables: DailyTables, latent: Array, noise: Array, balanced: bool) -> Array:
    """Return the rain [mm]: on days whose latent occurrence exceeds the threshold, at least 0.3 mm.

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
    """Return years of daily weather; the arithmetic has the precision of the tables."""
    precision = tables.scale.dtype
    first, rest = jax.random.split(key)
    before = jax.random.normal(first, (SPIN_UP, len(LATENT) + 1), precision)
    innovations = jax.random.normal(rest, (DAYS, len(LATENT) + 3, years), precision)
    if balanced:
        innovations = centred(innovations)
    latent = nested(tables, fast_process(tables, innovations[:, :-2], before))
    clearness, mean, span, deficit, wind = (look_up(tables.quantiles[i], latent[:, i]) for i in range(1, len(LATENT)))
    if tables.heat is not None:  # the hottest days have the widest range
        hotter = jnp.maximum(latent[:, LATENT.index("temperature")] - 1.0, 0.0)
        span = jnp.minimum(span * jnp.exp(tables.heat[:, None] * hotter), WIDEST_RANGE)
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
