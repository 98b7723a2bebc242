"""Controllers by name: the baselines of an environment, and those that suit any environment."""

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.making import UNNAMED, described, parameters_of, takes_all_options
from phytotron.core.presentation import Competitor
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
        "policy": "phytotron.training.trained_policy:policy",
        "tuned-rules": "phytotron.planning.tuned_rules:tuned_rules",
    },
    lambda found: "" if callable(found) else f"is {described(found)}; expected a function that makes a controller",
)


def controller_names(environment: Environment[Any, Any]) -> list[str]:
    """Return the names of all controllers for an environment."""
    return [*environment.baselines, *CONTROLLERS]


def make_competitor(
    name: str, environment: Environment[Any, Any], training: Environment[Any, Any] | None = None
) -> Competitor:
    """Return a controller by name, with the environment that it acts in; where it needs tuning, it is tuned on
    `training`.

    Options of a controller may follow its name: "mpc(horizon_hours=6)".
    """
    if name in environment.baselines:
        return make_baseline(name, environment, environment if training is None else training)
    bare, options = _name_and_options(name)
    try:
        factory = CONTROLLERS[bare]
    except UnknownNameError:
        if bare in environment.baselines:
            raise PhytotronError(f"{bare}, a baseline of {environment.id}, takes no options; leave them out") from None
        own = (
            f"its baselines are {', '.join(environment.baselines)}" if environment.baselines else "it has no baselines"
        )
        words = f"{own}, and any environment has {', '.join(CONTROLLERS)}"
        raise UnknownNameError(f"controller of {environment.id}", bare, controller_names(environment), words) from None
    others = parameters_of(factory)[1:]  # after the environment
    known = [each.name for each in others if each.kind not in UNNAMED]
    for option in options:
        if option not in known and not takes_all_options(factory):
            raise UnknownNameError(f"option of the controller {bare}", option, known)
    note = (inspect.getdoc(factory) or bare).partition("\n")[0].rstrip(".").removeprefix("Return ")
    label, words = name.replace("-", " "), note[:1].lower() + note[1:]
    _check_call(bare, factory, environment, options)
    made = factory(environment, **options)
    if not (hasattr(made, "start") and hasattr(made, "act")):
        raise PhytotronError(f"{bare} gives {described(made)}; expected a controller, which has `start` and `act`")
    return Competitor(label, words, environment, (made,), bound=getattr(made, "bound", False) is True)


def _check_call(name: str, factory: Any, environment: Environment[Any, Any], options: Mapping[str, Any]) -> None:
    """Refuse what cannot be called with an environment and some options."""
    try:
        inspect.signature(factory).bind(environment, **options)
    except TypeError as error:
        expected = "a controller takes the environment first, and options by name"
        raise PhytotronError(f"the controller {name} cannot be made: {error}; {expected}") from None


def make_baseline(name: str, environment: Environment[Any, Any], training: Environment[Any, Any]) -> Competitor:
    """Return a baseline of an environment, tuned on `training`; an error where it acts on other weather."""
    baseline: Any = environment.baselines[name]
    made = baseline(training) if callable(baseline) else baseline
    if not isinstance(made, Competitor):
        raise PhytotronError(
            f"the baseline {name} of {environment.id} gives {described(made)}; make it a function of the environment "
            "to tune on, which returns a phytotron.core.presentation.Competitor"
        )
    acts_on, wanted = made.environment.weather_name, environment.weather_name
    if made.environment.id == environment.id and acts_on != wanted:
        raise PhytotronError(
            f"the baseline {name} of {environment.id} acts on weather {acts_on!r} instead of {wanted!r}; make its "
            "Competitor with `self` as the environment, since the argument is the environment to tune on"
        )
    return made


def _name_and_options(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a controller, and the options that follow it in parentheses."""
    name, opened, rest = text.partition("(")
    if not opened:
        return name, {}
    try:
        call: Any = ast.parse(f"call({rest}", mode="eval").body
        if call.args or not isinstance(call.func, ast.Name):  # which would be left out
            raise ValueError
        return name, {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError, AttributeError):
        expected = 'NAME(OPTION=VALUE, ...), with text in quotes, as policy(path="runs/ppo")'
        raise ValueRangeError("the options of a controller", text, expected) from None


def make_controller(choice: str | Controller, environment: Environment[Any, Any]) -> Controller:
    """Return a controller for an environment by name; a controller that is given instead is returned as it is."""
    if not isinstance(choice, str):
        return choice
    found = make_competitor(choice, environment)
    if found.environment is not environment:
        raise PhytotronError(f"{choice} acts in a variant of {environment.id}, with other actions; {found.note}")
    return found.controllers[0]
