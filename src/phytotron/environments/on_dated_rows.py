"""Common parts of tasks that read one row of weather a step: options, time, the weather that is observed."""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.arrays import check_precision
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Starts
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import Quantity, names, quantities, unstack
from phytotron.core.presentation import Channel, Presentation, Timeline
from phytotron.environments.dated_rows import DatedRows, RowWeather, WeatherChoice
from phytotron.environments.on_weather import OnWeather
from phytotron.weather.calendar import days_after

State = TypeVar("State")
Params = TypeVar("Params")

PROGRESS = Quantity("progress", "t", "-", "share of the season that is over", 0.0, 1.0)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class OnDatedRows(OnWeather[State, Params]):
    """Base of tasks on rows of weather: params have the fields `weather` (the rows) and `start_days`, states
    `first_row` and `step`. Episodes that start on other days than those of the option `weather` must end in the rows.
    """

    plans_ignore: ClassVar[frozenset[str]] = OnWeather.plans_ignore | {"forecast"}
    row_weather: ClassVar[RowWeather]

    weather: WeatherChoice
    weather_folder: Path | None = None  # None: $PHYTOTRON_WEATHER
    forecast: int = 0  # rows after the present one that are observed
    episode_days: float
    precision: str = "float32"

    def __post_init__(self) -> None:
        """Refuse what is wrong now rather than at the first step."""
        check_precision(self.precision)
        if not (isinstance(self.forecast, Integral) and self.forecast >= 0):
            raise ValueRangeError("forecast", self.forecast, "a whole number of steps, 0 or more")
        days = self.episode_days
        if not (isinstance(days, Real) and math.isfinite(days) and self.episode_steps >= 1):
            raise ValueRangeError("episode_days", days, f"{1 / self.steps_per_day:g} at least, which is a step")
        _ = self.default_params

    @cached_property
    def dated(self) -> DatedRows:
        """The rows of the option `weather`, and the days on which episodes start."""
        steps = self.forecast + self.episode_steps
        return self.row_weather.choose(self.weather, self.weather_folder, steps, self.id)

    @property
    def steps_per_day(self) -> int:
        """The number of steps in a day."""
        return SECONDS_PER_DAY // self.row_weather.interval

    @property
    def episode_steps(self) -> int:
        return round(self.episode_days * self.steps_per_day)

    # Parameters and state

    @property
    def weather_params(self) -> dict[str, Array]:
        """The fields `weather` and `start_days` of the parameters, by name."""
        weather, days = jnp.asarray(self.dated.rows, self.precision), jnp.asarray(self.dated.days, jnp.int32)
        return {"weather": weather, "start_days": days}

    def beginning(self, key: Array, params: Any) -> dict[str, Array]:
        """Return the fields `first_row` and `step` of a first state, by name; the day is drawn from `start_days`."""
        day = jax.random.choice(key, jnp.asarray(params.start_days, jnp.int32))
        first_row = (day - self.dated.first_day) * self.dated.rows_per_day
        return {"first_row": first_row, "step": jnp.zeros((), jnp.int32)}

    # Time

    def starts(self, params: Params | None = None) -> Starts:
        chosen: Any = self.default_params if params is None else params
        return Starts.along(chosen, "start_days", days_after(self.dated.day_zero, chosen.start_days))

    def start_of(self, state: Any) -> str:
        return str(self.dated.date(int(state.first_row)).astype("datetime64[D]"))

    def date(self, state: Any) -> np.datetime64:
        return self.dated.date(int(state.first_row) + int(state.step))

    def progress(self, state: Any) -> Array:
        """Return the share of the episode that is over."""
        return (state.step / self.episode_steps).astype(self.precision)

    @property
    def timeline(self) -> Timeline:
        """The times of the steps, for the presentation: channels have the values at the start of a step."""
        interval = self.row_weather.interval / SECONDS_PER_DAY
        return Timeline(interval, first=interval, at_start=True)

    @property
    def presentation(self) -> Presentation:
        return dataclasses.replace(super().presentation, timeline=self.timeline)

    # Weather

    def weather_at(self, state: Any, params: Any) -> Any:
        """Return the record of the weather during the next step."""
        return unstack(self.row_weather.record, params.weather[state.first_row + state.step])

    def weather_seen(self, state: Any, params: Any) -> Array:
        """Return the numbers of `weather_quantities`: the weather of the next step and of those of the forecast."""
        return params.weather[state.first_row + state.step + jnp.arange(1 + self.forecast)].ravel()

    @cached_property
    def weather_quantities(self) -> tuple[Quantity, ...]:
        """The quantities of a row, and those of each row of the forecast, with the number of the row in their names."""
        now, hours = tuple(quantities(self.row_weather.record)), self.row_weather.interval / 3600
        later = (
            dataclasses.replace(q, name=f"{q.name}_{ahead}", description=f"{q.description}, {ahead * hours:g} h later")
            for ahead in range(1, self.forecast + 1)
            for q in now
        )
        return (*now, *later)

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The recorded channels: the observation without the forecast, and the action."""
        now = names(self.row_weather.record)
        foreseen = {each.name for each in self.weather_quantities[len(now) :]}
        return tuple(
            dataclasses.replace(each, group="weather") if each.name in now else each
            for each in super().channels
            if each.name not in foreseen
        )
