"""What an episode of the greenhouse comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phytotron.core.environment import Info, Measure
from phytotron.core.fields import Quantity
from phytotron.environments.greenhouse.reward import CONSTRAINTS


def measures(dry_matter: float) -> tuple[Measure, ...]:
    """Totals per square metre of floor, and shares of the time; `dry_matter`: that of fresh fruit."""
    return (
        Measure(Quantity("profit", "profit", "€ m-2", "profit"), lambda info: info["profit"]),
        Measure(
            Quantity("harvest", "mHar", "kg m-2", "harvest of fresh fruit"), lambda info: info["harvest"] / dry_matter
        ),
        Measure(Quantity("gas", "gas", "m3 m-2", "gas burned"), lambda info: info["gas"]),
        Measure(Quantity("co2", "co2", "kg m-2", "CO2 injected"), lambda info: info["co2"]),
        Measure(
            Quantity("electricity", "elec", "kWh m-2", "electricity of the lamps"), lambda info: info["electricity"]
        ),
        *(
            Measure(_share(name, words), _within(name), mean=True)
            for name, words in zip(CONSTRAINTS, ("air temperature", "CO2", "relative humidity"), strict=True)
        ),
    )


def _share(name: str, words: str) -> Quantity:
    return Quantity(f"{name}_in_bounds", f"TWB {name}", "-", f"share of the time with {words} within bounds")


def _within(name: str) -> Callable[[Info], Any]:
    return lambda info: info["costs"][name] == 0.0
