"""What goes through the tasks of two crops: what may vary between episodes, and the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
from jax import Array

from phytotron.environments.wheat.reward import Limits, RewardParameters
from phytotron.models.crops import Crop
from phytotron.models.lintul3 import State
from phytotron.weather.field_weather import FieldWeather

Crops = tuple[Crop, Crop]
States = tuple[State, State]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class IntercropParams:
    """What may vary between episodes. The season is drawn from `seasons`, which count those of the weather.

    `zero_grain` belongs to `crops`, `factors` and `weather`: make all together with the environment's `params(...)`.
    """

    crops: Crops
    factors: Any  # how the crops affect each other: a record of the environment
    reward: RewardParameters
    limits: Limits
    weather: FieldWeather
    zero_grain: (
        Array  # (2, seasons, decisions), g m-2, grain of both crops without fertiliser, on the days of decisions
    )
    seasons: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class Farming:
    """What the farmer has done so far, on the field of each crop."""

    dose: Array  # kg ha-1, at the last decision
    total_dose: Array  # kg ha-1
    applications: Array  # decisions with a dose


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class IntercropState:
    """Both crops on the morning of a decision, and what was done."""

    stand: Any  # the crops and what is between them: a pytree of the environment, with `crops`
    due: Array  # g m-2, what is applied on this very day; only at daily decisions other than nothing
    farming: Farming
    season: Array  # counts the seasons of the weather
    day: Array  # since 1 January; a crop that is harvested keeps the day of its harvest

    @property
    def crops(self) -> States:
        return self.stand.crops
