"""docs/lintul3.md lists what there is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from phytotron.core.fields import quantities
from phytotron.models.lintul3 import Management, Parameters, State, Table, Weather

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "lintul3.md"


@pytest.mark.parametrize("record", [State, Weather, Management, Parameters])
def test_every_quantity_is_documented_with_symbol_unit_and_meaning(record: type[Any]) -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    for q in quantities(record):
        value = []
        if record is Parameters:
            default = getattr(Parameters(), q.name)
            value = [f"{default.size} points" if isinstance(default, Table) else f"{default:.6g}"]
        assert f"| {' | '.join([f'`{q.name}`', q.symbol, q.unit, *value, q.description])} |" in lines
