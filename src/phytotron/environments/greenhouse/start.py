"""The greenhouse at the start of an episode: at rest, with a tomato crop that bears fruit."""

from __future__ import annotations

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value
from phytotron.models.greenlight import State, Weather
from phytotron.weather.humid_air import saturation_vapour_pressure

TEMPERATURE = 16.5  # °C, of everything inside
CANOPY_TEMPERATURE = 20.5  # °C
RELATIVE_HUMIDITY = 0.85
CROP = {  # mg{CH2O} m-2 and °C day
    "buffer_carbohydrate": 0.0,
    "leaf_carbohydrate": 0.9e5,
    "stem_carbohydrate": 2.5e5,
    "fruit_carbohydrate": 2.8e5,
    "canopy_temperature_sum": 3000.0,
}
INDOOR_NODES = (
    "air", "top", "inner_cover", "outer_cover", "thermal_screen", "floor", "pipe", "soil1", "lamp", "interlamp",
    "grow_pipe", "blackout_screen",
)  # fmt: skip


def fruiting_crop(weather: Weather, time: Array) -> State:
    """The published initial state: CO2 as outdoors, soil layers between the indoor and the deep soil temperature."""

    def value(number: Value) -> Array:
        return jnp.asarray(number, time.dtype)

    deep, inside = weather.deep_soil_temperature, value(TEMPERATURE)
    vapour = RELATIVE_HUMIDITY * saturation_vapour_pressure(inside)
    return State(
        **{f"{node}_temperature": inside for node in INDOOR_NODES},
        **{name: value(amount) for name, amount in CROP.items()},
        canopy_temperature=value(CANOPY_TEMPERATURE),
        canopy_temperature_24h=value(CANOPY_TEMPERATURE),
        soil2_temperature=0.25 * (3.0 * inside + deep),
        soil3_temperature=0.25 * (2.0 * inside + 2.0 * deep),
        soil4_temperature=0.25 * (inside + 3.0 * deep),
        soil5_temperature=value(deep),
        air_co2=value(weather.outdoor_co2),
        top_co2=value(weather.outdoor_co2),
        air_vapour_pressure=vapour,
        top_vapour_pressure=vapour,
        time=time,
    )
