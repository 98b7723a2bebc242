"""What is recorded, drawn and said of the lettuce task, and what its agents are compared with."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from phytotron.controllers.base import Constant
from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Baseline, Channel, Contender, Presentation, Timeline, observed_channels
from phytotron.environments.lettuce.controllers import RuleBased
from phytotron.environments.lettuce.weather import STEPS_PER_DAY

if TYPE_CHECKING:
    from phytotron.environments.lettuce.environment import Lettuce

GROUPS = ("state",) * 4 + ("control",) * 3 + ("state",) + ("weather",) * 4  # of the observation
CONSTRAINTS = {
    "co2": ("CO2", "ppm"),
    "temperature": ("air temperature", "°C"),
    "relative_humidity": ("relative humidity", "%"),
}


def _in_bounds(name: str, words: str) -> Measure:
    described = Quantity(f"{name}_in_bounds", f"TWB {name}", "-", f"share of the time with {words} within bounds")
    return Measure(described, lambda info: info["costs"][name] == 0.0, mean=True)


MEASURES = (
    Measure(Quantity("profit", "profit", "€ m-2", "profit"), itemgetter("profit")),
    Measure(Quantity("growth", "ΔX_d", "kg m-2", "dry weight grown"), itemgetter("growth")),
    Measure(Quantity("heat", "∫U_q", "kWh m-2", "heat used"), itemgetter("heat")),
    Measure(Quantity("co2", "∫U_c", "kg m-2", "CO2 used"), itemgetter("co2")),
    Measure(Quantity("penalty", "P", "€ m-2", "penalty for leaving the ranges of the climate"), itemgetter("penalty")),
    *(_in_bounds(name, words) for name, (words, _) in CONSTRAINTS.items()),
)


def channels(env: Lettuce) -> tuple[Channel, ...]:
    """What is observed before a step, without the forecast; actuators are those of the step before."""
    seen = observed_channels(env.fields, env.action_space)
    return tuple(dataclasses.replace(each, group=group) for each, group in zip(seen, GROUPS, strict=False))


def baselines(env: Lettuce) -> Mapping[str, Baseline]:
    """Those of the benchmark, besides "off", which suits any task."""
    rules = Contender("rule-based", "grower's rules: proportional control around set-points", env, (RuleBased(env),))
    constant = Contender(
        "constant", "heating as at the start, nothing else", env, (Constant(np.zeros(3, env.precision)),)
    )
    return {"rule-based": lambda _: rules, "constant": lambda _: constant}


def presentation(env: Lettuce) -> Presentation:
    """What pages say about the task."""
    limits = env.default_params.limits
    return Presentation(
        "Lettuce greenhouse",
        compare=("rule-based", "off"),
        headline=("return", "growth"),
        resources=("heat", "co2"),
        product="growth",
        costs={name: (f"{words} out of bounds", unit) for name, (words, unit) in CONSTRAINTS.items()},
        day=("temperature", "co2", "relative_humidity", "heating", "ventilation", "co2_supply"),
        bounds={
            "co2": (limits.lowest_co2, limits.highest_co2),
            "temperature": (limits.lowest_temperature, limits.highest_temperature),
            "relative_humidity": (0.0, limits.highest_humidity),
        },
        course=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "€ m-2")),
        zoomed=("dry_weight", "temperature", "co2", "relative_humidity", "heating", "ventilation"),
        timeline=Timeline(1.0 / STEPS_PER_DAY, 1.0 / STEPS_PER_DAY, at_start=True),
    )
