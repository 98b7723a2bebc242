"""What the farmer decides: how much nitrogen each of the two crops gets."""

from __future__ import annotations

from collections.abc import Sequence

from phytotron.environments.field.doses import ActionProcessing, Continuous, amounts

DOSES = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0)  # kg ha-1, seed paper, section II


def processing(doses: Sequence[float] | Continuous) -> ActionProcessing:
    """How actions become doses: a ladder or any amount, as for wheat."""
    return ActionProcessing(amounts(doses, "doses"))
