"""Nitrogen for winter wheat: CropGym's task on LINTUL-3."""

from phytotron.environments.field.doses import ActionProcessing, Continuous
from phytotron.environments.field.farming import Limits, RewardParameters
from phytotron.environments.field.observations import DailyWeather
from phytotron.environments.wheat.environment import WheatNitrogen
from phytotron.environments.wheat.measurement import Measurement
from phytotron.environments.wheat.observations import GROUPS, OBSERVABLES, Fields
from phytotron.environments.wheat.reward import REWARDS, Outcome, Prices, WeightedSum
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
