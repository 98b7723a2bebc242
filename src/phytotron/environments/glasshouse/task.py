"""Common parts of the greenhouse tasks: options, the model, time and weather, failure, and recorded channels."""

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.data_channels import with_state
from phytotron.core.environment import Info, Starts
from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import find, names
from phytotron.core.presentation import Channel, Step, channel
from phytotron.environments.glasshouse.clock import Clock
from phytotron.environments.glasshouse.foreseen import foreseen_weather
from phytotron.environments.glasshouse.parameters import RulesChoice, choose_parameters
from phytotron.environments.glasshouse.windows import WeatherChoice
from phytotron.environments.on_weather import OnWeather
from phytotron.environments.possible_states import reason
from phytotron.models.greenlight import (
    Equations,
    GreenLight,
    Parameters,
    State,
    Weather,
    indoor_climate,
    spectral_radius_bound,
)
from phytotron.models.greenlight.simulation import SUBSTEPS_PER_INTERVAL
from phytotron.weather.greenhouse_weather import Days, GreenhouseWeather

FORESEEN_DAYS = 2  # beyond the end of an episode, which a forecast may show

TaskState = TypeVar("TaskState")
Params = TypeVar("Params")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class GlasshouseTask(OnWeather[TaskState, Params]):
    """Base of greenhouse tasks on GreenLight, with a decision every `control_interval`.

    The specification is in the docstring of each task. Parameters have the fields `weather` and `start_days`, states
    the fields `start_day` and `step`.
    """

    parameters: str | Parameters
    parameter_overrides: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    rules: RulesChoice = None  # None: those that go with the parameter set
    weather: WeatherChoice = "embedded:train"
    weather_folder: Path | None = None  # None: $PHYTOTRON_WEATHER
    years: int | tuple[int, ...] | None = None
    control_interval: int  # s
    solver: str = "rosenbrock"
    substep: float | None = None  # s, None: the solver's own
    substeps: int = SUBSTEPS_PER_INTERVAL  # of "rosenbrock" in 300 s
    equations: Equations = dataclasses.field(default_factory=Equations)
    precision: str = "float32"

    @property
    @abstractmethod
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        """The weather in use, and the days of it on which an episode may start."""

    @cached_property
    def clock(self) -> Clock:
        """Time and weather of control intervals."""
        return Clock(self.control_interval, self.precision)

    @cached_property
    def model(self) -> GreenLight:
        """The greenhouse model with its solver, for the length of time that the weather is held."""
        if not isinstance(self.equations, Equations):
            raise ValueRangeError("equations", self.equations, "an Equations, e.g. published(parameter_set)")
        bound = spectral_radius_bound(self._parameters)
        return GreenLight(
            self.solver, float(self.clock.held), self.substep, bound, self.equations, substeps=self.substeps
        )

    @cached_property
    def _parameters(self) -> Parameters:
        return choose_parameters(self.parameters, self.parameter_overrides)

    def starts(self, params: Params | None = None) -> Starts:
        chosen: Any = self.default_params if params is None else params
        return Starts.along(chosen, "start_days", self.windows[0].dates[np.asarray(chosen.start_days)])

    def narrowed(self, params: Params) -> Params:
        """Return the parameters of one start with only its days of weather, and two more for forecasts.

        Days are then counted from 0.
        """
        chosen: Any = params
        first = int(np.ravel(chosen.start_days)[0])
        weather = chosen.weather.some_days(first, self._episode_days + FORESEEN_DAYS)
        return dataclasses.replace(chosen, weather=weather, start_days=jnp.zeros_like(chosen.start_days))

    def start_of(self, state: TaskState) -> str:
        now: Any = state
        return str(self.windows[0].dates[int(now.start_day)])

    def date(self, state: TaskState) -> np.datetime64:
        now: Any = state
        seconds = np.timedelta64(int(now.step) * self.control_interval, "s")
        return (self.windows[0].dates[int(now.start_day)] + seconds).astype("datetime64[m]")

    def start_data(self, number: int) -> Any:
        """Return the weather of the days of the episode."""
        params: Any = self.default_params
        weather = self.windows[0]
        first, rows = int(params.start_days[number]), SECONDS_PER_DAY // weather.interval
        return np.asarray(weather.values)[first * rows : (first + self._episode_days) * rows]

    @property
    def _episode_days(self) -> int:
        """Days of weather that an episode begins."""
        return math.ceil(self.episode_steps * self.control_interval / SECONDS_PER_DAY)

    def weather_at(self, state: TaskState, params: Params | None = None) -> Weather:
        """Return the weather at the start of the next control interval."""
        now: Any = state
        chosen: Any = self.default_params if params is None else params
        return self.clock.weather(chosen.weather, now.start_day, now.step)

    def foreseen(self, key: Array, state: TaskState, params: Params, forecast: str | float) -> Params:
        now = state.start_day * SECONDS_PER_DAY + state.step * self.control_interval  # type: ignore[attr-defined]
        weather = foreseen_weather(key, params.weather, now, forecast)  # type: ignore[attr-defined]
        return dataclasses.replace(params, weather=weather)  # type: ignore[type-var]

    def reason(self, info: Info) -> str:
        return reason(State, int(info["left"]))

    @cached_property
    def data_channels(self) -> tuple[Channel, ...]:
        """The recorded channels with all of the weather."""
        others = [name for name in names(Weather) if name not in SHOWN_OUTDOORS]
        return with_state(self, (*self.channels, *outdoor_channels(self.clock, others)), without=("control",))


GRAMS = 1e-3  # g per mg


def _indoors(name: str) -> Callable[[Step], Any]:
    return lambda step: getattr(indoor_climate(step.before.model), name)


INDOORS = (
    channel("air_temperature", "tAir", "°C", "air temperature", _indoors("temperature")),
    channel("co2", "co2Air", "ppm", "CO2 of the air", _indoors("co2")),
    channel("humidity", "rhAir", "%", "relative humidity", _indoors("relative_humidity")),
    channel("pipe_temperature", "tPipe", "°C", "pipe temperature", lambda s: s.before.model.pipe_temperature),
    channel(
        "fruit", "cFruit", "g m-2", "carbohydrate in the fruit", lambda s: GRAMS * s.before.model.fruit_carbohydrate
    ),
)


SHOWN_OUTDOORS = ("global_radiation", "outdoor_temperature")


def outdoor_channels(clock: Clock, wanted: Sequence[str] = SHOWN_OUTDOORS) -> tuple[Channel, ...]:
    """Return channels of the weather at the start of an interval; by default radiation and temperature."""

    def value(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(clock.weather(step.params.weather, step.before.start_day, step.before.step), name)

    return tuple(Channel(find(Weather, name), value(name), "weather") for name in wanted)
