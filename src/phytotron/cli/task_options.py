"""Options of an environment from text that a user types: NAME=VALUE, and prices."""

import json
from collections.abc import Sequence
from typing import Any

from phytotron.core import registry
from phytotron.core.errors import PhytotronError

PRICES = "prices"


def from_json(name: str, text: str) -> Any:
    """Return the value of an option in JSON; text that cannot be JSON is returned as it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] not in ("[", "{", '"'):
            return text
        why = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        example = 'write a list as [0, 20], names as {"fruit": 1.5}, and quote it for the shell'
        raise PhytotronError(f"--option {name}: {text!r} is not JSON ({why}); {example}") from None


def price_option(pairs: Sequence[str], id: str) -> dict[str, Any]:
    """Return the option for prices, from NAME=NUMBER, or several of them separated by commas."""
    if pairs and not registry.takes_option(id, PRICES):
        raise PhytotronError(f"{id} has no prices; its options are {', '.join(registry.option_names(id))}")
    found = {}
    for pair in (each for text in pairs for each in text.split(",") if each.strip()):
        name, _, value = pair.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise PhytotronError(f"--prices {pair.strip()!r}; expected NAME=NUMBER, as fruit=1.8") from None
    return {PRICES: found} if found else {}
