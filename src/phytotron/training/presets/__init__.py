"""Agents by name, and presets: named sets of their settings, one file per agent in this folder."""

import dataclasses
import inspect
import json
import math
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from phytotron.agents import AGENTS
from phytotron.agents.base import Agent
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.making import is_whole
from phytotron.training.backends.rllib.settings import RLlibSettings

WORDS: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a name",
    types.NoneType: "null",
}
FILES = {path.stem: path for path in Path(__file__).parent.glob("*.toml")}


def settings_from(kind: type[Any], chosen: Mapping[str, Any], what: str) -> Any:
    """Return settings of a dataclass, some of them chosen by name; errors call a setting `what`. Values may be text."""
    hints = typing.get_type_hints(kind)
    known = [each.name for each in dataclasses.fields(kind)]
    for setting in chosen:
        if setting not in known:
            raise UnknownNameError(what, setting, known)
    return kind(**{setting: _converted(setting, value, hints[setting]) for setting, value in chosen.items()})


def _converted(name: str, value: Any, hint: Any) -> Any:
    """A value of the type that a setting has."""
    is_union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    kinds = typing.get_args(hint) if is_union else (hint,)
    wanted = " or ".join(WORDS.get(kind, "a list of whole numbers, as [64, 64]") for kind in kinds)
    if isinstance(value, str) and str not in kinds:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise ValueRangeError(name, value, wanted) from None
    if value is None and types.NoneType in kinds:
        return None
    if isinstance(value, bool) or bool in kinds:
        fits = isinstance(value, bool) and bool in kinds
    elif int in kinds:
        value = int(value) if isinstance(value, float) and value.is_integer() else value
        fits = isinstance(value, int)
    elif float in kinds:
        fits = isinstance(value, int | float)
        value = float(value) if fits else value
    elif str in kinds:
        fits = isinstance(value, str)
    else:  # widths of a network
        fits = isinstance(value, list | tuple)
        value = tuple(value) if fits else value
    if not fits:
        raise ValueRangeError(name, value, wanted)
    if isinstance(value, float) and not math.isfinite(value):  # JSON, and with it a run, cannot hold it
        raise ValueRangeError(name, value, "a finite number")
    return value


@dataclass(frozen=True)
class Preset:
    """Settings that differ from the defaults of an agent, and the options of the environment that belong to them."""

    description: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    environment: str | None = None  # the one that it was made for; others can be trained with it, without its options


def presets(agent: str, backend: str = "jax") -> dict[str, Preset]:
    """Return all presets of an agent; any agent has one called "default"."""
    AGENTS.entry(agent)  # refuses what is no agent
    if backend == "rllib" and agent != "ppo":
        raise PhytotronError(f"the backend rllib trains ppo, not {agent}; choose --agent ppo or the backend jax")
    published = _read("rllib" if backend == "rllib" else agent)
    return {"default": Preset("the defaults of the agent")} | published


@cache
def _read(name: str) -> dict[str, Preset]:
    """The presets of a file; nothing for agents that have none."""
    if name not in FILES:
        return {}
    tables = tomllib.loads(FILES[name].read_text(encoding="utf-8"))

    def settings(table: Mapping[str, Any]) -> dict[str, Any]:
        own = {key: tuple(each) if isinstance(each, list) else each for key, each in table.get("settings", {}).items()}
        return (settings(tables[table["extends"]]) if "extends" in table else {}) | own

    return {
        key: Preset(table["description"], settings(table), table.get("options", {}), table.get("environment"))
        for key, table in tables.items()
    }


def find_preset(agent: str, name: str, backend: str = "jax") -> Preset:
    """Return the preset of a name."""
    known = presets(agent, backend)
    if name not in known:
        raise UnknownNameError(f"preset of {'the backend rllib' if backend == 'rllib' else agent}", name, known)
    return known[name]


def make_settings(agent: str, preset: str = "default", backend: str = "jax", **changes: Any) -> Any:
    """Return the settings of an agent: its defaults, changed by a preset, then changed by name. Values may be text."""
    chosen = dict(find_preset(agent, preset, backend).settings) | changes
    if backend == "rllib":
        return settings_from(RLlibSettings, chosen, "setting of the backend rllib")
    return settings_from(AGENTS[agent].Settings, chosen, f"setting of {agent}")


def make_agent(agent: str, environment: Environment[Any, Any], settings: Any) -> Agent:
    """Return an agent that learns in an environment."""
    kind = AGENTS[agent]
    try:
        inspect.signature(kind).bind(environment, settings)
    except TypeError as error:
        raise PhytotronError(
            f"the agent {agent} cannot be made of an environment and its settings ({error}); give its class these two "
            "arguments"
        ) from None
    made: Agent = kind(environment, settings)
    steps: Any = getattr(made, "steps_per_update", None)
    if not is_whole(steps) or steps < 1:
        found = "a method, not a property" if callable(steps) else steps
        raise ValueRangeError(f"steps_per_update of {agent} with these settings", found, "a whole number, at least 1")
    return made
