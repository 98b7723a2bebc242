"""What goes through the set-point task: targets, what may vary between episodes, what a season came to, the state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
from jax import Array

from phytotron.core.fields import Value, quantity, record
from phytotron.models.greenlight import Parameters, State
from phytotron.models.greenlight.rules import RuleSettings
from phytotron.weather.greenhouse_weather import GreenhouseWeather


@record
class Targets:
    """Of the season; one that is 0 is not asked for, except that no harvest then comes cheap enough."""

    fruit: Value = quantity("target_yield", "kg m-2", "fresh fruit of the season", default=0.0, low=0.0)
    energy_per_fruit: Value = quantity(
        "target_yield_unit_energy_input", "MJ kg-1", "energy of the season per fruit", default=0.0, low=0.0
    )
    harvest_energy_per_fruit: Value = quantity(
        "target_harvest_unit_energy_input", "MJ kg-1", "energy since the harvest began per fruit", default=0.0, low=0.0
    )


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
class Season:
    """Per square metre of floor."""

    energy: Array  # MJ, of lamps and boilers
    growth_energy: Array  # MJ, up to the last step without harvest
    fruit: Array  # kg, fresh, harvested
    reward: Array  # sum of all rewards
    harvest_steps: Array  # steps of the season that were left then


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
