"""Nitrogen for winter wheat: CropGym's task on LINTUL-3."""

from phytotron.environments.field.doses import ActionProcessing, Continuous
from phytotron.environments.wheat.environment import WheatNitrogen
from phytotron.environments.wheat.measurement import Measurement
from phytotron.environments.wheat.observations import GROUPS, OBSERVABLES, DailyWeather, Fields
from phytotron.environments.wheat.reward import REWARDS, Limits, Outcome, Prices, RewardParameters, WeightedSum
from phytotron.environments.wheat.types import Farming, WheatParams, WheatState

__all__ = [
    "GROUPS",
    "OBSERVABLES",
    "REWARDS",
    "ActionProcessing",
    "Continuous",
    "DailyWeather",
    "Farming",
    "Fields",
    "Limits",
    "Measurement",
    "Outcome",
    "Prices",
    "RewardParameters",
    "WeightedSum",
    "WheatNitrogen",
    "WheatParams",
    "WheatState",
]
