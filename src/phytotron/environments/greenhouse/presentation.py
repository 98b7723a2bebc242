"""What is recorded, drawn and said of the greenhouse task, and whom its agents are compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import Quantity, find, names
from phytotron.core.presentation import Baseline, Channel, Contender, Presentation, Step, Timeline
from phytotron.environments.greenhouse.actions import NOT_INSTALLED
from phytotron.environments.greenhouse.controllers import RuleBased
from phytotron.models.greenlight import Control, Weather
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse

GRAMS = 1e-3  # g per mg
RULES_NOTE = "set-points and rules of GreenLight's grower, which see the whole state of the greenhouse"


def channels(env: Greenhouse) -> tuple[Channel, ...]:
    """State and weather at the start of an interval, the positions of the actuators during it."""

    def air_co2(step: Step) -> Any:
        return co2_mole_fraction(step.before.model.air_temperature, step.before.model.air_co2)

    def humidity(step: Step) -> Any:
        return relative_humidity(step.before.model.air_temperature, step.before.model.air_vapour_pressure)

    def outdoors(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(env.weather_at(step.before, step.params), name)

    def position(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(step.after.control, name)

    def state(name: str, factor: float = 1.0) -> Callable[[Step], Any]:
        return lambda step: factor * getattr(step.before.model, name)

    return (
        Channel(Quantity("air_temperature", "tAir", "°C", "air temperature"), state("air_temperature")),
        Channel(Quantity("co2", "co2Air", "ppm", "CO2 of the air"), air_co2),
        Channel(Quantity("humidity", "rhAir", "%", "relative humidity"), humidity),
        Channel(Quantity("pipe_temperature", "tPipe", "°C", "pipe temperature"), state("pipe_temperature")),
        Channel(Quantity("fruit", "cFruit", "g m-2", "carbohydrate in the fruit"), state("fruit_carbohydrate", GRAMS)),
        *(
            Channel(find(Control, name), position(name), "control")
            for name in names(Control)
            if name not in NOT_INSTALLED or name in env.processing.actuators
        ),
        *(
            Channel(find(Weather, name), outdoors(name), "weather")
            for name in ("global_radiation", "outdoor_temperature")
        ),
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
