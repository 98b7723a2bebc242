"""What goes through the wheat task: what may vary between episodes, and the state."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.environments.field import farming
from phytotron.environments.field.farming import Limits, RewardParameters
from phytotron.environments.wheat.reward import Prices
from phytotron.models.lintul3 import Management, Parameters, State
from phytotron.weather.field_weather import FieldWeather


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class WheatParams:
    """What may vary between episodes. The season is drawn from `seasons`, which count those of the weather.

    `zero_grain` belongs to `model` and `weather`: make both together with `WheatNitrogen.params(...)`.
    """

    model: Parameters
    reward: RewardParameters
    prices: Prices
    limits: Limits
    weather: FieldWeather
    zero_grain: Array  # (seasons, days), g m-2, grain of the run without nitrogen
    seasons: Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class Farming(farming.Farming):
    """What the farmer has done so far."""

    irrigation: Array  # mm, at the last decision
    total_irrigation: Array  # mm
    measured: Array  # 1 where the crop was measured at the end of the last interval


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class WheatState:
    """The field on the morning of a decision, what was done, and what was drawn for the episode."""

    model: State
    due: Management  # what is applied on this very day; only at daily decisions other than nothing
    farming: Farming
    season: Array  # counts the seasons of the weather
    drawn: dict[str, Array]  # parameters of this episode, where they vary
    zero_grain: dict[str, Array]  # of their run without nitrogen, where they vary: {"grain": (decisions,)}

    @property
    def day(self) -> Array:
        """Since 1 January, as an integer."""
        return self.model.day.astype(jnp.int32)
