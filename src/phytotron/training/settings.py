"""Settings of a dataclass from text or JSON."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from typing import Any

from phytotron.core.errors import UnknownNameError, ValueRangeError

WORDS: Mapping[Any, str] = types.MappingProxyType(
    {int: "a whole number", float: "a number", bool: "true or false", str: "a name", types.NoneType: "null"}
)


def settings_from(kind: type[Any], chosen: Mapping[str, Any], what: str) -> Any:
    """Settings of a dataclass, some chosen by name; errors call one of them `what`. Values may be text."""
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
        except ValueError:
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
    return value
