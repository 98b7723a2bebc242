"""Time and weather of a control interval, from integer counters that do not drift.

`start_day` counts the days of the weather, `step` the control intervals since that day's midnight.
"""

from __future__ import annotations

from dataclasses import dataclass

from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import unstack
from phytotron.models.greenlight import Weather
from phytotron.weather.greenhouse_weather import GreenhouseWeather


@dataclass(frozen=True)
class Clock:
    """Counts control intervals [s]."""

    control_interval: int
    precision: str

    @property
    def steps_per_day(self) -> int:
        return SECONDS_PER_DAY // self.control_interval

    def time(self, weather: GreenhouseWeather, start_day: Array, step: Array) -> Array:
        """Days since the start of the year in which the episode began."""
        day, rest = step // self.steps_per_day, step % self.steps_per_day
        whole = weather.day_of_year[start_day] + day
        return whole.astype(self.precision) + rest.astype(self.precision) / self.steps_per_day

    def weather(self, weather: GreenhouseWeather, start_day: Array, step: Array) -> Weather:
        """The weather at the start of a control interval."""
        return unstack(Weather, weather.at(start_day, step * self.control_interval))
