"""States, controls and weather inputs of the greenhouse model.

Symbols, order and units are those of Katzin et al. 2020 and 2021.
"""

from typing import Any, NamedTuple

from jax import Array

from phytotron.core.fields import Value, fraction, quantity, record
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity


def temperature(symbol: str, description: str) -> Any:
    """Return a field of a temperature [°C]."""
    return quantity(symbol, "°C", description, low=-60.0, high=150.0)


def soil_layer(number: int) -> Any:
    """Return a field of the temperature of a soil layer; the uppermost is number 1."""
    return temperature(f"tSo{number}", f"temperature of soil layer {number}, counted from the top")


def carbohydrate(symbol: str, description: str) -> Any:
    """Return a field of carbohydrate per floor area [mg m-2]."""
    return quantity(symbol, "mg{CH2O} m-2", description, low=-1e4, high=1e8)


@record
class State:
    """The 28 states: climate nodes, crop pools, time."""

    air_co2: Array = quantity("co2Air", "mg m-3", "CO2 concentration of the main air", low=0, high=2e5)
    top_co2: Array = quantity("co2Top", "mg m-3", "CO2 concentration of the air above the screens", low=0, high=2e5)
    air_temperature: Array = temperature("tAir", "temperature of the main air")
    top_temperature: Array = temperature("tTop", "temperature of the air above the screens")
    canopy_temperature: Array = temperature("tCan", "temperature of the canopy")
    inner_cover_temperature: Array = temperature("tCovIn", "temperature of the cover, inside")
    outer_cover_temperature: Array = temperature("tCovE", "temperature of the cover, outside")
    thermal_screen_temperature: Array = temperature("tThScr", "temperature of the thermal screen")
    floor_temperature: Array = temperature("tFlr", "temperature of the floor")
    pipe_temperature: Array = temperature("tPipe", "temperature of the pipe rail")
    soil1_temperature: Array = soil_layer(1)
    soil2_temperature: Array = soil_layer(2)
    soil3_temperature: Array = soil_layer(3)
    soil4_temperature: Array = soil_layer(4)
    soil5_temperature: Array = soil_layer(5)
    air_vapour_pressure: Array = quantity("vpAir", "Pa", "vapour pressure of the main air", low=0, high=1e5)
    top_vapour_pressure: Array = quantity("vpTop", "Pa", "vapour pressure of the air above the screens", low=0, high=1e5)
    lamp_temperature: Array = temperature("tLamp", "temperature of the top lamps")
    interlamp_temperature: Array = temperature("tIntLamp", "temperature of the inter-lamps")
    grow_pipe_temperature: Array = temperature("tGroPipe", "temperature of the grow pipes")
    blackout_screen_temperature: Array = temperature("tBlScr", "temperature of the blackout screen")
    canopy_temperature_24h: Array = temperature("tCan24", "canopy temperature averaged over a day")
    buffer_carbohydrate: Array = carbohydrate("cBuf", "carbohydrate in the buffer")
    leaf_carbohydrate: Array = carbohydrate("cLeaf", "carbohydrate in the leaves")
    stem_carbohydrate: Array = carbohydrate("cStem", "carbohydrate in stem and roots")
    fruit_carbohydrate: Array = carbohydrate("cFruit", "carbohydrate in the fruit")
    canopy_temperature_sum: Array = quantity("tCanSum", "°C day", "temperature sum of the canopy", low=-1e5, high=1e6)
    time: Array = quantity("time", "day", "time since the start of the year", low=-1e6, high=1e6)


@record
class Control:
    """The 8 actuators, each between 0 (off, open screen, closed vent) and 1."""

    boiler: Array = fraction("boil", "boiler valve to the pipe rail")
    co2_injection: Array = fraction("extCo2", "CO2 injection valve")
    thermal_screen: Array = fraction("thScr", "closure of the thermal screen")
    roof_vent: Array = fraction("roof", "aperture of the roof vents")
    lamp: Array = fraction("lamp", "power of the top lamps")
    interlamp: Array = fraction("intLamp", "power of the inter-lamps")
    grow_pipe_boiler: Array = fraction("boilGro", "boiler valve to the grow pipes")
    blackout_screen: Array = fraction("blScr", "closure of the blackout screen")


@record
class Weather:
    """The 10 weather inputs; the last three serve control rules only."""

    global_radiation: Array = quantity("iGlob", "W m-2", "global radiation", low=0, high=1500)
    outdoor_temperature: Array = quantity("tOut", "°C", "outdoor air temperature", low=-60, high=60)
    outdoor_vapour_pressure: Array = quantity("vpOut", "Pa", "outdoor vapour pressure", low=0, high=2e4)
    outdoor_co2: Array = quantity("co2Out", "mg m-3", "outdoor CO2 concentration", low=0, high=1e5)
    wind_speed: Array = quantity("wind", "m s-1", "wind speed", low=0, high=80)
    sky_temperature: Array = quantity("tSky", "°C", "apparent sky temperature", low=-100, high=60)
    deep_soil_temperature: Array = quantity("tSoOut", "°C", "temperature of the deep soil", low=-40, high=60)
    daily_radiation_sum: Array = quantity("dayRadSum", "MJ m-2 day-1", "global radiation of the day", low=0, high=60)
    is_day: Array = fraction("isDay", "1 by day, 0 by night, linear ramps between")
    is_day_smooth: Array = fraction("isDaySmooth", "the same with sigmoid ramps")


class Climate(NamedTuple):
    """Air as a sensor shows it, where the model counts vapour pressure [Pa] and concentration of CO2 [mg m-3]."""

    temperature: Value  # °C
    relative_humidity: Value  # %
    co2: Value  # ppm


def indoor_climate(state: State) -> Climate:
    """Return the climate of the main air of the greenhouse."""
    return _climate(state.air_temperature, state.air_vapour_pressure, state.air_co2)


def outdoor_climate(weather: Weather) -> Climate:
    """Return the climate of the outdoor air."""
    return _climate(weather.outdoor_temperature, weather.outdoor_vapour_pressure, weather.outdoor_co2)


def _climate(temperature: Value, vapour_pressure: Value, co2: Value) -> Climate:
    return Climate(temperature, relative_humidity(temperature, vapour_pressure), co2_mole_fraction(temperature, co2))
