"""A changed climate, as a departure from the fitted one."""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp

from phytotron.core.fields import Value, check_value, quantities, quantity, record
from phytotron.weather.generator.daily import DailyWeather
from phytotron.weather.humid_air import saturation_vapour_pressure


@record
class ClimateShift:
    """Warmer, wetter, richer in CO2 than the climate that the generator was fitted to."""

    temperature_offset: Value = quantity("dT", "°C", "added to air temperatures", default=0.0, low=-20.0, high=20.0)
    rain_factor: Value = quantity("fRain", "-", "multiplies the rain of every day", default=1.0, low=0.0, high=10.0)
    co2: Value = quantity(
        "co2Out", "ppm", "CO2 mole fraction of the outdoor air", default=400.0, low=150.0, high=2000.0
    )

    def check(self) -> None:
        """Refuse values that make no sense."""
        for q in quantities(self):
            check_value(q, getattr(self, q.name), type(self).__name__)

    def apply(self, weather: DailyWeather) -> DailyWeather:
        """Shifted weather; relative humidity at the mean temperature is kept."""
        temperature = weather.air_temperature + jnp.asarray(self.temperature_offset, weather.air_temperature.dtype)
        moister = saturation_vapour_pressure(temperature) / saturation_vapour_pressure(weather.air_temperature)
        shifted = dataclasses.replace(
            weather,
            minimum_temperature=weather.minimum_temperature + self.temperature_offset,
            maximum_temperature=weather.maximum_temperature + self.temperature_offset,
            air_temperature=temperature,
            vapour_pressure=weather.vapour_pressure * moister,
            rain=weather.rain * self.rain_factor,
        )
        return jax.tree.map(lambda column, like: column.astype(like.dtype), shifted, weather)
