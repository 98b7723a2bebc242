"""What a season of wheat comes to."""

from __future__ import annotations

from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity
from phytotron.environments.field.farming import TONNES

MEASURES = (
    Measure(Quantity("nitrogen", "N", "kg ha-1", "nitrogen applied"), lambda info: info["dose"]),
    Measure(Quantity("yield", "WSO", "t ha-1", "grain at the harvest"), lambda info: TONNES * info["growth"]),
    Measure(
        Quantity("zero_yield", "WSO0", "t ha-1", "grain without nitrogen on the same weather"),
        lambda info: TONNES * info["zero_growth"],
    ),
    Measure(Quantity("applications", "nN", "-", "applications of nitrogen"), lambda info: info["dose"] > 0.0),
    Measure(Quantity("irrigation", "IRR", "mm", "irrigation"), lambda info: info["irrigation"]),
)
