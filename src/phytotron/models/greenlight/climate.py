"""The climate that people read, indoors and outdoors: temperature, relative humidity, CO2 mole fraction."""

from __future__ import annotations

from typing import NamedTuple

from phytotron.core.fields import Value
from phytotron.models.greenlight.states import State, Weather
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity


class Climate(NamedTuple):
    """Air as a sensor shows it, where the model counts vapour pressure [Pa] and concentration of CO2 [mg m-3]."""

    temperature: Value  # °C
    relative_humidity: Value  # %
    co2: Value  # ppm


def indoor_climate(state: State) -> Climate:
    """The climate of the main air of the greenhouse."""
    return _climate(state.air_temperature, state.air_vapour_pressure, state.air_co2)


def outdoor_climate(weather: Weather) -> Climate:
    """The climate of the outdoor air."""
    return _climate(weather.outdoor_temperature, weather.outdoor_vapour_pressure, weather.outdoor_co2)


def _climate(temperature: Value, vapour_pressure: Value, co2: Value) -> Climate:
    return Climate(temperature, relative_humidity(temperature, vapour_pressure), co2_mole_fraction(temperature, co2))
