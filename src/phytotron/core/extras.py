"""Optional packages (extras), with messages that say what to install where one is missing."""

import importlib
from types import MappingProxyType
from typing import Any

from phytotron.core.errors import PhytotronError

# Packages of extras that parts of Phytotron import, whoever asks for these parts.
EXTRAS = MappingProxyType({"equinox": "agents", "optax": "agents", "safetensors": "agents", "matplotlib": "report"})


def installation(error: ImportError) -> str:
    """Return a hint on how to install a module that could not be imported; empty where no extra has it."""
    missing = (error.name or "").partition(".")[0]
    return f"; install it with: pip install 'phytotron[{EXTRAS[missing]}]'" if missing in EXTRAS else ""


def imported(module: str, extra: str, purpose: str) -> Any:
    """Return a module of an extra; where it is missing, an error that says what needs it and how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        raise PhytotronError(f"{purpose} needs {missing}; install it with: pip install 'phytotron[{extra}]'") from None
