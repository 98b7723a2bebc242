"""Time and weather of a control interval, from integer counters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.fields import names, unstack
from phytotron.models.greenlight import Weather
from phytotron.weather.derived import SECONDS_PER_DAY
from phytotron.weather.greenhouse_weather import GreenhouseWeather, day_of_year


@dataclass(frozen=True, eq=False)
class Clock:
    """`start_day` counts days since the start of the weather, `step` control intervals since that day's midnight."""

    series: GreenhouseWeather
    control_interval: int
    precision: str

    @property
    def steps_per_day(self) -> int:
        return SECONDS_PER_DAY // self.control_interval

    @property
    def first_day(self) -> int:
        """Day of the year on which the weather starts."""
        return round(day_of_year(self.series.start))

    @cached_property
    def table(self) -> NDArray[Any]:
        """One row per value of the weather."""
        return np.stack([self.series.inputs[name] for name in names(Weather)], axis=-1).astype(self.precision)

    def time(self, start_day: Array, step: Array) -> Array:
        """Days since the start of the year."""
        day, rest = jnp.divmod(step, self.steps_per_day)
        whole = self.first_day + start_day + day
        return whole.astype(self.precision) + rest.astype(self.precision) / self.steps_per_day

    def weather(self, start_day: Array, step: Array) -> Weather:
        """The weather at the start of a control interval, interpolated linearly where the series has no value."""
        interval, last, table = self.series.interval, self.series.size - 1, jnp.asarray(self.table)
        row, rest = jnp.divmod(start_day * SECONDS_PER_DAY + step * self.control_interval, interval)
        now = table[jnp.minimum(row, last)]
        if self.control_interval % interval:
            after = table[jnp.minimum(row + 1, last)]
            now = now + (after - now) * (rest.astype(self.precision) / interval)
        return unstack(Weather, now)
