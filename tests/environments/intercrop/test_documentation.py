"""docs/intercrop.md lists what there is."""

from __future__ import annotations

from pathlib import Path

from phytotron.core.fields import quantities
from phytotron.environments.intercrop import INTERACTIONS, CropObservation
from phytotron.models.intercropping.effects import Factors

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "intercrop.md"


def test_every_quantity_is_documented_with_symbol_unit_and_meaning() -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    for q in quantities(CropObservation):
        assert f"| `{q.name}` | {q.symbol} | {q.unit} | {q.description} |" in lines
    for q in quantities(Factors):
        assert f"| `{q.name}` | {q.symbol} | {q.unit} | {q.default:g} | {q.description} |" in lines


def test_every_interaction_is_documented() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in INTERACTIONS)
