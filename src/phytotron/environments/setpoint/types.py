"""What goes through the set-point task: what may vary between episodes, and the state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax import Array

from phytotron.environments.setpoint.season import Season, Targets
from phytotron.models.greenlight import Parameters, State
from phytotron.models.greenlight.rules import RuleSettings
from phytotron.weather.greenhouse_weather import GreenhouseWeather


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class SetpointParams:
    """What may vary between episodes. The start is drawn from `start_days`, which count the days of the weather.

    `rules` hold every set-point and band of the climate computer; actions replace the two for heating.
    """

    model: Parameters
    rules: RuleSettings
    targets: Targets
    weather: GreenhouseWeather
    start_days: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class SetpointState:
    """The greenhouse at a decision. Time follows from the counters without drift."""

    model: State
    day_set_point: Array  # °C
    night_set_point: Array  # °C
    season: Season
    start_day: Array  # counts the days of the weather
    step: Array  # decisions since the start of the season
