"""Greenhouse climate control, with seven modules that a user can swap."""

from phytotron.environments.distributions import Choice, Normal, Relative, Uniform
from phytotron.environments.greenhouse.actions import ControlProcessing
from phytotron.environments.greenhouse.controllers import RuleBased
from phytotron.environments.greenhouse.environment import Greenhouse
from phytotron.environments.greenhouse.forecast import Forecast
from phytotron.environments.greenhouse.observations import GROUPS, OBSERVABLES, Fields
from phytotron.environments.greenhouse.prices import Prices
from phytotron.environments.greenhouse.reward import REWARDS, Outcome, RewardParameters, WeightedSum
from phytotron.environments.greenhouse.types import GreenhouseParams, GreenhouseState
from phytotron.environments.greenhouse.variants import published_code

__all__ = [
    "GROUPS",
    "OBSERVABLES",
    "REWARDS",
    "Choice",
    "ControlProcessing",
    "Fields",
    "Forecast",
    "Greenhouse",
    "GreenhouseParams",
    "GreenhouseState",
    "Normal",
    "Outcome",
    "Prices",
    "Relative",
    "RewardParameters",
    "RuleBased",
    "Uniform",
    "WeightedSum",
    "published_code",
]
