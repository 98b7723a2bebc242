"""Environments on the weather that a command or a report asks for, in the place of that which their options name."""

from collections.abc import Mapping
from typing import Any

from phytotron.core import registry
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.making import put_on
from phytotron.core.parameter_files import merged
from phytotron.weather.archive import UnknownWeatherError
from phytotron.weather.splits import PARTS


def weather_options(id: str) -> set[str]:
    """Return the options of an environment that hold for one weather: its name, and what chooses among its days."""
    return {"weather", *getattr(registry.ENVIRONMENTS[id], "narrowing", ())}


def part_names(id: str) -> set[str]:
    """Return the names that stand for parts of weather: those of splits, and those in the class of an environment."""
    own = getattr(registry.ENVIRONMENTS[id], "parts", ())
    return {*PARTS, *(own if isinstance(own, tuple | list) else ())}


def environment_on(
    id: str,
    trained_with: Mapping[str, Any],
    given: Mapping[str, Any],
    split: str | None = None,
    weather: str | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Return an environment and its options, on a part of its split or on other weather if one of these is asked for.

    `given` are options of the user, which go over those of a trained run, `trained_with`. Other weather takes the place
    of that of the run, and of what chose among its days; what the user chooses holds on the other weather.
    """
    if split is not None and weather is not None:
        raise PhytotronError("--split and --weather both name weather; give one of them")
    if split is None and weather is None:
        options = merged(trained_with, given)
        return made_as_trained(id, options), options
    narrowing = weather_options(id) - {"weather"}
    free = {name: value for name, value in merged(trained_with, given).items() if name not in narrowing}
    part = weather if split is None and weather in part_names(id) else split
    has_option = "weather" in registry.option_names(id)
    if part is None and has_option:
        chosen = {name: value for name, value in given.items() if name in narrowing}
        options = {**free, "weather": weather, **chosen}
        return registry.make_environment(id, options), options
    if part is None:
        env = put_on(registry.make_environment(id, free), str(weather))
    else:
        env = _on_part(id, free, part, split is not None)
    # A function that makes the task may take options that it does not name, and does not tell which of them narrow.
    chosen = {name: value for name, value in given.items() if name in env.narrowing}
    options = {name: value for name, value in free.items() if name not in {"weather", *env.narrowing}}
    takes_name = env.weather_name is not None and (has_option or "weather" in free)
    if chosen or takes_name:
        options["weather"] = env.weather_name
    options |= chosen
    return (registry.make_environment(id, options) if chosen else env), options


def made_as_trained(id: str, options: Mapping[str, Any]) -> Any:
    """Return an environment with the options of a run; an error with a remedy where its weather is not at hand."""
    try:
        return registry.make_environment(id, options)
    except UnknownWeatherError as error:
        error.args = (f"{error}; or name weather that is at hand: --weather SPLIT:PART, or a file",)
        raise


def _on_part(id: str, options: Mapping[str, Any], part: str, is_split: bool) -> Any:
    """Return an environment on a part of the weather that its options name."""
    env = made_as_trained(id, options)
    if is_split and env.parts and part not in env.parts:
        raise UnknownNameError(f"part of the weather of {id}", part, env.parts)
    return put_on(env, part)
