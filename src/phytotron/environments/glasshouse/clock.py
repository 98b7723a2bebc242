"""Time and weather of control intervals, from integer counters that do not drift.

`start_day` counts the days of the weather, `step` the control intervals since that day's midnight.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.arrays import check_precision
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import unstack
from phytotron.models.greenlight import State, Weather
from phytotron.weather.greenhouse_weather import GreenhouseWeather

LONGEST_HOLD = 300  # s

Flows = TypeVar("Flows")


@dataclass(frozen=True)
class Clock:
    """Counts control intervals, which are divided into pieces of constant weather.

    `hold` is the length of a piece [s]; without it, pieces are as long as possible, up to 300 s.
    """

    control_interval: int  # s
    precision: str
    hold: int | None = None  # s

    def __post_init__(self) -> None:
        self._check("control_interval", self.control_interval, SECONDS_PER_DAY, "a day")
        self._check("hold", self.held, self.control_interval, "a control interval")
        check_precision(self.precision)

    @staticmethod
    def _check(name: str, value: Any, whole: int, words: str) -> None:
        if not (isinstance(value, Integral) and 1 <= int(value) <= whole and whole % int(value) == 0):
            raise ValueRangeError(name, value, f"whole seconds, a whole number of which makes {words} ({whole} s)")

    @property
    def held(self) -> int:
        """The length of a piece, for which the weather is held [s]."""
        if self.hold is not None:
            return self.hold
        return next(n for n in range(min(LONGEST_HOLD, self.control_interval), 0, -1) if self.control_interval % n == 0)

    @property
    def pieces(self) -> int:
        """The number of pieces in a control interval."""
        return self.control_interval // self.held

    @property
    def steps_per_day(self) -> int:
        """The number of control intervals in a day."""
        return SECONDS_PER_DAY // self.control_interval

    def steps(self, days: float) -> int:
        """Return the number of control intervals in an episode of some days."""
        count = round(days * self.steps_per_day) if isinstance(days, Real) and math.isfinite(days) else 0
        if count < 1:
            raise ValueRangeError("episode_days", days, "above 0 and at least a control interval")
        return count

    def time(self, weather: GreenhouseWeather, start_day: Array, step: Array) -> Array:
        """Return days since the start of the year in which the episode began."""
        day, rest = step // self.steps_per_day, step % self.steps_per_day
        whole = weather.days_since_new_year[start_day] + day
        return whole.astype(self.precision) + rest.astype(self.precision) / self.steps_per_day

    def weather(self, weather: GreenhouseWeather, start_day: Array, step: Array, later: Array | int = 0) -> Weather:
        """Return the weather at the start of a control interval, or some seconds later."""
        return unstack(Weather, weather.at(start_day, step * self.control_interval + later))

    def through(
        self,
        run: Callable[[State, Weather, Array], tuple[State, Flows]],
        model: State,
        none: Flows,
        weather: GreenhouseWeather,
        start_day: Array,
        step: Array,
    ) -> tuple[State, Flows]:
        """Return the state of the model after a control interval, and the sum over its pieces, which begins with
        `none`.

        `run` takes the model through one piece: its state, the weather that is held and the time [d] at the start.
        """
        begin = self.time(weather, start_day, step)

        def piece(index: Array, before: tuple[State, Flows]) -> tuple[State, Flows]:
            later = index * self.held
            held = self.weather(weather, start_day, step, later)
            after, more = run(before[0], held, begin + later.astype(begin.dtype) / SECONDS_PER_DAY)
            added = after, jax.tree.map(jnp.add, before[1], more)
            return jax.tree.map(lambda new, old: new.astype(old.dtype), added, before)

        if self.pieces == 1:
            return piece(jnp.zeros((), jnp.int32), (model, none))
        return jax.lax.fori_loop(0, self.pieces, piece, (model, none))
