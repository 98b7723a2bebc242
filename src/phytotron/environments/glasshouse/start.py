"""Initial states of a greenhouse: at rest, with a tomato crop that bears fruit or with a young one."""

from collections.abc import Mapping
from types import MappingProxyType

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value
from phytotron.models.greenlight import State, Weather
from phytotron.weather.humid_air import saturation_vapour_pressure

TEMPERATURE = 16.5  # °C, of everything inside
CANOPY_TEMPERATURE = 20.5  # °C
RELATIVE_HUMIDITY = 0.85
# Crops, in mg{CH2O} m-2 and °C day; as in GreenLight 2.0.5.
FRUITING: Mapping[str, float] = MappingProxyType(
    {
        "buffer_carbohydrate": 0.0,
        "leaf_carbohydrate": 0.9e5,
        "stem_carbohydrate": 2.5e5,
        "fruit_carbohydrate": 2.8e5,
        "canopy_temperature_sum": 3000.0,
    }
)
PLANTED = 6240.0  # mg m-2 of structure
YOUNG: Mapping[str, float] = MappingProxyType(
    {
        "buffer_carbohydrate": 2e4,
        "leaf_carbohydrate": 0.7 * PLANTED,
        "stem_carbohydrate": 0.25 * PLANTED,
        "fruit_carbohydrate": 0.05 * PLANTED,
        "canopy_temperature_sum": 0.0,
    }
)
INDOOR_NODES = (
    "air", "top", "inner_cover", "outer_cover", "thermal_screen", "floor", "pipe", "soil1", "lamp", "interlamp",
    "grow_pipe", "blackout_screen",
)  # fmt: skip


def at_rest(weather: Weather, time: Array, crop: Mapping[str, float] = FRUITING) -> State:
    """Return the published initial state: CO2 as outdoors, soil layers from the indoor to the deep soil temperature."""

    def value(number: Value) -> Array:
        return jnp.asarray(number, time.dtype)

    deep, inside = weather.deep_soil_temperature, value(TEMPERATURE)
    vapour = RELATIVE_HUMIDITY * saturation_vapour_pressure(inside)
    return State(
        **{f"{node}_temperature": inside for node in INDOOR_NODES},
        **{name: value(amount) for name, amount in crop.items()},
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
