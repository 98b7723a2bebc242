"""Nitrogen for two crops: InterCropGym's task, and one in which they share a field."""

from phytotron.environments.intercrop.base import TwoCrops
from phytotron.environments.intercrop.environment import ENDS, INTERACTIONS, Intercrop
from phytotron.environments.intercrop.field import IntercropField
from phytotron.environments.intercrop.observations import GROUPS, OBSERVABLES, DailyWeather, Fields, Seen, Situation
from phytotron.environments.intercrop.reward import REWARDS, Outcome, WeightedSum
from phytotron.environments.intercrop.types import Farming, IntercropParams, IntercropState
from phytotron.environments.intercrop.variants import published_code

__all__ = [
    "ENDS",
    "GROUPS",
    "INTERACTIONS",
    "OBSERVABLES",
    "REWARDS",
    "DailyWeather",
    "Farming",
    "Fields",
    "Intercrop",
    "IntercropField",
    "IntercropParams",
    "IntercropState",
    "Outcome",
    "Seen",
    "Situation",
    "TwoCrops",
    "WeightedSum",
    "published_code",
]
