"""Objects by name: those of the package, those that a program registers, and those of installed packages.

A name stands for "module:attribute"; nothing is imported before it is asked for. Installed packages add names by entry
points of a group such as `phytotron.environments`, and "module:attribute" itself is a name everywhere.
"""

import importlib
import json
import operator
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from phytotron.core import making
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.extras import installation
from phytotron.core.parameter_files import PARAMETERS, merged, options_from_file, parameter_file

FORM = "'module:attribute'"
FOLDER = "weather_folder"  # the option of an environment that is a path


@dataclass(frozen=True)
class Entry:
    """A registered object, or the place where it is defined ("module:attribute"), with options that differ from its
    defaults.
    """

    target: Any
    defaults: Mapping[str, Any] = field(default_factory=dict)
    package: str = ""  # the installed package that adds it, if one does

    def __str__(self) -> str:
        """The place and the package, as errors name them."""
        return f"{str(self.target)!r}" + (f" of the package {self.package}" if self.package else "")

    def load(self, kind: str, name: str) -> Any:
        """Return the object itself; its module is imported now."""
        if not isinstance(self.target, str):
            return self.target
        if not _is_target(self.target):
            raise PhytotronError(f"the entry point of {name!r} is {self}; expected {FORM}")
        module, _, attribute = self.target.partition(":")
        try:
            return operator.attrgetter(attribute)(importlib.import_module(module))
        except Exception as error:  # a module of another package can raise anything
            remedy = installation(error) if isinstance(error, ImportError) else ""
            plain = isinstance(error, ImportError | AttributeError | PhytotronError)
            told = f"{error}" if plain else f"{type(error).__name__}: {error}"
            source = f"{self.target}" + (f", which the package {self.package} adds" if self.package else "")
            raise PhytotronError(f"the {kind} {name!r} cannot be imported from {source}: {told}{remedy}") from error


def _are_same(one: Any, other: Any) -> bool:
    """Whether two objects, or their places, are the same, as far as that can be known without importing modules."""
    found = [_imported(each) for each in (one, other)]
    if not any(isinstance(each, str) for each in found):
        return found[0] is found[1]
    places = [_place(each).partition(":") for each in found]
    (module, _, name), (other_module, _, other_name) = sorted(places, key=lambda place: len(place[0]))
    # A package that is being imported, or not yet, offers what one of its modules defines under the same name.
    return name == other_name and f"{other_module}.".startswith(f"{module}.")


def _imported(target: Any) -> Any:
    """The object at a place whose module has been imported as far as that; otherwise the place, or object, as it is."""
    if not (isinstance(target, str) and _is_target(target)):
        return target
    module, _, attribute = target.partition(":")
    first, _, within = attribute.partition(".")
    try:
        found = vars(sys.modules[module])[first]  # without a `__getattr__` of the module, which would import more
        return operator.attrgetter(within)(found) if within else found
    except (KeyError, AttributeError):
        return target


def _place(target: Any) -> str:
    """The place where a registered object is defined, as "module:attribute"."""
    if isinstance(target, str):
        return target
    return f"{getattr(target, '__module__', '')}:{getattr(target, '__qualname__', '')}"


