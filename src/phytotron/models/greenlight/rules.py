"""The rule-based controller (grower's rules) of GreenLight: proportional bands around set-points for every actuator.

Katzin 2021, chapter 4, with the settings of the published greenhouses. A pure function of state and weather: it can be
evaluated once per control interval, as an environment does, or continuously, as the original does.
"""

import math
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Value, quantity, record, replace
from phytotron.models.greenlight.mathematics import switch
from phytotron.models.greenlight.parameter_sets import DEFAULT_SET
from phytotron.models.greenlight.states import Control, State, Weather, indoor_climate


@record
class RuleSettings:
    """Set-points and proportional bands of the rule-based controller; the defaults are those of Katzin et al. 2021."""

    temperature_day: Value = quantity("tSpDay", "°C", "heating set-point in the light period", default=19.5)
    temperature_night: Value = quantity("tSpNight", "°C", "heating set-point in the dark period", default=18.5)
    lamp_heat_correction: Value = quantity("heatCorrection", "°C", "added to the set-point while lamps may be on", default=0.0)
    heating_band: Value = quantity("tHeatBand", "°C", "band of heating", default=-1.0, nonzero=True)
    vent_dead_zone: Value = quantity("heatDeadZone", "°C", "from heating set-point to ventilation set-point", default=5.0)
    vent_heat_band: Value = quantity("ventHeatPband", "°C", "band of ventilation for heat", default=4.0, nonzero=True)
    humidity_maximum: Value = quantity("rhMax", "%", "relative humidity above which vents open", default=87.0)
    vent_humidity_band: Value = quantity("ventRhPband", "%", "band of ventilation for humidity", default=50.0, nonzero=True)
    vent_off: Value = quantity("tVentOff", "°C", "below the heating set-point by which vents close", default=1.0)
    vent_cold_band: Value = quantity("ventColdPband", "°C", "band of that closing", default=-1.0, nonzero=True)
    screen_day: Value = quantity("thScrSpDay", "°C", "outdoor temperature below which the screen closes by day", default=5.0)
    screen_night: Value = quantity("thScrSpNight", "°C", "the same by night", default=10.0)
    screen_band: Value = quantity("thScrPband", "°C", "band of the screen", default=-1.0, nonzero=True)
    screen_humidity: Value = quantity("thScrMaxRh", "%", "above the humidity maximum by which the screen opens", default=-2.0)
    screen_humidity_band: Value = quantity("thScrRhPband", "%", "band of that opening", default=10.0, nonzero=True)
    screen_dead_zone: Value = quantity("thScrDeadZone", "°C", "above the heating set-point by which the screen opens", default=4.0)
    screen_opens_on_any: Value = quantity("thScrAny", "-", "1: heat or humidity alone opens the screen (greenlight 2.0.5); 0: only both", default=1.0, low=0, high=1)
    blackout_in_use: Value = quantity("useBlScr", "-", "1 if the blackout screen is used", default=0.0, low=0, high=1)
    blackout_humidity: Value = quantity("blScrExtraRh", "%", "above the humidity maximum by which lamps go off at night", default=100.0)
    lamp_on: Value = quantity("lampTimeOn", "h", "time of day (UTC) at which lamps may go on", default=0.0, low=0, high=24)
    lamp_off: Value = quantity("lampTimeOff", "h", "time of day (UTC) at which lamps go off", default=18.0, low=0, high=24)
    lamp_first_day: Value = quantity("dayLampStart", "day", "days since 1 January from which on lamps may burn", default=-1.0)
    lamp_last_day: Value = quantity("dayLampStop", "day", "days since 1 January until which lamps may burn", default=400.0)
    lamp_sun_limit: Value = quantity("lampsOffSun", "W m-2", "global radiation above which lamps are off", default=400.0)
    lamp_sum_limit: Value = quantity("lampRadSumLimit", "MJ m-2 day-1", "daily radiation above which lamps are off", default=10.0)
    lamp_extra_heat: Value = quantity("lampExtraHeat", "°C", "above the ventilation set-point by which lamps go off", default=100.0)
    lamp_humidity_by_day: Value = quantity("lampRhDay", "-", "1: humidity switches lamps off by day too (GreenLight-Gym); 0: at night only", default=0.0, low=0, high=1)
    co2_day: Value = quantity("co2SpDay", "ppm", "CO2 set-point in the light period", default=1000.0)
    co2_band: Value = quantity("co2Band", "ppm", "band of CO2 injection", default=-100.0, nonzero=True)


_GREENLIGHT_GYM = {
    "temperature_night": 16.5,
    "humidity_maximum": 85.0,
    "vent_humidity_band": 5.0,
    "screen_humidity_band": 2.0,
    "screen_opens_on_any": 0.0,
    "lamp_extra_heat": 2.0,
    "lamp_humidity_by_day": 1.0,
    "co2_day": 800.0,
}

