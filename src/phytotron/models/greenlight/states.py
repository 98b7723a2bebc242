"""What the greenhouse model knows, what can be controlled, and what the weather imposes.

Symbols, order and units are those of Katzin et al. 2020 and 2021.
"""

from __future__ import annotations

from jax import Array

from phytotron.core.fields import quantity, record

TEMPERATURE = {"unit": "°C", "low": -60.0, "high": 150.0}
CARBOHYDRATE = {"unit": "mg{CH2O} m-2", "low": -1e4, "high": 1e8}


@record
class State:
    """The 28 states: climate nodes, crop pools, time."""

    air_co2: Array = quantity("co2Air", "mg m-3", "CO2 concentration of the main air", low=0, high=2e5)
    top_co2: Array = quantity("co2Top", "mg m-3", "CO2 concentration of the air above the screens", low=0, high=2e5)
    air_temperature: Array = quantity("tAir", description="temperature of the main air", **TEMPERATURE)
    top_temperature: Array = quantity("tTop", description="temperature of the air above the screens", **TEMPERATURE)
    canopy_temperature: Array = quantity("tCan", description="temperature of the canopy", **TEMPERATURE)
    inner_cover_temperature: Array = quantity("tCovIn", description="temperature of the cover, inside", **TEMPERATURE)
    outer_cover_temperature: Array = quantity("tCovE", description="temperature of the cover, outside", **TEMPERATURE)
    thermal_screen_temperature: Array = quantity("tThScr", description="temperature of the thermal screen", **TEMPERATURE)
    floor_temperature: Array = quantity("tFlr", description="temperature of the floor", **TEMPERATURE)
    pipe_temperature: Array = quantity("tPipe", description="temperature of the pipe rail", **TEMPERATURE)
    soil1_temperature: Array = quantity("tSo1", description="temperature of soil layer 1 (uppermost)", **TEMPERATURE)
    soil2_temperature: Array = quantity("tSo2", description="temperature of soil layer 2", **TEMPERATURE)
    soil3_temperature: Array = quantity("tSo3", description="temperature of soil layer 3", **TEMPERATURE)
    soil4_temperature: Array = quantity("tSo4", description="temperature of soil layer 4", **TEMPERATURE)
    soil5_temperature: Array = quantity("tSo5", description="temperature of soil layer 5", **TEMPERATURE)
    air_vapour_pressure: Array = quantity("vpAir", "Pa", "vapour pressure of the main air", low=0, high=1e5)
    top_vapour_pressure: Array = quantity("vpTop", "Pa", "vapour pressure of the air above the screens", low=0, high=1e5)
    lamp_temperature: Array = quantity("tLamp", description="temperature of the top lamps", **TEMPERATURE)
    interlamp_temperature: Array = quantity("tIntLamp", description="temperature of the inter-lamps", **TEMPERATURE)
    grow_pipe_temperature: Array = quantity("tGroPipe", description="temperature of the grow pipes", **TEMPERATURE)
    blackout_screen_temperature: Array = quantity("tBlScr", description="temperature of the blackout screen", **TEMPERATURE)
    canopy_temperature_24h: Array = quantity("tCan24", description="canopy temperature averaged over a day", **TEMPERATURE)
    buffer_carbohydrate: Array = quantity("cBuf", description="carbohydrate in the buffer", **CARBOHYDRATE)
    leaf_carbohydrate: Array = quantity("cLeaf", description="carbohydrate in the leaves", **CARBOHYDRATE)
    stem_carbohydrate: Array = quantity("cStem", description="carbohydrate in stem and roots", **CARBOHYDRATE)
    fruit_carbohydrate: Array = quantity("cFruit", description="carbohydrate in the fruit", **CARBOHYDRATE)
    canopy_temperature_sum: Array = quantity("tCanSum", "°C day", "temperature sum of the canopy", low=-1e5, high=1e6)
    time: Array = quantity("time", "day", "time since the start of the year", low=-1e6, high=1e6)


@record
class Control:
    """The 8 actuators, each between 0 (off, open screen, closed vent) and 1."""

    boiler: Array = quantity("boil", "-", "boiler valve to the pipe rail", low=0, high=1)
    co2_injection: Array = quantity("extCo2", "-", "CO2 injection valve", low=0, high=1)
    thermal_screen: Array = quantity("thScr", "-", "closure of the thermal screen", low=0, high=1)
    roof_vent: Array = quantity("roof", "-", "aperture of the roof vents", low=0, high=1)
    lamp: Array = quantity("lamp", "-", "power of the top lamps", low=0, high=1)
    interlamp: Array = quantity("intLamp", "-", "power of the inter-lamps", low=0, high=1)
    grow_pipe_boiler: Array = quantity("boilGro", "-", "boiler valve to the grow pipes", low=0, high=1)
    blackout_screen: Array = quantity("blScr", "-", "closure of the blackout screen", low=0, high=1)


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
    is_day: Array = quantity("isDay", "-", "1 by day, 0 by night, linear ramps between", low=0, high=1)
    is_day_smooth: Array = quantity("isDaySmooth", "-", "the same with sigmoid ramps", low=0, high=1)
