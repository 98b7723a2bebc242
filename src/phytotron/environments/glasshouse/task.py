"""What both greenhouse tasks have: options, the greenhouse and its model, its time and weather, when it fails."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from phytotron.core.environment import Info, Starts
from phytotron.environments.glasshouse import limits
from phytotron.environments.glasshouse.clock import Clock
from phytotron.environments.glasshouse.parameters import RulesChoice, choose_parameters
from phytotron.environments.glasshouse.windows import WeatherChoice
from phytotron.environments.on_weather import OnWeather
from phytotron.models.greenlight import Equations, GreenLight, Parameters, Weather, spectral_radius_bound
from phytotron.weather.greenhouse_weather import Days, GreenhouseWeather

State = TypeVar("State")
Params = TypeVar("Params")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class GlasshouseTask(OnWeather[State, Params]):
    """A greenhouse of GreenLight, with a decision every `control_interval`. The specification stands in the tasks.

    Its parameters have `weather` and `start_days`, its state `start_day` and `step`.
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
    equations: Equations = dataclasses.field(default_factory=Equations)
    precision: str = "float32"

    @property
    @abstractmethod
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        """The weather in use, and those of its days on which an episode may start."""

    @cached_property
    def clock(self) -> Clock:
        """Time and weather of control intervals."""
        return Clock(self.control_interval, self.precision)

    @cached_property
    def model(self) -> GreenLight:
        """The greenhouse model with its solver, for the time that the weather is held."""
        bound = spectral_radius_bound(self._parameters)
        return GreenLight(self.solver, float(self.clock.held), self.substep, bound, self.equations)

    @cached_property
    def _parameters(self) -> Parameters:
        return choose_parameters(self.parameters, self.parameter_overrides)

    def starts(self, params: Params | None = None) -> Starts:
        chosen: Any = self.default_params if params is None else params
        return Starts.along(chosen, "start_days", self.windows[0].dates[np.asarray(chosen.start_days)])

    def weather_at(self, state: State, params: Params | None = None) -> Weather:
        """The weather at the start of the next control interval."""
        now: Any = state
        chosen: Any = self.default_params if params is None else params
        return self.clock.weather(chosen.weather, now.start_day, now.step)

    def reason(self, info: Info) -> str:
        return limits.reason(int(info["left"]))
