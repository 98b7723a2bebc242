"""Making environments with options by name, with errors that say which option is wrong."""

from __future__ import annotations

import inspect
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from phytotron.core.errors import PhytotronError, ValueRangeError

if TYPE_CHECKING:
    from phytotron.core.environment import Environment

CONTRACT = "phytotron.core.environment.Environment"
# What an option of the wrong kind, or out of range, can lead to.
WRONG_KIND = (
    ArithmeticError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
)
UNNAMED = (Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
Make = Callable[[Mapping[str, Any]], Any]  # makes an environment with options
Verify = Callable[[str, Any], None]  # raises an error where what was made for an id cannot be used


def described(found: Any) -> str:
    """Return in words what kind of object something is."""
    if isinstance(found, type):
        return f"the class {found.__name__}"
    if inspect.isroutine(found):
        return f"the function {found.__name__}"
    return f"an object of the type {type(found).__name__}"


def factory_fault(found: Any) -> str:
    """Return the reason that an object makes no environment; empty for a class of environments, or a function."""
    from phytotron.core.environment import Environment  # late: it imports jax

    if not callable(found) or (isinstance(found, type) and not issubclass(found, Environment)):
        return f"is {described(found)}; expected a subclass of {CONTRACT}, or a function that makes such an environment"
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    return f"lacks members that every environment has; define {', '.join(missing)} in its class" if missing else ""


def check_made(id: str, made: Any) -> None:
    """Refuse what is no environment, has no steps, or fails to compute the parameters that follow from its options."""
    check_kind(id, made)
    steps = _property_of(made, id, "episode_steps")
    if not is_whole(steps) or steps < 1:
        raise ValueRangeError(f"episode_steps of {id}", steps, "a whole number of at least 1")
    _property_of(made, id, "default_params")  # tasks may compute them only when they are asked for


def check_kind(id: str, made: Any) -> None:
    """Refuse what is no environment."""
    from phytotron.core.environment import Environment  # late: it imports jax

    if not isinstance(made, Environment):
        raise PhytotronError(f"{id} made {described(made)}; expected an environment, of a subclass of {CONTRACT}")


def make_from(
    id: str, factory: Any, defaults: Mapping[str, Any], options: Mapping[str, Any], verify: Verify = check_made
) -> Any:
    """Return the environment that a class or a function makes with options, which go over the registered defaults.

    Errors of `verify` say as well which option is wrong.
    """
    chosen = {**defaults, **options}
    known = options_of(factory)
    if not takes_all_options(factory):
        _check_names(f"{id} is registered with an option that it does not have:", defaults, known)
        _check_names(f"{id} has no option", options, known)
    _check_kinds(id, chosen, known)
    needed = [name for name, each in known.items() if each.default is Parameter.empty and name not in chosen]
    if needed:
        raise PhytotronError(f"{id} cannot be made without the {_named(needed)}; give each a value, by its name")

    def make(options: Mapping[str, Any]) -> Any:
        made = factory(**options)
        verify(id, made)
        return made

    try:
        return make(chosen)
    except PhytotronError as error:
        if any(option in str(error) for option in options):
            raise
        guilty = _guilty(make, defaults, options, error)
        error.args = (f"{_named(guilty)}: {error}", *error.args[1:]) if guilty else error.args
        raise
    except WRONG_KIND as error:
        if not options or _fails_alike(make, defaults, error):  # a fault of the task, not of its options
            raise
        given = ", ".join(f"{option}={value!r}"[:60] for option, value in options.items())
        told = f"{type(error).__name__}: {error}"
        remedy = "give values of the right kind and range"
        raise PhytotronError(f"{id} cannot be made with {given} ({told}); {remedy}") from error


def put_on(environment: Environment[Any, Any], weather: str) -> Any:
    """Return an environment on other weather by name, or on a part of its own.

    What a wrong name leads to in the code of the task becomes an error that says so.
    """
    try:
        other = environment.on(weather)
        check_made(f"{environment.id} on {weather!r}", other)
    except PhytotronError:
        raise
    except WRONG_KIND as error:
        remedy = f"its parts are {', '.join(environment.parts)}" if environment.parts else "name other weather"
        raise PhytotronError(
            f"{environment.id} cannot be put on weather {weather!r} ({type(error).__name__}: {error}); {remedy}"
        ) from error
    return other


def options_of(factory: Any) -> dict[str, Parameter]:
    """Return the options that a class or a function takes by name."""
    return {each.name: each for each in parameters_of(factory) if each.kind not in UNNAMED}


def takes_all_options(factory: Any) -> bool:
    """Return whether a class or a function takes options that it does not name, as `**options`."""
    return any(each.kind is Parameter.VAR_KEYWORD for each in parameters_of(factory))


def parameters_of(factory: Any) -> list[Parameter]:
    """Return the parameters of a class or a function; an error where it does not tell them."""
    try:
        return list(inspect.signature(factory).parameters.values())
    except ValueError as error:  # of some functions that are not written in Python
        raise PhytotronError(f"the options of {described(factory)} cannot be known ({error})") from None


def _property_of(made: Any, id: str, name: str) -> Any:
    """A member of an environment; an error where it is a method."""
    value = getattr(made, name)
    if inspect.isroutine(value):
        raise PhytotronError(f"{name} of {id} is a method; make it a property, with @property above its definition")
    return value


def _named(options: Sequence[str]) -> str:
    return f"option {options[0]}" if len(options) == 1 else f"options {', '.join(options)}"


def _guilty(make: Make, defaults: Mapping[str, Any], options: Mapping[str, Any], error: Exception) -> Sequence[str]:
    """Those of some options that an error is about: none where it comes without them, else the one that gives it
    alone, or all where none does.
    """
    if not options or _fails_alike(make, defaults, error):
        return []
    for option, value in options.items():
        if _fails_alike(make, {**defaults, option: value}, error):
            return [option]
    return list(options)


def _fails_alike(make: Make, options: Mapping[str, Any], error: Exception) -> bool:
    """Whether the environment cannot be made with these options either, for the same reason."""
    try:
        make(options)
    except Exception as other:  # of code of the task; only the same reason counts
        return (type(other), str(other)) == (type(error), str(error))
    return False


def _check_names(problem: str, options: Mapping[str, Any], known: Mapping[str, Parameter]) -> None:
    for option in options:
        if option not in known:
            raise PhytotronError(f"{problem} {option!r}; its options are {', '.join(known) or 'none'}")


def _check_kinds(id: str, options: Mapping[str, Any], known: Mapping[str, Parameter]) -> None:
    for option, value in options.items():
        annotation = known[option].annotation if option in known else Any
        type_name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        kind = KINDS.get(re.sub(r"\w+\.", "", type_name))  # without the modules of types
        if kind is not None and not kind[0](value):
            raise ValueRangeError(f"option {option} of {id}", value, kind[1])


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool"


def _is_number(value: Any) -> bool:
    if _is_truth(value) or not (isinstance(value, Real) or getattr(value, "shape", None) == ()):
        return False
    return bool(-math.inf < value < math.inf)


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number, of Python or of an array library; truth values are not."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return not _is_truth(value) and (isinstance(value, Integral) or (kind in ("i", "u") and value.shape == ()))


# What options of simple types may be, by the annotation of the argument, and that in words.
KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "bool": (_is_truth, "true or false"),
    "int": (is_whole, "a whole number"),
    "float": (_is_number, "a finite number"),
    "Path | None": (lambda value: value is None or isinstance(value, str | os.PathLike), "the path of a folder"),
}
