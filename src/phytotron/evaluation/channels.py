"""What is worth recording of an environment: states, controls and weather by name, in units that people use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from phytotron.core.environment import Environment
from phytotron.core.fields import Quantity, find, names
from phytotron.core.spaces import Discrete
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.greenhouse.actions import NOT_INSTALLED
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.reward import KG_HA
from phytotron.evaluation.playing import Step
from phytotron.evaluation.recording import Channel
from phytotron.models.greenlight import Control, Weather
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity

GRAMS = 1e-3  # g per mg


def channels(env: Environment[Any, Any]) -> tuple[Channel, ...]:
    """Those of the greenhouse, of wheat, or of any environment: its observation and its action."""
    if isinstance(env, Greenhouse):
        return greenhouse_channels(env)
    if isinstance(env, WheatNitrogen):
        return WHEAT_CHANNELS
    return general_channels(env)


def greenhouse_channels(env: Greenhouse) -> tuple[Channel, ...]:
    """State and weather at the start of an interval, the positions of the actuators during it."""

    def air_co2(step: Step) -> Any:
        return co2_mole_fraction(step.before.model.air_temperature, step.before.model.air_co2)

    def humidity(step: Step) -> Any:
        return relative_humidity(step.before.model.air_temperature, step.before.model.air_vapour_pressure)

    def outdoors(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(env.weather_at(step.before, step.params), name)

    def position(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(step.after.control, name)

    def weighed(name: str) -> Callable[[Step], Any]:
        return lambda step: GRAMS * getattr(step.before.model, name)

    return (
        Channel(
            Quantity("air_temperature", "tAir", "°C", "air temperature"), lambda step: step.before.model.air_temperature
        ),
        Channel(Quantity("co2", "co2Air", "ppm", "CO2 of the air"), air_co2),
        Channel(Quantity("humidity", "rhAir", "%", "relative humidity"), humidity),
        Channel(
            Quantity("pipe_temperature", "tPipe", "°C", "pipe temperature"),
            lambda step: step.before.model.pipe_temperature,
        ),
        Channel(Quantity("fruit", "cFruit", "g m-2", "carbohydrate in the fruit"), weighed("fruit_carbohydrate")),
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


WHEAT_CHANNELS = (
    Channel(Quantity("day", "DAY", "d", "days since 1 January, at the end of the interval"), lambda s: s.info["day"]),
    Channel(Quantity("grain", "WSO", "t ha-1", "grain"), lambda s: 0.01 * s.after.model.grain_mass),
    Channel(
        Quantity("leaf_area", "LAI", "m2 m-2", "leaf area per ground area"), lambda s: s.after.model.leaf_area_index
    ),
    Channel(Quantity("growth", "TGROWTH", "t ha-1", "dry matter grown"), lambda s: 0.01 * s.after.model.total_growth),
    Channel(
        Quantity("uptake", "NUPTT", "kg ha-1", "nitrogen taken up"), lambda s: KG_HA * s.after.model.nitrogen_uptake
    ),
    Channel(
        Quantity("soil_nitrogen", "TNSOIL", "kg ha-1", "mineral nitrogen in the soil"),
        lambda s: KG_HA * s.after.model.soil_nitrogen,
    ),
    Channel(Quantity("dose", "N", "kg ha-1", "nitrogen given, per decision"), lambda s: s.info["dose"], "control"),
    Channel(
        Quantity("total_dose", "ΣN", "kg ha-1", "nitrogen given so far"), lambda s: s.info["total_dose"], "control"
    ),
    Channel(Quantity("rain", "TRAIN", "mm", "rain so far"), lambda s: s.after.model.rain_sum, "weather"),
)


def general_channels(env: Environment[Any, Any]) -> tuple[Channel, ...]:
    """Observation and action of any environment whose arrays are flat."""
    fields = env.fields

    def component(part: str, index: int) -> Callable[[Step], Any]:
        return lambda step: jnp.ravel(getattr(step, part))[index]

    seen = [Channel(q, component("observation", n)) for n, q in enumerate(fields.get("observation", ()))]
    if isinstance(env.action_space, Discrete):
        done = [Channel(Quantity("action", "a", "-", "number of the action"), lambda s: s.action, "control")]
    else:
        taken = {each.name for each in seen}
        done = [
            Channel(q, component("action", n), "control")
            for n, q in enumerate(fields.get("action", ()))
            if q.name not in taken
        ]
    return (*seen, *done)
