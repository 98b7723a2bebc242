"""What a page says about an environment beyond what every environment has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phytotron.core.environment import Environment
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import WheatNitrogen


@dataclass(frozen=True)
class Subject:
    """Names are those of measures, costs and channels of the environment."""

    title: str
    headline: tuple[str, ...] = ("return",)  # measures that are said in words and tested
    learning: tuple[str, ...] = ()  # measures of learning curves; none: those that training shows
    resources: tuple[str, ...] = ()
    product: str | None = None  # measure that resources are set against
    costs: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # words and unit
    day: tuple[str, ...] = ()  # channels of the average day
    bounds: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # of channels: names in the reward parameters
    course: tuple[tuple[str, str, str], ...] = ()  # mean courses: name, words, unit
    zoomed: tuple[str, ...] = ()  # channels that the zoom plot shows at first; the others are a click away


GREENHOUSE = Subject(
    "Tomato greenhouse",
    headline=("return", "profit"),
    learning=("profit", "harvest", "gas", "temperature_in_bounds", "humidity_in_bounds"),
    resources=("gas", "co2", "electricity"),
    product="harvest",
    costs={
        "temperature": ("air temperature out of bounds", "°C"),
        "co2": ("CO2 out of bounds", "ppm"),
        "humidity": ("relative humidity out of bounds", "%"),
    },
    day=("air_temperature", "co2", "humidity", "boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp"),
    bounds={
        "air_temperature": ("temperature_minimum", "temperature_maximum"),
        "co2": ("co2_minimum", "co2_maximum"),
        "humidity": ("humidity_minimum", "humidity_maximum"),
    },
    course=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "")),
    zoomed=("air_temperature", "co2", "humidity", "boiler", "roof_vent", "global_radiation"),
)
WHEAT = Subject(
    "Wheat field",
    headline=("return", "yield"),
    learning=("nitrogen", "yield"),
    resources=("nitrogen", "applications", "irrigation"),
    product="yield",
    costs={
        "nitrogen": ("nitrogen of the season above its limit", "kg ha-1"),
        "applications": ("applications of the season above their limit", ""),
    },
    course=(
        ("total_dose", "nitrogen given so far", "kg ha-1"),
        ("grain", "grain", "t ha-1"),
        ("sum of return", "return so far", "g m-2"),
    ),
    zoomed=("grain", "total_dose", "uptake", "leaf_area", "soil_nitrogen"),
)


def subject_of(env: Environment[Any, Any]) -> Subject:
    """By the kind of environment; any other has its id for a title."""
    if isinstance(env, Greenhouse):
        return GREENHOUSE
    if isinstance(env, WheatNitrogen):
        return WHEAT
    return Subject(env.id, zoomed=tuple(q.name for q in env.fields.get("observation", ())[:6]))
