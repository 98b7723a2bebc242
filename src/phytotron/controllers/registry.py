"""Controllers by name."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.controllers.base import Constant, Controller, Random
from phytotron.controllers.greenhouse import RuleBased
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.environments.greenhouse import Greenhouse


def _rule_based(environment: Environment[Any, Any]) -> Controller:
    if not isinstance(environment, Greenhouse):
        raise PhytotronError(f"{environment.id} has no rule-based grower; choose another controller")
    return RuleBased(environment)


def _off(environment: Environment[Any, Any]) -> Controller:
    return Constant(
        np.full(environment.action_space.shape, environment.action_space.low, environment.action_space.dtype)
    )


CONTROLLERS: MappingProxyType[str, Callable[[Environment[Any, Any]], Controller]] = MappingProxyType(
    {"rule-based": _rule_based, "random": Random, "off": _off}
)


def make_controller(choice: str | Controller, environment: Environment[Any, Any]) -> Controller:
    """The controller of a name for an environment, or the one that was given instead."""
    if not isinstance(choice, str):
        return choice
    if choice not in CONTROLLERS:
        raise UnknownNameError("controller", choice, CONTROLLERS)
    return CONTROLLERS[choice](environment)
