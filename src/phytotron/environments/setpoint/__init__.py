"""Hourly set-points of the greenhouse temperature: the task of GreenLightPlus's GreenhouseEnv."""

from phytotron.environments.setpoint.configuration import from_env_config
from phytotron.environments.setpoint.environment import GreenhouseSetpoint, SetpointParams, SetpointState
from phytotron.environments.setpoint.observations import OBSERVATIONS
from phytotron.environments.setpoint.reward import Season, Targets

__all__ = [
    "OBSERVATIONS",
    "GreenhouseSetpoint",
    "Season",
    "SetpointParams",
    "SetpointState",
    "Targets",
    "from_env_config",
]
