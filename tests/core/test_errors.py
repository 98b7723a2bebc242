"""Errors say what was wrong and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from phytotron.core.errors import UnknownNameError


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lom", "unknown soil 'lom'; did you mean 'loam'?"),
        ("chalk", "unknown soil 'chalk'; known: loam, sand"),
        (3, "unknown soil 3; known: loam, sand"),
        (None, "unknown soil None; known: loam, sand"),
        (["loam"], "unknown soil ['loam']; did you mean 'loam'?"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_whatever_it_is(name: Any, text: str) -> None:
    assert str(UnknownNameError("soil", name, ("sand", "loam"))) == text
