"""Phytotron: a benchmark suite for learning-based and classical control of crop production."""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"
__all__ = ["make", "registered", "__version__"]  # noqa: RUF022


def make(id: str, **options: Any) -> Any:
    """The environment registered under an id, e.g. `make("phytotron/Greenhouse-v0", control_interval=300)`."""
    from phytotron.core import registry

    return registry.make(id, **options)


def registered() -> list[str]:
    """All environment ids."""
    from phytotron.core import registry

    return registry.registered()
