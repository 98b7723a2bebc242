"""What is recorded, drawn and said of the greenhouse task, and whom its agents are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity, find, names
from phytotron.core.presentation import Baseline, Channel, Contender, Presentation, Step, Timeline
from phytotron.environments.glasshouse.channels import INDOORS, outdoor_channels
from phytotron.environments.greenhouse.actions import NOT_INSTALLED
from phytotron.environments.greenhouse.controllers import RuleBased
from phytotron.environments.greenhouse.reward import CONSTRAINTS
from phytotron.models.greenlight import Control

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse

RULES_NOTE = "set-points and rules of GreenLight (grower's rules), which see the whole state of the greenhouse"


def measures(dry_matter: float) -> tuple[Measure, ...]:
    """Totals per square metre of floor, and shares of the time; `dry_matter`: that of fresh fruit."""
    totals = (
        Measure(Quantity("profit", "profit", "€ m-2", "profit"), lambda info: info["profit"]),
        Measure(
            Quantity("harvest", "mHar", "kg m-2", "harvest of fresh fruit"), lambda info: info["harvest"] / dry_matter
        ),
        Measure(Quantity("gas", "gas", "m3 m-2", "gas burned"), lambda info: info["gas"]),
        Measure(Quantity("co2", "co2", "kg m-2", "CO2 injected"), lambda info: info["co2"]),
        Measure(
            Quantity("electricity", "elec", "kWh m-2", "electricity of the lamps"), lambda info: info["electricity"]
        ),
    )

    def within(name: str, words: str) -> Measure:
        share = f"share of the time with {words} within bounds"
        quantity = Quantity(f"{name}_in_bounds", f"TWB {name}", "-", share)
        return Measure(quantity, lambda info: info["costs"][name] == 0.0, mean=True)

    return (*totals, *map(within, CONSTRAINTS, ("air temperature", "CO2", "relative humidity")))


def channels(env: Greenhouse) -> tuple[Channel, ...]:
    """State and weather at the start of an interval, the positions of the actuators during it."""

    def position(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(step.after.control, name)

    moved = [name for name in names(Control) if name not in NOT_INSTALLED or name in env.processing.actuators]
    return (
        *INDOORS,
        *(Channel(find(Control, name), position(name), "control") for name in moved),
        *outdoor_channels(env.clock),
    )


def baselines(env: Greenhouse) -> Mapping[str, Baseline]:
    """The rule-based controller."""
    return {"rule-based": lambda _: Contender("rule-based grower", RULES_NOTE, env, (RuleBased(env),))}


def presentation(env: Greenhouse) -> Presentation:
    """What pages say about the task."""
    limits, interval = env.default_params.reward, env.control_interval / SECONDS_PER_DAY

    def bounds(name: str) -> tuple[float, float]:
        return float(getattr(limits, f"{name}_minimum")), float(getattr(limits, f"{name}_maximum"))

    return Presentation(
        "Tomato greenhouse",
        compare=("rule-based",),
        headline=("return", "profit"),
        decisive="profit",
        learning=("profit", "harvest", "gas", "temperature_in_bounds", "humidity_in_bounds"),
        resources=("gas", "co2", "electricity"),
        product="harvest",
        costs={
            "temperature": ("air temperature out of bounds", "°C"),
            "co2": ("CO2 out of bounds", "ppm"),
            "humidity": ("relative humidity out of bounds", "%"),
        },
        day=("air_temperature", "co2", "humidity", "boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp"),
        bounds={"air_temperature": bounds("temperature"), "co2": bounds("co2"), "humidity": bounds("humidity")},
        course=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "")),
        zoomed=("air_temperature", "co2", "humidity", "boiler", "roof_vent", "global_radiation"),
        timeline=Timeline(interval, first=interval, at_start=True),
    )
