"""Objects by name: those of the package, those that a program registers, and those of installed packages.

A name stands for "module:attribute"; nothing is imported before it is asked for. Installed packages add names by entry
points of a group such as `phytotron.environments`, and "module:attribute" itself is a name everywhere.
"""

import importlib
import inspect
import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from numbers import Real
from pathlib import Path
from typing import Any

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.extras import installation
from phytotron.core.parameter_files import PARAMETERS, merged, options_from_file, parameter_file

FORM = "'module:attribute'"
# What an option of the wrong kind can lead to.
WRONG_KIND = (AttributeError, IndexError, KeyError, TypeError, OverflowError, ValueError)
FOLDER = "weather_folder"  # the option of an environment that is a path


@dataclass(frozen=True)
class Entry:
    """A registered object, or the place where it is defined ("module:attribute"), with options that differ from its
    defaults.
    """

    target: Any
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def load(self, kind: str, name: str) -> Any:
        """Return the object itself; its module is imported now."""
        if not isinstance(self.target, str):
            return self.target
        module, _, attribute = self.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            remedy = installation(error) if isinstance(error, ImportError) else ""
            raise PhytotronError(
                f"the {kind} {name!r} cannot be imported from {self.target}: {error}{remedy}"
            ) from error


class Registry(Mapping[str, Any]):
    """A mapping from the names of one kind of object to the objects, which are imported when they are read."""

    def __init__(self, kind: str, group: str, entries: Mapping[str, Any] | None = None) -> None:
        """`kind` names it in errors, `group` is that of entry points, `entries` are those of the package."""
        self.kind, self.group = kind, group
        self._entries: dict[str, Entry] = {}
        self._listeners: list[Callable[[str], None]] = []
        for name, target in (entries or {}).items():
            self.register(name, target)

    def register(self, name: str, target: Any, **defaults: Any) -> None:
        """Register an object, or the place where it is defined, under a name; each name can be registered once."""
        if name in self._entries:
            raise PhytotronError(f"{name!r} is already registered; choose another name, e.g. another version, -v1")
        if isinstance(target, str) and not _is_target(target):
            raise PhytotronError(f"the entry point of {name!r} is {target!r}; expected {FORM}")
        self._entries[name] = Entry(target, defaults)
        for listener in self._listeners:
            listener(name)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call a function with every name, now and when further names are registered."""
        for name in self:
            listener(name)
        self._listeners.append(listener)

    @cached_property
    def _installed(self) -> dict[str, Entry]:
        """What installed packages add; a name of the package itself cannot be taken over."""
        return {each.name: Entry(each.value) for each in metadata.entry_points(group=self.group)}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({**self._installed, **self._entries}))

    def __len__(self) -> int:
        return len({**self._installed, **self._entries})

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._installed

    def __getitem__(self, name: str) -> Any:
        return self.entry(name).load(self.kind, name)

    def entry(self, name: str) -> Entry:
        """Return the entry of a name; "module:attribute" stands for itself."""
        if name in self:
            return {**self._installed, **self._entries}[name]
        if _is_target(name):
            return Entry(name)
        raise UnknownNameError(self.kind, name, self)

    def make(self, name: str, **options: Any) -> Any:
        """Return the object that the registered name makes with options, given by name."""
        entry = self.entry(name)
        factory = entry.load(self.kind, name)
        _check_options(name, factory, options)
        try:
            return factory(**{**entry.defaults, **options})
        except PhytotronError as error:
            if any(option in str(error) for option in options):
                raise
            guilty = _guilty(factory, entry.defaults, options, str(error))
            error.args = (f"{_named(guilty)}: {error}", *error.args[1:]) if guilty else error.args
            raise
        except WRONG_KIND as error:
            if not options:
                raise
            given = ", ".join(f"{option}={value!r}"[:60] for option, value in options.items())
            raise PhytotronError(
                f"{name} cannot be made with {given} ({error}); give values of the right kind"
            ) from error


def _named(options: Sequence[str]) -> str:
    return f"option {options[0]}" if len(options) == 1 else f"options {', '.join(options)}"


def _guilty(factory: Any, defaults: Mapping[str, Any], options: Mapping[str, Any], message: str) -> list[str]:
    """Those of some options that an error is about: the one that gives it alone, or all where none does."""
    for option, value in options.items() if len(options) > 1 else ():
        try:
            factory(**{**defaults, option: value})
        except PhytotronError as error:
            if str(error) == message:
                return [option]
        except WRONG_KIND:
            continue
    return list(options)


def _is_target(text: str) -> bool:
    module, separator, attribute = text.partition(":")
    return bool(separator) and all(part.isidentifier() for part in (*module.split("."), *attribute.split(".")))


def _check_options(name: str, factory: Any, options: Mapping[str, Any]) -> None:
    parameters = inspect.signature(factory).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        return
    for option, value in options.items():
        if option not in parameters:
            known = ", ".join(parameters) or "none"
            raise PhytotronError(f"{name} has no option {option!r}; its options are {known}")
        annotation = parameters[option].annotation
        type_name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
        kind = KINDS.get(re.sub(r"\w+\.", "", type_name))  # without the modules of types
        if kind is not None and not kind[0](value):
            raise ValueRangeError(f"option {option} of {name}", value, kind[1])


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool"


def _is_number(value: Any) -> bool:
    if _is_truth(value) or not (isinstance(value, Real) or getattr(value, "shape", None) == ()):
        return False
    return bool(-math.inf < value < math.inf)


# What options of simple types may be, by the annotation of the argument, and that in words.
KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "bool": (_is_truth, "true or false"),
    "int": (_is_number, "a whole number"),
    "float": (_is_number, "a finite number"),
    "Path | None": (lambda value: value is None or isinstance(value, str | os.PathLike), "the path of a folder"),
}


ENVIRONMENTS = Registry("environment", "phytotron.environments")
register = ENVIRONMENTS.register


def registered() -> list[str]:
    """Return all ids of environments."""
    return list(ENVIRONMENTS)


def make(id: str, **options: Any) -> Any:
    """Return the environment of an id, with options by name; `phytotron describe ID` lists them.

    `parameters` can be a file, which gives other options as well (`core.parameter_files`).
    """
    made = ENVIRONMENTS.make(id, **with_parameter_file(id, options))
    from phytotron.core.compilation import enable_compilation_cache  # late: it imports jax

    enable_compilation_cache()
    return made


def option_names(id: str) -> list[str]:
    """Return the options that an environment takes."""
    return list(inspect.signature(ENVIRONMENTS[id]).parameters)


def option_values(environment: Any) -> dict[str, Any]:
    """Return all options of an environment: values that JSON can hold as they are, others as the name of their type."""
    names = inspect.signature(type(environment)).parameters
    return {name: _plain(getattr(environment, name, None)) for name in names}


def _plain(value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return str(value) if isinstance(value, Path) else f"{type(value).__name__}()"
    return value


def with_parameter_file(id: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in which a parameter file, where `parameters` names one, is replaced by the options in it.

    Options that are given beside the file take precedence.
    """
    path = parameter_file(options.get(PARAMETERS))
    if path is None:
        return dict(options)
    others = {name: value for name, value in options.items() if name != PARAMETERS}
    return merged(options_from_file(path, option_names(id), id), others)


def make_environment(id: str, options: Mapping[str, Any]) -> Any:
    """Return the environment of an id, with options as JSON holds them, where paths are text."""
    chosen = dict(options)
    if isinstance(chosen.get(FOLDER), str):
        chosen[FOLDER] = Path(chosen[FOLDER])
    return make(id, **chosen)
