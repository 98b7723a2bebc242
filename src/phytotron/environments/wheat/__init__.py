"""Nitrogen for winter wheat: CropGym's task on LINTUL-3."""

from phytotron.environments.field.doses import Continuous
from phytotron.environments.field.farming import Limits, RewardParameters
from phytotron.environments.wheat.environment import WheatNitrogen, WheatParams
from phytotron.environments.wheat.observations import OBSERVABLES, Measurement
from phytotron.environments.wheat.reward import REWARDS, Outcome, Prices, WeightedSum

__all__ = [
    "OBSERVABLES",
    "REWARDS",
    "Continuous",
    "Limits",
    "Measurement",
    "Outcome",
    "Prices",
    "RewardParameters",
    "WeightedSum",
    "WheatNitrogen",
    "WheatParams",
]
