"""The latent weather: six standard normal variables that follow each other from day to day, month to month."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.weather.generator.seasons import DAY_OF_MONTH, DAYS, MONTH, MONTH_MEANS
from phytotron.weather.generator.tables import SPIN_UP, DailyTables

RAMP = 6.0  # days in which the adjustment of one month gives way to that of the next


def centred(innovations: Array) -> Array:
    """Innovations whose mean over the years (last axis) is zero.

    Each year by itself remains a sequence of independent standard normal numbers; two years have correlation
    -1 / (years - 1).
    """
    years = innovations.shape[-1]
    return (innovations - innovations.mean(axis=-1, keepdims=True)) * (years / (years - 1)) ** 0.5


def fast_process(tables: DailyTables, innovations: Array, before: Array) -> Array:
    """The autoregression z(t) = A z(t-1) + B e(t): (31 + 366, 7, years) from innovations (366, 7, years).

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
    """Latent variables (366, 6, years) whose monthly means vary from year to year as observed.

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
    return tables.scale[:, :, None] * (year + adjustment)