RULE_SETTINGS = MappingProxyType(
    {
        DEFAULT_SET: {},
        "greenlight_gym_1p4ha_led": _GREENLIGHT_GYM,
        "katzin2020_144m2": _GREENLIGHT_GYM | {"humidity_maximum": 90.0},
    }
)


def load_rule_settings(name: str = DEFAULT_SET, **overrides: Any) -> RuleSettings:
    """Return the settings that go with a named greenhouse, with overrides by name or published symbol."""
    if name not in RULE_SETTINGS:
        raise UnknownNameError("rule settings", name, RULE_SETTINGS)
    return replace(replace(RuleSettings(), RULE_SETTINGS[name]), overrides)


def proportional(value: Value, set_point: Value, band: Value) -> Array:
    """Return a sigmoid that is 0 at the set-point and 1 a band beyond it (Katzin 2021, eq. 4.4).

    A negative band acts downwards.
    """
    return switch(2.0 * math.log(100.0) / band * (value - set_point - 0.5 * band))


def within(value: Value, first: Value, last: Value) -> Array:
    """Return whether a cyclic value lies between two others; the interval may pass the end of the cycle."""
    after, before = jnp.asarray(first) < value, jnp.asarray(value) < last
    return jnp.where(jnp.asarray(first) <= last, after & before, after | before)


def lamp_period(hour: Value, s: RuleSettings) -> Array:
    """Return 1 while lamps may be on, with a linear ramp of an hour before and after."""
    rising = jnp.clip(hour - s.lamp_on + 1.0, 0.0, 1.0)
    falling = jnp.clip(s.lamp_off - hour + 1.0, 0.0, 1.0)
    ramp = jnp.where(jnp.asarray(s.lamp_on) < s.lamp_off, jnp.minimum(rising, falling), jnp.maximum(rising, falling))
    return jnp.where(jnp.asarray(s.lamp_on) == s.lamp_off, 0.0, ramp)


def rule_based(state: State, weather: Weather, s: RuleSettings) -> Control:
    """Return all eight actuators."""
    air, humidity, co2 = indoor_climate(state)
    hour = 24.0 * jnp.mod(state.time, 1.0)
    days_since_new_year = jnp.mod(state.time, 365.2425)

    season = within(days_since_new_year, s.lamp_first_day, s.lamp_last_day) & (weather.daily_radiation_sum < s.lamp_sum_limit)
    lamps_allowed = jnp.where(season & within(hour, s.lamp_on, s.lamp_off), weather.global_radiation < s.lamp_sun_limit, 0)
    inside_day = jnp.maximum(lamp_period(hour, s) * season, weather.is_day)

    heat = inside_day * s.temperature_day + (1.0 - inside_day) * s.temperature_night
    heat = heat + s.lamp_heat_correction * lamps_allowed
    vent_set_point = heat + s.vent_dead_zone
    not_cold = 1.0 - proportional(air, heat - s.vent_off, s.vent_cold_band)
    vent = jnp.maximum(
        proportional(air, vent_set_point, s.vent_heat_band),
        proportional(humidity, s.humidity_maximum, s.vent_humidity_band),
    )

    screen_set_point = weather.is_day * s.screen_day + (1.0 - weather.is_day) * s.screen_night
    cold_outside = proportional(weather.outdoor_temperature, screen_set_point, s.screen_band)
    not_hot = 1.0 - proportional(air, heat + s.screen_dead_zone, -s.screen_band)
    not_humid = 1.0 - proportional(humidity, s.humidity_maximum + s.screen_humidity, s.screen_humidity_band)
    not_humid = jnp.maximum(not_humid, 1.0 - not_cold)
    screen_limit = jnp.where(s.screen_opens_on_any, jnp.minimum(not_hot, not_humid), jnp.maximum(not_hot, not_humid))

    not_too_hot = proportional(air, vent_set_point + s.lamp_extra_heat, -0.5)
    not_too_humid = proportional(humidity, s.humidity_maximum + s.blackout_humidity, -0.5)
    not_too_humid = jnp.maximum(not_too_humid, 1.0 - not_cold)
    exempt = weather.is_day_smooth * (1.0 - s.lamp_humidity_by_day)
    lamp = lamps_allowed * not_too_hot * (exempt + (1.0 - exempt) * not_too_humid)

    boiler = proportional(air, heat, s.heating_band)
    return Control(
        boiler=boiler,
        co2_injection=proportional(co2, inside_day * s.co2_day, s.co2_band),
        thermal_screen=jnp.minimum(cold_outside, screen_limit),
        roof_vent=jnp.minimum(not_cold, vent),
        lamp=lamp,
        interlamp=lamp,
        grow_pipe_boiler=boiler,
        blackout_screen=s.blackout_in_use * (1.0 - weather.is_day_smooth) * lamp,
    )
