"""The settings of the grower's rules that are tuned, with their bounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller
from phytotron.core.fields import with_values
from phytotron.core.tunable import TunableRules
from phytotron.environments.greenhouse.presentation import RuleBased

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse

# Settings of `models.greenlight.rules.RuleSettings` that move the four actuators of the default task, with the lowest
# and the highest value of the search.
BOUNDS = MappingProxyType(
    {
        "temperature_day": (14.0, 24.0),
        "temperature_night": (12.0, 22.0),
        "heating_band": (-5.0, -0.2),
        "vent_dead_zone": (1.0, 12.0),
        "vent_heat_band": (0.5, 12.0),
        "humidity_maximum": (70.0, 95.0),
        "vent_humidity_band": (1.0, 40.0),
        "vent_off": (-2.0, 6.0),
        "vent_cold_band": (-6.0, -0.2),
        "screen_day": (-5.0, 20.0),
        "screen_night": (-5.0, 25.0),
        "screen_humidity": (-12.0, 12.0),
        "screen_humidity_band": (1.0, 20.0),
        "screen_dead_zone": (-2.0, 8.0),
        "co2_day": (400.0, 1200.0),
        "co2_band": (-800.0, -20.0),
    }
)
INDIFFERENT = ("episode_days", "precision", "solver", "substep", "substeps")


def tunable_rules(env: Greenhouse) -> TunableRules:
    """Return the grower's rules with their settings for tuning; bounds are widened to include the present settings."""
    rules = env.default_params.rules
    found = []
    for each in with_values(rules):
        if each.name in BOUNDS:
            low, high = BOUNDS[each.name]
            now = float(getattr(rules, each.name))
            found.append(dataclasses.replace(each, low=min(low, now), high=max(high, now), default=now))

    def make(values: Mapping[str, Array]) -> Controller:
        settings = dataclasses.replace(rules, **values)
        return RuleBased(env, jax.tree.map(lambda value: jnp.asarray(value, env.precision), settings))

    return TunableRules(tuple(found), make, INDIFFERENT)
