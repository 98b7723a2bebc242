"""What a season of two crops comes to."""

from __future__ import annotations

from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity
from phytotron.environments.wheat.measures import TONNES

MEASURES = (
    Measure(
        Quantity("nitrogen", "N", "kg ha-1", "nitrogen applied, on all that is fertilised"),
        lambda info: info["nitrogen"],
    ),
    Measure(Quantity("yield", "WSO", "t ha-1", "grain of both crops"), lambda info: TONNES * info["growth"].sum(-1)),
    Measure(Quantity("yield_1", "WSO1", "t ha-1", "grain of crop 1"), lambda info: TONNES * info["growth"][..., 0]),
    Measure(Quantity("yield_2", "WSO2", "t ha-1", "grain of crop 2"), lambda info: TONNES * info["growth"][..., 1]),
    Measure(
        Quantity("zero_yield", "WSO0", "t ha-1", "grain of both crops without nitrogen on the same weather"),
        lambda info: TONNES * info["zero_growth"].sum(-1),
    ),
    Measure(Quantity("applications", "nN", "-", "applications of nitrogen"), lambda info: info["dose"] > 0.0),
)
