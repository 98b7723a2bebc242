"""Options of an environment from what a user types: NAME=VALUE, a TOML file of parameters, prices."""

import inspect
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from phytotron.core import registry
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.toml_files import read_toml

OVERRIDES = "parameter_overrides"  # the option that takes numbers of the model by name
PRICES = "prices"


def from_json(name: str, text: str) -> Any:
    """The value of an option in JSON; what cannot be meant as JSON is text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] not in ("[", "{", '"'):
            return text
        why = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        example = 'write a list as [0, 20], names as {"fruit": 1.5}, and quote it for the shell'
        raise PhytotronError(f"--option {name}: {text!r} is not JSON ({why}); {example}") from None


def parameter_file(path: Path, id: str) -> dict[str, Any]:
    """The options in a TOML file: options of the environment by name, and all other names as parameters of its model.

    parameters = "katzin2021_4ha_led"
    floor_area = 20000

    [rules]
    temperature_day = 21
    """
    raw = read_toml(
        path, "a file of parameters", "write lines as floor_area = 20000, and name the file by --parameters"
    )
    known = option_names(id)
    options = {name: value for name, value in raw.items() if name in known}
    others = {name: value for name, value in raw.items() if name not in known}
    if others and OVERRIDES not in known:
        remedy = f"known: {', '.join(known)}"
        raise DataFileError(path, f"{next(iter(others))} is no option of {id}, which takes no other parameters", remedy)
    return merged(options, {OVERRIDES: others} if others else {})


def price_option(pairs: Sequence[str], id: str) -> dict[str, Any]:
    """The option for prices, given as NAME=NUMBER or several with commas."""
    if pairs and PRICES not in option_names(id):
        raise PhytotronError(f"{id} has no prices; its options are {', '.join(option_names(id))}")
    found = {}
    for pair in (each for text in pairs for each in text.split(",") if each.strip()):
        name, _, value = pair.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise PhytotronError(f"--prices {pair.strip()!r}; expected NAME=NUMBER, as fruit=1.8") from None
    return {PRICES: found} if found else {}


def option_names(id: str) -> list[str]:
    """The options that an environment takes."""
    return list(inspect.signature(registry.ENVIRONMENTS[id]).parameters)


def merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """All options; later ones count, and of those that are tables, their entries are put together."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            before = found.get(name)
            both = isinstance(value, Mapping) and isinstance(before, Mapping)
            found[name] = {**before, **value} if both else value  # type: ignore[dict-item]
    return found
