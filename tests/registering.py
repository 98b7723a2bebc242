"""Environments that are registered for as long as a test needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from phytotron.core.registry import ENVIRONMENTS


@contextmanager
def registered(id: str, target: Any, **defaults: Any) -> Iterator[None]:
    """Know an environment inside a `with` statement."""
    ENVIRONMENTS.register(id, target, **defaults)
    try:
        yield
    finally:
        del ENVIRONMENTS._entries[id]
