"""Environments by id. Nothing is imported before it is made."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from typing import Any

from phytotron.core.errors import PhytotronError, UnknownNameError


@dataclass(frozen=True)
class Entry:
    """Where an environment is defined ("module:attribute"), and options that differ from its own defaults."""

    entry_point: str
    defaults: dict[str, Any]


_ENTRIES: dict[str, Entry] = {}


def register(id: str, entry_point: str, **defaults: Any) -> None:
    """Make an environment known; an id can be given once."""
    if id in _ENTRIES:
        raise PhytotronError(f"{id!r} is already registered; raise the version, e.g. -v1, for a variant")
    module, separator, attribute = entry_point.partition(":")
    if not (module and separator and attribute):
        raise PhytotronError(f"the entry point of {id!r} is {entry_point!r}; expected 'module:attribute'")
    _ENTRIES[id] = Entry(entry_point, defaults)


def registered() -> list[str]:
    """All ids."""
    return sorted(_ENTRIES)


def make(id: str, **options: Any) -> Any:
    """The environment of an id, with options by name; `phytotron describe ID` lists them."""
    if id not in _ENTRIES:
        raise UnknownNameError("environment", id, _ENTRIES)
    entry = _ENTRIES[id]
    module, _, attribute = entry.entry_point.partition(":")
    factory = getattr(importlib.import_module(module), attribute)
    _check_options(id, factory, options)
    from phytotron.core.compilation import enable_compilation_cache  # late: it imports jax

    enable_compilation_cache()
    return factory(**(entry.defaults | options))


def _check_options(id: str, factory: Any, options: dict[str, Any]) -> None:
    parameters = inspect.signature(factory).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return
    known = [each.name for each in parameters]
    for name in options:
        if name not in known:
            raise PhytotronError(f"{id} has no option {name!r}; its options are {', '.join(known) or 'none'}")


register("phytotron/Greenhouse-v0", "phytotron.environments.greenhouse:Greenhouse")
register("phytotron/GreenhouseSetpoint-v0", "phytotron.environments.setpoint:GreenhouseSetpoint")
register("phytotron/WheatNitrogen-v0", "phytotron.environments.wheat:WheatNitrogen")
register("phytotron/Intercrop-v0", "phytotron.environments.intercrop:Intercrop")
register("phytotron/IntercropField-v0", "phytotron.environments.intercrop:IntercropField")
