"""What goes through the greenhouse task: what may vary between episodes, and the state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax import Array

from phytotron.environments.greenhouse.prices import Prices
from phytotron.environments.greenhouse.reward import RewardParameters
from phytotron.models.greenlight import Control, Parameters, State
from phytotron.models.greenlight.rules import RuleSettings
from phytotron.weather.greenhouse_weather import GreenhouseWeather


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class GreenhouseParams:
    """What may vary between episodes. The start is drawn from `start_days`, which count the days of the weather.

    A batch that varies the model shares the weather: `jax.vmap` takes a `GreenhouseParams` of axes, with None for it.
    """

    model: Parameters
    rules: RuleSettings
    prices: Prices
    reward: RewardParameters
    weather: GreenhouseWeather
    start_days: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class GreenhouseState:
    """The model's state, the positions of the actuators, what was drawn for the episode, and two counters.

    Time follows from the counters without drift.
    """

    model: State
    control: Control  # of the interval that ended last
    drawn: dict[str, Array]  # parameters of this episode, where they vary
    start_day: Array  # counts the days of the weather
    step: Array  # control intervals since the start of the episode
    last_day: dict[str, Array]  # series of the last 24 hours, where they are recorded for pictures
