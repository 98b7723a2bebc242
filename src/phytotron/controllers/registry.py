"""Controllers by name: the baselines of an environment, and those that suit any."""

import inspect
from typing import Any

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.presentation import Contender
from phytotron.core.registry import Registry

# Each makes a controller of an environment; the first line of its documentation says on pages what it does.
CONTROLLERS = Registry(
    "controller",
    "phytotron.controllers",
    {
        "random": "phytotron.controllers.base:Random",
        "off": "phytotron.controllers.base:off",
        "oracle": "phytotron.planning.oracle:oracle",
        "mpc": "phytotron.planning.mpc:mpc",
        "tuned-rules": "phytotron.planning.tuned_rules:tuned_rules",
    },
)
BOUNDS = ("oracle",)  # those that know what is to come, so that no other can be expected to do better


def controller_names(environment: Environment[Any, Any]) -> list[str]:
    """All names that an environment can be controlled by."""
    return [*environment.baselines, *CONTROLLERS]


def make_contender(
    name: str, environment: Environment[Any, Any], training: Environment[Any, Any] | None = None
) -> Contender:
    """A controller by name, and the environment that it acts in; what has to be tuned is tuned on `training`."""
    if name in environment.baselines:
        return environment.baselines[name](environment if training is None else training)
    try:
        factory = CONTROLLERS[name]
    except UnknownNameError:
        raise UnknownNameError(f"controller of {environment.id}", name, controller_names(environment)) from None
    note = (inspect.getdoc(factory) or name).partition("\n")[0].rstrip(".")
    label, words = name.replace("-", " "), note[:1].lower() + note[1:]
    return Contender(label, words, environment, (factory(environment),), bound=name in BOUNDS)


def make_controller(choice: str | Controller, environment: Environment[Any, Any]) -> Controller:
    """The controller of a name for an environment, or the one that was given instead."""
    if not isinstance(choice, str):
        return choice
    found = make_contender(choice, environment)
    if found.environment is not environment:
        raise PhytotronError(f"{choice} acts in a variant of {environment.id}, with other actions; {found.note}")
    return found.controllers[0]
