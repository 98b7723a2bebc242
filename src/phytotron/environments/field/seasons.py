"""Seasons of a field: which ones an episode is drawn from, and what grows in them without nitrogen.

The reward of the paper subtracts a run without nitrogen. Development does not depend on nitrogen, so this run has the
same days as every other one on the same weather. It is computed once for all seasons, and again at the start of an
episode only where parameters vary from episode to episode.
"""

import dataclasses
import functools
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from numbers import Integral
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import unstack
from phytotron.environments.on_weather import in_years
from phytotron.models.lintul3 import Management, Parameters, Weather, advance, initial_state
from phytotron.weather.field_weather import FieldWeather, field_weather, named_field_weather
from phytotron.weather.table import WeatherError, WeatherTable

WeatherChoice = str | Path | WeatherTable | FieldWeather | Sequence[WeatherTable]


def choose_seasons(weather: WeatherChoice, years: int | Sequence[int] | None, folder: Path | None) -> FieldWeather:
    """Return the seasons that an option stands for.

    `weather` is "SPLIT:PART", "generated:PRESET", the name of a series, the path of a file, a table, several tables, or
    what was made of them; `years` narrows the choice. Years of a series, file or table may end before 1 September.
    """
    if isinstance(weather, WeatherTable):
        return field_weather(weather, years)
    tables = [table for table in weather if isinstance(table, WeatherTable)] if isinstance(weather, Sequence) else []
    make: Callable[..., FieldWeather]
    if isinstance(weather, str | Path):
        make = functools.partial(named_field_weather, str(weather), folder)
    elif isinstance(weather, FieldWeather):
        return _narrowed(weather, years)
    elif tables and len(tables) == len(weather):
        make = functools.partial(field_weather, tables)
    else:
        raise PhytotronError(
            f"weather is {weather!r}; expected a name, a file, a table, several tables, or a FieldWeather"
        )
    try:
        return _narrowed(make(), years)
    except (WeatherError, ValueRangeError):
        if years is None or isinstance(years, str):
            raise
        # not all of the years are whole seasons: those that end early are made only for who asks for them
        wanted: Any = [years] if isinstance(years, Integral) else years
        return _narrowed(make(years=tuple(wanted)), years)


def _narrowed(seasons: FieldWeather, years: int | Sequence[int] | None) -> FieldWeather:
    return seasons if years is None else seasons.of(in_years(np.asarray(seasons.year), years))


def check_length(weather: FieldWeather, last_day: NDArray[Any], what: str) -> None:
    """Refuse weather that ends before the last day of a season (in days since 1 January)."""
    short = np.asarray(weather.length) <= last_day
    if np.any(short):
        season = int(np.argmax(short))
        first = date(int(weather.year[season]), 1, 1)
        end = first + timedelta(days=int(weather.length[season]) - 1)
        needed = first + timedelta(days=int(last_day[season]))
        raise WeatherError(
            f"the weather of {weather.label(season)} ends on {end}; {what}, up to {needed}, is needed: "
            "give more days, leave out that year, or set latest_harvest earlier"
        )


MARCH = 59  # days before 1 March of a common year


def dated(parameters: Parameters, leap: Any) -> Parameters:
    """Return the parameters with the latest harvest, a date of the common year, as days since 1 January of
    each year.
    """
    latest = parameters.latest_harvest + jnp.where(leap & (parameters.latest_harvest >= MARCH), 1.0, 0.0)
    return dataclasses.replace(parameters, latest_harvest=latest)


def zero_grain(weather: Array, parameters: Parameters) -> tuple[Array, Array]:
    """Return the grain [g m-2] on every morning (..., days) without nitrogen and irrigation, and the day of the
    harvest.

    The weather is (..., days, 7). Days after the harvest repeat its grain.
    """
    days = jnp.moveaxis(weather, -2, 0)
    first = initial_state(parameters, weather.dtype)
    first = jax.tree.map(lambda each: jnp.broadcast_to(each, weather.shape[:-2]), first)

    def one_day(state: Any, today: Array) -> tuple[Any, Array]:
        later = advance(state, unstack(Weather, today), Management(), parameters)
        later = jax.tree.map(lambda new, old: new.astype(old.dtype), later, state)
        return later, state.grain_mass

    last, grain = jax.lax.scan(one_day, first, days)
    return jnp.moveaxis(grain, 0, -1), last.day
