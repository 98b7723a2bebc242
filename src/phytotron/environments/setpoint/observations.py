"""The fourteen observations of GreenhouseEnv, in its order.

Their ranges are those that the model allows. Where the published ranges are narrower, they are in the descriptions: the
published environment does not keep within them.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Quantity, Value
from phytotron.environments.setpoint.reward import Hour
from phytotron.models.greenlight import State, Weather
from phytotron.models.greenlight.growth import Growth

LOWEST, HIGHEST = 18.0, 28.0  # °C, of the set-points

OBSERVATIONS: tuple[Quantity, ...] = (
    Quantity("day_of_year", "day_of_year", "d", "day of the year, 1 on 1 January; published: 0 to 365", 0, 1e4),
    Quantity("night_set_point", "tSpNight", "°C", "heating set-point of the night; published: 18 to 28", -60, 150),
    Quantity("day_set_point", "tSpDay", "°C", "heating set-point of the day; published: 18 to 28", -60, 150),
    Quantity("co2_set_point", "co2SpDay", "ppm", "CO2 set-point of the day; published: 400 to 1600", 0, 2e5),
    Quantity("air_co2", "co2Air", "mg m-3", "CO2 of the air; published: 400 to 2500", -1e3, 1e6),
    Quantity("air_vapour_pressure", "vpAir", "Pa", "vapour pressure of the air; published: 0 to 5000", -1e3, 1e6),
    Quantity("air_temperature", "tAir", "°C", "air temperature; published: 0 to 40", -60, 150),
    Quantity("fruit", "cFruit", "mg m-2", "carbohydrates in the fruit; published: 300 to 3e5", -1e4, 1e7),
    Quantity("maintenance", "mcOrgAir", "mg m-2 s-1", "maintenance respiration; published: 0 to 0.2", -1, 10),
    Quantity("photosynthesis", "mcAirBuf", "mg m-2 s-1", "net photosynthesis; published: 0 to 2", -10, 100),
    Quantity("global_radiation", "iGlob", "W m-2", "global radiation; published: 0 to 1000", 0, 1500),
    Quantity("outdoor_temperature", "tOut", "°C", "outdoor temperature; published: -10 to 40", -60, 60),
    Quantity("lamp_energy", "lampIn", "MJ m-2", "energy of the lamps in the last step", 0, 500),
    Quantity("boiler_energy", "boilIn", "MJ m-2", "energy of the boilers in the last step", 0, 500),
)


class Situation(NamedTuple):
    """Everything that can be observed."""

    day_of_year: Array
    night_set_point: Array
    day_set_point: Array
    co2_set_point: Value
    state: State
    growth: Growth
    weather: Weather
    hour: Hour


def observe(s: Situation) -> Array:
    """Return the observation, an array (14,), in the order of OBSERVATIONS."""
    state, growth = s.state, s.growth
    values = (
        s.day_of_year,
        s.night_set_point,
        s.day_set_point,
        s.co2_set_point,
        state.air_co2,
        state.air_vapour_pressure,
        state.air_temperature,
        state.fruit_carbohydrate,
        growth.fruit_maintenance + growth.leaf_maintenance + growth.stem_maintenance,
        growth.assimilation,
        s.weather.global_radiation,
        s.weather.outdoor_temperature,
        s.hour.lamps,
        s.hour.boilers,
    )
    return jnp.stack([jnp.asarray(value, s.day_of_year.dtype) for value in values])
