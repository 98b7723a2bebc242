"""The weather that a greenhouse sees: ten inputs at equal time steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from phytotron.core.errors import ValueRangeError
from phytotron.weather import derived
from phytotron.weather.derived import SECONDS_PER_DAY, Series


def day_of_year(moment: datetime) -> float:
    """Days since the start of the moment's year."""
    return (moment - datetime(moment.year, 1, 1)) / (datetime(1, 1, 2) - datetime(1, 1, 1))


@dataclass(frozen=True, eq=False)
class GreenhouseWeather:
    """Ten inputs, named as in `models.greenlight.Weather`, every `interval` seconds from `start` (UTC) on."""

    start: datetime
    interval: int
    inputs: Mapping[str, Series]

    @property
    def size(self) -> int:
        return len(self.inputs["global_radiation"])

    @property
    def whole_days(self) -> int:
        """Full days from the start on; the value that ends the last one is there too."""
        return (self.size - 1) * self.interval // SECONDS_PER_DAY

    def resampled(self, interval: int) -> GreenhouseWeather:
        """The same weather at another interval, by linear interpolation."""
        if interval == self.interval:
            return self
        if interval <= 0:
            raise ValueRangeError("the interval", interval, "a positive number of seconds")
        known = self.interval * np.arange(self.size)
        wanted = np.arange(0, known[-1] + 1, interval)
        return GreenhouseWeather(
            self.start, interval, {name: np.interp(wanted, known, series) for name, series in self.inputs.items()}
        )


def greenhouse_weather(start: datetime, interval: int, measured: Mapping[str, Series]) -> GreenhouseWeather:
    """Derive the ten inputs from what stations measure.

    `measured` holds global_radiation [W m-2], air_temperature and sky_temperature [°C], relative_humidity [%],
    wind_speed [m s-1] and co2 [ppm].
    """
    radiation, temperature = measured["global_radiation"], measured["air_temperature"]
    time = day_of_year(start) + interval / SECONDS_PER_DAY * np.arange(len(radiation))
    is_day, is_day_smooth = derived.day_ramps(radiation, interval)
    inputs = {
        "global_radiation": radiation,
        "outdoor_temperature": temperature,
        "outdoor_vapour_pressure": 0.01
        * measured["relative_humidity"]
        * derived.saturation_vapour_pressure(temperature),
        "outdoor_co2": derived.co2_density(temperature, measured["co2"]),
        "wind_speed": measured["wind_speed"],
        "sky_temperature": measured["sky_temperature"],
        "deep_soil_temperature": derived.deep_soil_temperature(time),
        "daily_radiation_sum": derived.daily_radiation_sum(radiation, time, interval),
        "is_day": is_day,
        "is_day_smooth": is_day_smooth,
    }
    return GreenhouseWeather(start, interval, inputs)
