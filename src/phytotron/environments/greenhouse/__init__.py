"""Greenhouse climate control, with seven modules that a user can swap."""

from phytotron.environments.distributions import Choice, Normal, Relative, Uniform
from phytotron.environments.greenhouse.actions import ControlProcessing
from phytotron.environments.greenhouse.environment import Greenhouse, GreenhouseParams
from phytotron.environments.greenhouse.greenlight_gym import GreenLightGym
from phytotron.environments.greenhouse.observations import Forecast
from phytotron.environments.greenhouse.presentation import RuleBased
from phytotron.environments.greenhouse.reward import Outcome, Prices, RewardParameters, WeightedSum

__all__ = [
    "Choice",
    "ControlProcessing",
    "Forecast",
    "GreenLightGym",
    "Greenhouse",
    "GreenhouseParams",
    "Normal",
    "Outcome",
    "Prices",
    "Relative",
    "RewardParameters",
    "RuleBased",
    "Uniform",
    "WeightedSum",
]
