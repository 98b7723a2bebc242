"""Presentation of the set-point task: recorded channels, figures, texts, and the baselines of its agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.controllers.base import Constant
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import with_values
from phytotron.core.outcomes import total
from phytotron.core.presentation import Baseline, Channel, Competitor, Presentation, Return, Timeline, channel
from phytotron.core.scheduling import Scheduling, Wanted, first_known
from phytotron.core.tunable import TunableRules
from phytotron.environments.glasshouse.task import INDOORS, outdoor_channels
from phytotron.environments.setpoint.observations import HIGHEST, LOWEST

if TYPE_CHECKING:
    from phytotron.environments.setpoint.environment import GreenhouseSetpoint, SetpointParams, SetpointState

SET_POINTS = ("temperature_day", "temperature_night")
INDIFFERENT = ("precision", "solver", "substep")  # options for which they need not be tuned anew


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """Follows one heating set-point [°C] by day and one by night, with the nearest actions.

    By default they are those of the environment's rule settings (grower's rules).
    """

    environment: GreenhouseSetpoint = field(metadata={"static": True})
    temperature_day: Any = None
    temperature_night: Any = None

    def act(
        self, key: Array, memory: Memory, observation: Array, state: SetpointState, params: SetpointParams
    ) -> tuple[Array, Memory]:
        """Return the action for the set-point of the day or of the night, whichever applies."""
        by_day = self.environment.is_day(state, params)
        day, night = self.temperature_day, self.temperature_night
        day = params.rules.temperature_day if day is None else day
        night = params.rules.temperature_night if night is None else night
        return nearest_action(self.environment, jnp.where(by_day, day, night)), memory


def nearest_action(env: GreenhouseSetpoint, temperature: Array) -> Array:
    """Return the action that comes nearest to a set-point [°C]."""
    nearest = jnp.round(jnp.clip(temperature, LOWEST, HIGHEST) - LOWEST)
    return nearest.astype(env.action_space.dtype)


def scheduling(env: GreenhouseSetpoint) -> Scheduling:
    """Return the quantities that a schedule can set: the set-point of the hour, or those of the day and the night.

    Until a schedule sets one, those of the rules hold.
    """
    settings = {q.name: q for q in with_values(env.default_params.rules)}
    by_day, by_night = (replace(settings[name], low=LOWEST, high=HIGHEST) for name in SET_POINTS)

    def act(wanted: Wanted, state: SetpointState, params: SetpointParams) -> Array:
        day, night = (first_known(wanted, name, getattr(params.rules, name)) for name in SET_POINTS)
        ruled = jnp.where(env.is_day(state, params), day, night)
        return nearest_action(env, first_known(wanted, "set_point", ruled))

    quantities = (*env.fields["action"], by_day, by_night)
    degrees = tuple(map(float, range(round(LOWEST), round(HIGHEST) + 1)))
    return Scheduling(quantities, act, choices={each.name: degrees for each in quantities}, left_alone="ruled")


HARVEST = total("harvest", "mHar", "kg m-2", "harvest of fresh fruit")
LAMPS = total("lamp_energy", "lampIn", "MJ m-2", "energy of the lamps")
BOILERS = total("boiler_energy", "boilIn", "MJ m-2", "energy of the boilers")
ENERGY = total("energy", "E", "MJ m-2", "energy of lamps and boilers", lambda info: LAMPS.of(info) + BOILERS.of(info))
MEASURES = (HARVEST, ENERGY, LAMPS, BOILERS)


def channels(env: GreenhouseSetpoint) -> tuple[Channel, ...]:
    """Return the channels: the state and weather at the start of a step, set-points and energy during it, and its
    harvest.
    """
    by_day, by_night = "heating set-point of the day", "heating set-point of the night"
    return (
        *INDOORS,
        Channel(HARVEST.quantity, lambda step: step.info["harvest"]),
        channel("day_set_point", "tSpDay", "°C", by_day, lambda step: step.after.day_set_point, "control"),
        channel("night_set_point", "tSpNight", "°C", by_night, lambda step: step.after.night_set_point, "control"),
        Channel(LAMPS.quantity, lambda step: step.info["lamp_energy"], "control"),
        Channel(BOILERS.quantity, lambda step: step.info["boiler_energy"], "control"),
        *outdoor_channels(env.clock),
    )


def baselines(env: GreenhouseSetpoint) -> Mapping[str, Baseline]:
    """Return the baselines: the set-points of the rule settings, and the lowest and the highest possible ones."""
    rules = env.default_params.rules
    note = f"{rules.temperature_day:g} °C by day and {rules.temperature_night:g} °C by night, to the nearest action"

    def always(label: str, temperature: float) -> Baseline:
        held = Constant(round(temperature - LOWEST))
        return lambda _: Competitor(label, f"{temperature:g} °C by day and by night", env, (held,))

    return {
        "rule-based": lambda _: Competitor("rule-based", note, env, (RuleBased(env),)),
        "coolest": always("coolest", LOWEST),
        "warmest": always("warmest", HIGHEST),
    }


def tunable_rules(env: GreenhouseSetpoint) -> TunableRules:
    """Return the set-points of day and night as tunable rules, between the lowest and the highest action."""
    chosen = (each for each in with_values(env.default_params.rules) if each.name in SET_POINTS)
    settings = tuple(replace(each, low=LOWEST, high=HIGHEST) for each in chosen)
    return TunableRules(settings, lambda values: RuleBased(env, **values), INDIFFERENT)


def presentation(env: GreenhouseSetpoint) -> Presentation:
    """Return the presentation of the task: title, texts, measures and figures."""
    interval = env.control_interval / SECONDS_PER_DAY
    return Presentation(
        "Heating set-points of a tomato greenhouse",
        decides="to which temperature the greenhouse is heated; the grower's rules move everything else",
        returns=Return("-", "fresh harvest in g m-2, weighted by whether targets of yield and energy are met"),
        compare=("rule-based", "coolest", "warmest"),
        headline=("return", "harvest"),
        learning=("harvest", "energy"),
        resources=("energy", "lamp_energy", "boiler_energy"),
        product="harvest",
        day=("air_temperature", "co2", "humidity", "day_set_point", "night_set_point", "boiler_energy", "lamp_energy"),
        curves=(
            ("sum of harvest", "harvest so far", "kg m-2"),
            ("sum of energy", "energy so far", "MJ m-2"),
            ("sum of return", "return so far", ""),
        ),
        zoomed=("air_temperature", "day_set_point", "night_set_point", "humidity", "boiler_energy", "global_radiation"),
        timeline=Timeline(interval, first=interval * (1 + env.first_step), at_start=True),
    )