class Registry(Mapping[str, Any]):
    """A mapping from the names of one kind of object to the objects, which are imported when they are read."""

    def __init__(
        self,
        kind: str,
        group: str,
        entries: Mapping[str, Any] | None = None,
        fault: Callable[[Any], str] | None = None,
    ) -> None:
        """`kind` names it in errors, `group` is that of entry points, `entries` are those of the package.

        `fault` returns why an object is none of this kind, such as "is the class dict; expected ...", else "".
        """
        self.kind, self.group = kind, group
        self._fault = fault
        self._entries: dict[str, Entry] = {}
        self._listeners: list[Callable[[str], None]] = []
        for name, target in (entries or {}).items():
            self.register(name, target)

    def register(self, name: str, target: Any, **defaults: Any) -> None:
        """Register an object, or the place where it is defined, under a name; each name can be registered once."""
        if not isinstance(name, str) or not name.strip():
            raise PhytotronError(f"{name!r} is no name to register; give a text such as owner/Name-v0")
        if name in self._entries:
            raise PhytotronError(f"{name!r} is already registered; choose another name, e.g. another version, -v1")
        if target is None or (isinstance(target, str) and not _is_target(target)):
            raise PhytotronError(f"the entry point of {name!r} is {target!r}; expected {FORM}, or the object itself")
        known = self.__dict__.get("_installed", {}).get(name, [])  # later, a warning says that these are left out
        if any(not _are_same(each.target, target) for each in known):
            raise PhytotronError(f"{name!r} is already {known[0]}; choose another name, e.g. another version, -v1")
        self._entries[name] = Entry(target, defaults)
        for listener in self._listeners:
            listener(name)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call a function with every name, now and when further names are registered."""
        for name in self:
            listener(name)
        self._listeners.append(listener)

    @cached_property
    def _installed(self) -> dict[str, list[Entry]]:
        """The entries that installed packages add, by name: several where packages add different objects.

        A name that the registry has already cannot be taken over; a warning says so.
        """
        found: dict[str, list[Entry]] = {}
        for point in metadata.entry_points(group=self.group):
            target = point.value.partition("[")[0].replace(" ", "")  # without the extras that it may name
            same = found.setdefault(point.name, [])
            if all(target != each.target for each in same):
                same.append(Entry(target, package=point.dist.name if point.dist else ""))
        for name in found.keys() & self._entries.keys():
            for each in found.pop(name):
                if not _are_same(each.target, self._entries[name].target):
                    warnings.warn(
                        f"the {self.kind} {name!r} exists already, so that {each} of the same name is left out; "
                        f"to use it, name it {each.target!r}",
                        stacklevel=3,
                    )
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._installed, *self._entries}))

    def __len__(self) -> int:
        return len({*self._installed, *self._entries})

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._installed

    def __getitem__(self, name: str) -> Any:
        entry = self.entry(name)
        found = entry.load(self.kind, name)
        fault = "" if self._fault is None else self._fault(found)
        if fault:
            place = f" ({entry.target})" if isinstance(entry.target, str) and entry.target != name else ""
            raise PhytotronError(f"the {self.kind} {name!r}{place} {fault}")
        return found

    def entry(self, name: str) -> Entry:
        """Return the entry of a name; "module:attribute" stands for itself."""
        installed = self._installed  # read first: it warns of names that cannot be taken over
        if name in self._entries:
            return self._entries[name]
        if name in installed:
            found, *others = installed[name]
            if others:
                raise PhytotronError(
                    f"installed packages add different objects as the {self.kind} {name!r}: "
                    f"{' and '.join(map(str, (found, *others)))}; uninstall one of the packages, or name {FORM}"
                )
            return found
        if _is_target(name):
            return Entry(name)
        raise UnknownNameError(self.kind, name, self)


def _is_target(text: str) -> bool:
    module, separator, attribute = text.partition(":")
    return bool(separator) and all(part.isidentifier() for part in (*module.split("."), *attribute.split(".")))


ENVIRONMENTS = Registry("environment", "phytotron.environments", fault=making.factory_fault)
register = ENVIRONMENTS.register


def registered() -> list[str]:
    """Return all ids of environments."""
    return list(ENVIRONMENTS)


def make(id: str, **options: Any) -> Any:
    """Return the environment of an id, with options by name; `phytotron describe ID` lists them.

    `parameters` can be a file, which gives other options as well (`core.parameter_files`).
    """
    return _make(id, options, making.check_made)


def make_to_check(id: str, **options: Any) -> Any:
    """Return the environment of an id for the checks of `phytotron.testing`, which say what is wrong with its members.

    `make` refuses an environment without parameters or steps.
    """
    return _make(id, options, making.check_kind)


def _make(id: str, options: Mapping[str, Any], verify: making.Verify) -> Any:
    if not isinstance(id, str):
        raise PhytotronError(f"make takes an id or {FORM}, not {making.described(id)}; call a class itself instead")
    entry, factory = ENVIRONMENTS.entry(id), ENVIRONMENTS[id]
    made = making.make_from(id, factory, entry.defaults, with_parameter_file(id, options), verify)
    from phytotron.core.compilation import enable_compilation_cache  # late: it imports jax

    enable_compilation_cache()
    return made


def option_names(id: str) -> list[str]:
    """Return the options that an environment takes."""
    return list(making.options_of(ENVIRONMENTS[id]))


def takes_option(id: str, name: str) -> bool:
    """Return whether an environment takes an option, or is made by a function that may pass it on."""
    return name in option_names(id) or making.takes_all_options(ENVIRONMENTS[id])


def option_values(environment: Any) -> dict[str, Any]:
    """Return all options of an environment: values that JSON can hold as they are, others as the name of their type."""
    names = making.options_of(type(environment))
    return {name: _plain(getattr(environment, name)) for name in names if hasattr(environment, name)}


def options_made_with(id: str, environment: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options that an id takes, as `option_values`, with those that an environment was made with.

    Those of the environment itself are among them where a function passes on options that it does not name.
    """
    kept, chosen = option_values(environment), {**ENVIRONMENTS.entry(id).defaults, **given}
    options = making.options_of(ENVIRONMENTS[id])
    passed_on = kept if making.takes_all_options(ENVIRONMENTS[id]) else {}
    return passed_on | {name: kept.get(name, _plain(chosen.get(name, each.default))) for name, each in options.items()}


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
