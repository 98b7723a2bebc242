"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from phytotron.core.errors import PhytotronError, ValueRangeError


def named_values(pairs: Sequence[str], option: str) -> dict[str, str]:
    """NAME=VALUE, any number of times."""
    found = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not (name and separator):
            raise ValueRangeError(option, pair, "NAME=VALUE")
        found[name.strip()] = value
    return found


def environment_options(pairs: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE with a value in JSON; what is no JSON is text."""
    found = {}
    for name, text in named_values(pairs, "--option").items():
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


def seed_numbers(text: str) -> tuple[int, ...]:
    """How many, counted from 0, or a list of them with commas."""
    try:
        numbers = tuple(int(each) for each in text.split(",") if each.strip())
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 0 or ("," not in text and numbers[0] < 1):
        raise ValueRangeError("--seeds", text, "a number of seeds, as 5, or a list of them, as 3,7 (one alone: 3,)")
    return numbers if "," in text else tuple(range(numbers[0]))


def check_agents_extra() -> None:
    """Say what to install where the packages that agents need are missing."""
    try:
        import equinox  # noqa: F401
        import optax  # noqa: F401
        import safetensors  # noqa: F401
    except ImportError as error:
        raise PhytotronError(f"agents need {error.name}: pip install 'phytotron[agents]'") from None


def check_rllib() -> None:
    """Say what to install where Ray RLlib or PyTorch is missing."""
    try:
        import ray.rllib  # noqa: F401
        import torch  # noqa: F401
    except ImportError as error:
        missing = (error.name or "ray").partition(".")[0]
        raise PhytotronError(f"--backend rllib needs {missing}: pip install 'phytotron[rllib]' torch") from None


def check_tune() -> None:
    """Say what to install where Ray Tune is missing."""
    try:
        from ray import tune  # noqa: F401
    except ImportError as error:
        raise PhytotronError(f"a sweep needs {error.name}: pip install 'phytotron[rllib]'") from None
