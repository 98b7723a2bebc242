"""What is observed of a greenhouse: thirteen quantities from inside, five of the weather.

van Laatum et al., GreenLight-Gym, table 6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import quantity, record
from phytotron.environments.greenhouse_reward import Turnover
from phytotron.models.greenlight import Control, Equations, Parameters, State, Weather, forcing
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity

DAYS_PER_YEAR = 365.0


@record
class Inside:
    """What both forms of the observation share."""

    air_temperature: Array = quantity("tAir", "°C", "air temperature", low=-60, high=150)
    air_co2: Array = quantity("co2Air", "ppm", "CO2 mole fraction of the air", low=0, high=2e5)
    relative_humidity: Array = quantity("rhAir", "%", "relative humidity of the air", low=0, high=1000)
    fruit: Array = quantity("cFruit", "kg m-2", "dry weight of the fruit", low=-0.01, high=10)
    harvest: Array = quantity("harFruit", "kg m-2", "dry weight harvested in the last interval", low=0, high=10)
    par: Array = quantity("parCan", "W m-2", "PAR above the crop, from sun and lamps", low=0, high=2000)
    canopy_temperature_24h: Array = quantity("tCan24", "°C", "daily mean of the canopy temperature", low=-60, high=150)
    co2_use: Array = quantity("co2Res", "kg m-2", "CO2 injected in the last interval", low=0, high=10)
    gas_use: Array = quantity("gasRes", "m3 m-2", "gas burnt in the last interval", low=0, high=10)
    hour_sine: Array = quantity("hourSin", "-", "(1 + sin) / 2 of the hour of the day", low=0, high=1)
    hour_cosine: Array = quantity("hourCos", "-", "(1 + cos) / 2 of the hour of the day", low=0, high=1)
    day_sine: Array = quantity("daySin", "-", "(1 + sin) / 2 of the day of the year", low=0, high=1)
    day_cosine: Array = quantity("dayCos", "-", "(1 + cos) / 2 of the day of the year", low=0, high=1)
    global_radiation: Array = quantity("iGlob", "W m-2", "global radiation", low=0, high=1500)
    outdoor_temperature: Array = quantity("tOut", "°C", "outdoor temperature", low=-60, high=60)


@record
class Observation(Inside):
    """The 18 quantities as the paper lists them."""

    outdoor_humidity: Array = quantity("rhOut", "%", "outdoor relative humidity", low=0, high=200)
    outdoor_co2: Array = quantity("co2Out", "ppm", "outdoor CO2 mole fraction", low=0, high=1e4)
    wind_speed: Array = quantity("wind", "m s-1", "wind speed", low=0, high=80)


@record
class PublishedCodeObservation(Inside):
    """The 18 quantities as the published code of GreenLight-Gym gives them."""

    outdoor_vapour_pressure: Array = quantity("vpOut", "Pa", "outdoor vapour pressure", low=0, high=2e4)
    outdoor_co2: Array = quantity("co2Out", "mg m-3", "outdoor CO2 concentration", low=0, high=1e5)
    wind_speed: Array = quantity("wind", "m s-1", "wind speed", low=0, high=80)


class Situation(NamedTuple):
    """All that can be observed: the state now, the weather now, and what the last interval did."""

    state: State
    weather: Weather
    control: Control
    flows: Turnover
    time: Array  # days since the start of the year
    parameters: Parameters
    equations: Equations


class ObservationModel(NamedTuple):
    """A record of quantities, and the function that fills it."""

    record: type[Any]
    observe: Callable[[Situation], Any]


def _inside(s: Situation) -> dict[str, Array]:
    air, light = s.state.air_temperature, forcing(s.control, s.weather, s.parameters, s.equations).light
    hour, day = 2.0 * math.pi * jnp.mod(s.time, 1.0), 2.0 * math.pi / DAYS_PER_YEAR * s.time
    return {
        "air_temperature": air,
        "air_co2": co2_mole_fraction(air, s.state.air_co2),
        "relative_humidity": relative_humidity(air, s.state.air_vapour_pressure),
        "fruit": 1e-6 * s.state.fruit_carbohydrate,
        "harvest": s.flows.harvest,
        "par": jnp.asarray(light.sun_par + light.lamp_par),
        "canopy_temperature_24h": s.state.canopy_temperature_24h,
        "co2_use": s.flows.co2,
        "gas_use": s.flows.gas,
        "hour_sine": 0.5 * (1.0 + jnp.sin(hour)),
        "hour_cosine": 0.5 * (1.0 + jnp.cos(hour)),
        "day_sine": 0.5 * (1.0 + jnp.sin(day)),
        "day_cosine": 0.5 * (1.0 + jnp.cos(day)),
        "global_radiation": s.weather.global_radiation,
        "outdoor_temperature": s.weather.outdoor_temperature,
    }


def observe(s: Situation) -> Observation:
    outdoor = s.weather.outdoor_temperature
    return Observation(
        **_inside(s),
        outdoor_humidity=relative_humidity(outdoor, s.weather.outdoor_vapour_pressure),
        outdoor_co2=co2_mole_fraction(outdoor, s.weather.outdoor_co2),
        wind_speed=s.weather.wind_speed,
    )


def observe_as_published_code(s: Situation) -> PublishedCodeObservation:
    return PublishedCodeObservation(
        **_inside(s),
        outdoor_vapour_pressure=s.weather.outdoor_vapour_pressure,
        outdoor_co2=s.weather.outdoor_co2,
        wind_speed=s.weather.wind_speed,
    )


OBSERVATIONS = MappingProxyType(
    {
        "paper": ObservationModel(Observation, observe),
        "published_code": ObservationModel(PublishedCodeObservation, observe_as_published_code),
    }
)
