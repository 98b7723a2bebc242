"""Data that may lie beside a checkout and is not distributed; tests that need it are skipped where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def shared(*parts: str) -> Path:
    """A file or folder of the shared data."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{Path('shared', *parts)} is not beside this checkout")
    return path
