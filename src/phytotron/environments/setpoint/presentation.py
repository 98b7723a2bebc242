"""What is recorded, drawn and said of the set-point task, and whom its agents are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from phytotron.controllers.base import Constant
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Baseline, Channel, Contender, Presentation, Timeline
from phytotron.environments.glasshouse.channels import INDOORS, outdoor_channels
from phytotron.environments.setpoint.controllers import RuleBased
from phytotron.environments.setpoint.observations import HIGHEST, LOWEST

if TYPE_CHECKING:
    from phytotron.environments.setpoint.environment import GreenhouseSetpoint

HARVEST = Quantity("harvest", "mHar", "kg m-2", "harvest of fresh fruit")
LAMPS = Quantity("lamp_energy", "lampIn", "MJ m-2", "energy of the lamps")
BOILERS = Quantity("boiler_energy", "boilIn", "MJ m-2", "energy of the boilers")


def _info(name: str) -> Callable[[Any], Any]:
    return lambda info: info[name]


MEASURES = (
    Measure(HARVEST, _info("harvest")),
    Measure(
        Quantity("energy", "E", "MJ m-2", "energy of lamps and boilers"),
        lambda info: info["lamp_energy"] + info["boiler_energy"],
    ),
    Measure(LAMPS, _info("lamp_energy")),
    Measure(BOILERS, _info("boiler_energy")),
)


def channels(env: GreenhouseSetpoint) -> tuple[Channel, ...]:
    """State and weather at the start of a step, set-points and energy during it, its harvest."""
    return (
        *INDOORS,
        Channel(HARVEST, lambda step: step.info["harvest"]),
        Channel(
            Quantity("day_set_point", "tSpDay", "°C", "heating set-point of the day"),
            lambda step: step.after.day_set_point,
            "control",
        ),
        Channel(
            Quantity("night_set_point", "tSpNight", "°C", "heating set-point of the night"),
            lambda step: step.after.night_set_point,
            "control",
        ),
        Channel(LAMPS, lambda step: step.info["lamp_energy"], "control"),
        Channel(BOILERS, lambda step: step.info["boiler_energy"], "control"),
        *outdoor_channels(env.clock),
    )


def baselines(env: GreenhouseSetpoint) -> Mapping[str, Baseline]:
    """The set-points of the rule settings, and the lowest and the highest that there is."""
    rules = env.default_params.rules
    note = f"{rules.temperature_day:g} °C by day and {rules.temperature_night:g} °C by night, to the nearest action"

    def always(label: str, temperature: float) -> Baseline:
        held = Constant(round(temperature - LOWEST))
        return lambda _: Contender(label, f"{temperature:g} °C by day and by night", env, (held,))

    return {
        "rule-based": lambda _: Contender("rule-based", note, env, (RuleBased(env),)),
        "coolest": always("coolest", LOWEST),
        "warmest": always("warmest", HIGHEST),
    }


def presentation(env: GreenhouseSetpoint) -> Presentation:
    """What pages say about the task."""
    interval = env.control_interval / SECONDS_PER_DAY
    return Presentation(
        "Heating set-points of a tomato greenhouse",
        compare=("rule-based", "coolest", "warmest"),
        headline=("return", "harvest"),
        learning=("harvest", "energy"),
        resources=("energy", "lamp_energy", "boiler_energy"),
        product="harvest",
        day=("air_temperature", "co2", "humidity", "day_set_point", "night_set_point", "boiler_energy", "lamp_energy"),
        course=(
            ("sum of harvest", "harvest so far", "kg m-2"),
            ("sum of energy", "energy so far", "MJ m-2"),
            ("sum of return", "return so far", ""),
        ),
        zoomed=("air_temperature", "day_set_point", "night_set_point", "humidity", "boiler_energy", "global_radiation"),
        timeline=Timeline(interval, first=interval * (1 + env.first_step), at_start=True),
    )
