"""Practices with one dose or none: no nitrogen, standard practice, and Ceres, which knows the weather to come.

Kallenberg et al. 2023, section 2.2. In LINTUL-3 no nitrogen leaches, so that one dose at the first decision is as good
as a schedule of the same total that comes in time; the paper treats the best single dose as the most that an agent can
reach. These doses are beyond the ladder of the task and are evaluated on the model, all seasons and all doses together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import cast
from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.core.fields import unstack
from phytotron.environments.field.controllers import PAPER_STANDARD_PRACTICE, THREE_DATES, date_number
from phytotron.environments.field.farming import KG_HA, TONNES
from phytotron.environments.field.seasons import MARCH, check_length, dated
from phytotron.models.lintul3 import Management, Parameters, Weather, advance, initial_state, load_parameters
from phytotron.weather.field_weather import FieldWeather

BETA = 10.0
INTERVAL = 7  # d
LARGEST = 1000.0  # kg ha-1
GRID = 101  # doses tried before the best is narrowed down
SHRINK = 0.5 * (5.0**0.5 - 1.0)  # golden section
ITERATIONS = {4: 18, 8: 32}  # by bytes of a number: to 0.004 and to 5e-6 kg ha-1

Numbers = NDArray[Any]


class Practice(NamedTuple):
    """The results of a practice, with one number per season."""

    dose: Numbers  # kg ha-1, of the season
    grain: Numbers  # g m-2
    zero_grain: Numbers  # g m-2, without nitrogen
    episode_return: Numbers  # g m-2, as in the task
    harvest: Numbers  # days since 1 January

    @property
    def tonnes(self) -> Numbers:
        """The yield [t ha-1]."""
        return TONNES * self.grain


def single_dose(
    weather: FieldWeather, dose: Any, parameters: Parameters | None = None, beta: float = BETA, interval: int = INTERVAL
) -> Practice:
    """Simulate a dose [kg ha-1], the same for all seasons or one for each, at the first decision of the task."""
    return schedule(weather, [(interval, dose)], parameters, beta)  # decided on day `interval` - 1, it enters the next


def three_dates(
    weather: FieldWeather,
    dose: float = PAPER_STANDARD_PRACTICE,
    parameters: Parameters | None = None,
    beta: float = BETA,
    dates: tuple[tuple[int, int], ...] = THREE_DATES,
) -> Practice:
    """Simulate a dose [kg ha-1] in equal parts on dates (month, day): 24 February, 26 March and 29 April."""
    leap = np.asarray(weather.leap)
    days = [number + (leap & (number >= MARCH)) for number in map(date_number, dates)]
    return schedule(weather, [(day, dose / len(dates)) for day in days], parameters, beta)


def schedule(
    weather: FieldWeather,
    doses: Iterable[tuple[Any, Any]],
    parameters: Parameters | None = None,
    beta: float = BETA,
) -> Practice:
    """Simulate doses, given as pairs of a day since 1 January, in whose rates the dose enters, and the dose [kg ha-1].

    Both may differ by season.
    """
    field = _Field.of(weather, parameters)
    given = np.zeros((field.values.shape[1], weather.seasons))
    for day, dose in doses:
        amount = np.asarray(dose, float)
        if amount.shape not in ((), (weather.seasons,)):
            raise ShapeError("the dose", f"() or ({weather.seasons},)", amount.shape, "one, or one per season")
        if not np.all((amount >= 0.0) & np.isfinite(amount)):
            raise ValueRangeError("the dose", dose, "0 kg ha-1 or more")
        given[day, np.arange(weather.seasons)] += amount
    grain, harvest = _run(field, jnp.asarray(given, field.values.dtype))
    zero, _ = _run(field, jnp.zeros_like(given, field.values.dtype))
    check_length(weather, np.asarray(harvest), "the season")
    total = given.sum(axis=0)
    value = np.asarray(grain) - np.asarray(zero) - beta * total / KG_HA
    return Practice(total, np.asarray(grain), np.asarray(zero), value, np.asarray(harvest))


def ceres(
    weather: FieldWeather,
    parameters: Parameters | None = None,
    beta: float = BETA,
    interval: int = INTERVAL,
    largest: float = LARGEST,
) -> Practice:
    """Find and simulate the best single dose of every season: the best of a grid from 0 to `largest` kg ha-1, then
    golden sections.
    """
    dose = _best(_Field.of(weather, parameters), beta, largest, interval, pooled=False)
    return single_dose(weather, np.asarray(dose), parameters, beta, interval)


def standard_practice(
    weather: FieldWeather,
    parameters: Parameters | None = None,
    beta: float = BETA,
    interval: int = INTERVAL,
    largest: float = LARGEST,
) -> Practice:
    """Find and simulate the one dose that is best on average over all seasons; find it on training years and use it on
    others.
    """
    dose = _best(_Field.of(weather, parameters), beta, largest, interval, pooled=True)
    return single_dose(weather, np.asarray(dose), parameters, beta, interval)


class _Field(NamedTuple):
    """Seasons and their parameters on the device."""

    values: Array  # (seasons, days, 7)
    parameters: Parameters

    @classmethod
    def of(cls, weather: FieldWeather, parameters: Parameters | None) -> _Field:
        precision = str(jnp.result_type(float))
        model = dated(load_parameters() if parameters is None else parameters, np.asarray(weather.leap))
        held = weather.resized(int(np.max(model.latest_harvest)) + 1).on_device(precision)
        return cls(held.values, cast(model, precision))


@jax.jit
def _run(field: _Field, doses: Array) -> tuple[Array, Array]:
    """Grain at the harvest and its day, from doses [kg ha-1] (days, seasons)."""
    first = initial_state(field.parameters, doses.dtype)
    first = jax.tree.map(lambda each: jnp.broadcast_to(each, doses.shape[1:]), first)

    def one_day(state: Any, today: tuple[Array, Array]) -> tuple[Any, None]:
        applied = Management(nitrogen=today[1] / KG_HA, irrigation=jnp.zeros_like(today[1]))
        return advance(state, unstack(Weather, today[0]), applied, field.parameters), None

    last, _ = jax.lax.scan(one_day, first, (jnp.swapaxes(field.values, 0, 1), doses))
    return last.grain_mass, last.day


@partial(jax.jit, static_argnames=("interval", "pooled"))
def _best(field: _Field, beta: Any, largest: Any, interval: int, pooled: bool) -> Array:
    """The dose (seasons,) of the highest return, or of the highest mean return over the seasons."""
    seasons, days, _ = field.values.shape
    kind = field.values.dtype

    def score(dose: Array) -> Array:
        schedule = jnp.zeros((days, seasons), kind).at[interval].set(dose)
        value = _run(field, schedule)[0] - beta * dose / KG_HA
        return jnp.full(seasons, jnp.mean(value), kind) if pooled else value

    grid = jnp.linspace(0.0, largest, GRID, dtype=kind)
    tried = jax.lax.map(lambda dose: score(jnp.full(seasons, dose)), grid)
    best = jnp.argmax(tried, axis=0)
    low, high = grid[jnp.maximum(best - 1, 0)], grid[jnp.minimum(best + 1, GRID - 1)]

    def narrow(_: Any, now: tuple[Array, ...]) -> tuple[Array, ...]:
        low, high, left, right, of_left, of_right = now
        keep_left = of_left >= of_right  # the best lies left of `right`
        low, high = jnp.where(keep_left, low, left), jnp.where(keep_left, right, high)
        new_left, new_right = high - SHRINK * (high - low), low + SHRINK * (high - low)
        of_new = score(jnp.where(keep_left, new_left, new_right))
        return (
            low,
            high,
            jnp.where(keep_left, new_left, right),
            jnp.where(keep_left, left, new_right),
            jnp.where(keep_left, of_new, of_right),
            jnp.where(keep_left, of_left, of_new),
        )

    left, right = high - SHRINK * (high - low), low + SHRINK * (high - low)
    start = (low, high, left, right, score(left), score(right))
    low, high, *_ = jax.lax.fori_loop(0, ITERATIONS[kind.itemsize], narrow, start)
    middle = 0.5 * (low + high)
    return jnp.where(score(middle) > jnp.max(tried, axis=0), middle, grid[best])
