"""Packages of optional extras: what to install where one is missing."""

import importlib
from typing import Any

from phytotron.core.errors import PhytotronError


def imported(module: str, extra: str, purpose: str) -> Any:
    """A module of an extra; where it is missing, an error that says what needs it and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        raise PhytotronError(f"{purpose} needs {missing}; install it with: pip install 'phytotron[{extra}]'") from None
