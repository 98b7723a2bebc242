"""Presentation of the greenhouse task: recorded channels, figures, texts, and the baseline of its agents."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax import Array

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.controller import Controller, Memory
from phytotron.core.fields import find, names, with_values
from phytotron.core.outcomes import Measure, share_within_bounds, total
from phytotron.core.presentation import Baseline, Channel, Competitor, Presentation, Return, Timeline
from phytotron.core.scheduling import Scheduling, Wanted, first_known
from phytotron.environments.glasshouse.task import INDOORS, outdoor_channels
from phytotron.environments.greenhouse.actions import NOT_INSTALLED
from phytotron.environments.greenhouse.reward import BOUNDS, CONSTRAINTS
from phytotron.environments.rewarding import bounds_of, return_of, uncharged
from phytotron.models.greenlight import Control
from phytotron.models.greenlight.rules import RuleSettings

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse, GreenhouseParams, GreenhouseState

RULES_NOTE = "set-points and rules of GreenLight (grower's rules), which see the whole state of the greenhouse"

SCALED = "profit of each interval, scaled to lie between 0 (everything used, no harvest) and 1 (largest harvest, free)"
RETURNS = {
    "multiplicative": Return("-", f"{SCALED}, times one minus the penalty for leaving the bounds of the climate"),
    "additive": Return("-", f"{SCALED}, less the penalty for leaving the bounds of the climate"),
    "profit": Return("€ m-2", "value of the fruit less that of gas, CO2 and electricity"),
    "scaled_profit": Return("-", SCALED),
}


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class RuleBased(Controller):
    """The grower's rules for the actuators that the action moves.

    Its set-points are those of the environment's parameters, or `settings` (see
    `models.greenlight.rules.load_rule_settings`, which takes overrides by name). If the settings are arrays, it is a
    policy, of which `evaluate_stacked` can run many at once.
    """

    environment: Greenhouse = field(metadata={"static": True})
    settings: RuleSettings | None = None

    def act(
        self, key: Array, memory: Memory, observation: Array, state: GreenhouseState, params: GreenhouseParams
    ) -> tuple[Array, Memory]:
        """Return the positions that the rules give to the actuators of the action."""
        if self.settings is not None:
            params = dataclasses.replace(params, rules=self.settings)
        wanted: Any = self.environment.rule_based(state, params)
        return self.environment.processing.action(wanted, state.control), memory


def measures(env: Greenhouse) -> tuple[Measure, ...]:
    """Return the measures: totals per square metre of floor, and shares of the time."""
    dry_matter = float(np.mean(np.asarray(env.default_params.model.fruit_dry_matter)))  # of fresh fruit
    return (
        total("profit", "profit", "€ m-2", "profit: fruit less gas, CO2 and electricity"),
        total("harvest", "mHar", "kg m-2", "harvest of fresh fruit", lambda info: info["harvest"] / dry_matter),
        total("gas", "gas", "m3 m-2", "gas burned"),
        total("co2", "co2", "kg m-2", "CO2 injected"),
        total("electricity", "elec", "kWh m-2", "electricity of the lamps"),
        *(share_within_bounds(name, words) for name, (words, _) in CONSTRAINTS.items()),
    )


def channels(env: Greenhouse) -> tuple[Channel, ...]:
    """Return the channels: the state and weather at the start of an interval, and the positions of the actuators during
    it.
    """
    moved = [name for name in names(Control) if name not in NOT_INSTALLED or name in env.processing.actuators]
    return (
        *INDOORS,
        *(Channel(find(Control, name), attrgetter(f"after.control.{name}"), "control") for name in moved),
        *outdoor_channels(env.clock),
    )


def scheduling(env: Greenhouse) -> Scheduling:
    """Return the quantities that a schedule can set: positions of the actuators that the action moves, or set-points
    of the grower's rules.
    """
    actuators, settings = env.processing.actuators, names(RuleSettings)

    def act(wanted: Wanted, state: GreenhouseState, params: GreenhouseParams) -> Array:
        changes = {name: first_known(wanted, name, getattr(params.rules, name)) for name in settings if name in wanted}
        rules = dataclasses.replace(params.rules, **changes)
        ruled = env.rule_based(state, dataclasses.replace(params, rules=rules))
        held = {name: first_known(wanted, name, getattr(ruled, name)) for name in actuators if name in wanted}
        return env.processing.action(dataclasses.replace(ruled, **held), state.control)

    positions = (dataclasses.replace(find(Control, name), low=0.0, high=1.0) for name in actuators)
    return Scheduling((*positions, *with_values(env.default_params.rules)), act, left_alone="ruled")


def baselines(env: Greenhouse) -> Mapping[str, Baseline]:
    """Return the baselines: the rule-based controller."""
    return {"rule-based": lambda _: Competitor("rule-based", RULES_NOTE, env, (RuleBased(env),))}


def decisions(env: Greenhouse) -> str:
    """Return a sentence on the actuators that the action moves, and on the control of the others."""

    def words(chosen: Iterable[str]) -> str:
        return ", ".join(name.replace("_", " ").replace("co2", "CO2") for name in chosen)

    moved = env.processing.actuators
    ruled = [name for name in names(Control) if name not in moved and name not in NOT_INSTALLED]
    rest = f"; the grower's rules move the rest ({words(ruled)})" if ruled else ""
    return f"how far each of these is open or on: {words(moved)}{rest}"


def presentation(env: Greenhouse) -> Presentation:
    """Return the presentation of the task: title, texts, measures and figures."""
    interval = env.control_interval / SECONDS_PER_DAY
    bounds = bounds_of(env.default_params.reward, BOUNDS)
    return Presentation(
        "Tomato greenhouse",
        decides=decisions(env),
        returns=return_of(env.reward, RETURNS),
        notes=uncharged(env.default_params.prices, product="fruit"),
        compare=("rule-based",),
        headline=("return", "profit"),
        decisive="profit",
        learning=("profit", "harvest", "gas", "temperature_in_bounds", "humidity_in_bounds"),
        resources=("gas", "co2", "electricity"),
        product="harvest",
        costs={name: (f"{words} out of bounds", unit) for name, (words, unit) in CONSTRAINTS.items()},
        day=("air_temperature", "co2", "humidity", "boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp"),
        bounds={"air_temperature": bounds["temperature"], "co2": bounds["co2"], "humidity": bounds["humidity"]},
        curves=(("sum of profit", "profit so far", "€ m-2"), ("sum of return", "return so far", "")),
        zoomed=("air_temperature", "co2", "humidity", "boiler", "roof_vent", "global_radiation"),
        timeline=Timeline(interval, first=interval, at_start=True),
    )
