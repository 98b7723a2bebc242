"""Controllers by name."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.controllers.base import Constant, Controller, Random
from phytotron.controllers.greenhouse import RuleBased
from phytotron.controllers.intercrop import split_practice
from phytotron.controllers.wheat import PAPER_STANDARD_PRACTICE, DatedDoses, SingleDose
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.intercrop import TwoCrops
from phytotron.environments.wheat import WheatNitrogen


def _rule_based(environment: Environment[Any, Any]) -> Controller:
    if not isinstance(environment, Greenhouse):
        raise PhytotronError(f"{environment.id} has no rule-based grower; choose another controller")
    return RuleBased(environment)


def _off(environment: Environment[Any, Any]) -> Controller:
    return Constant(
        np.full(environment.action_space.shape, environment.action_space.low, environment.action_space.dtype)
    )


def _wheat(environment: Environment[Any, Any]) -> WheatNitrogen:
    if not isinstance(environment, WheatNitrogen):
        raise PhytotronError(f"{environment.id} is no field of wheat; choose another controller")
    return environment


def _standard_practice(environment: Environment[Any, Any]) -> Controller:
    return SingleDose(_wheat(environment), PAPER_STANDARD_PRACTICE)


def _three_dates(environment: Environment[Any, Any]) -> Controller:
    return DatedDoses(_wheat(environment))


def _split_practice(environment: Environment[Any, Any]) -> Controller:
    if not isinstance(environment, TwoCrops):
        raise PhytotronError(f"{environment.id} is no intercrop; choose another controller")
    return split_practice(environment)


CONTROLLERS: MappingProxyType[str, Callable[[Environment[Any, Any]], Controller]] = MappingProxyType(
    {
        "rule-based": _rule_based,
        "standard-practice": _standard_practice,
        "three-dates": _three_dates,
        "split-practice": _split_practice,
        "random": Random,
        "off": _off,
    }
)


def make_controller(choice: str | Controller, environment: Environment[Any, Any]) -> Controller:
    """The controller of a name for an environment, or the one that was given instead."""
    if not isinstance(choice, str):
        return choice
    if choice not in CONTROLLERS:
        raise UnknownNameError("controller", choice, CONTROLLERS)
    return CONTROLLERS[choice](environment)
