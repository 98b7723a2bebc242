"""Similarity of two climates by the CCAFS method of climate analogues, from monthly temperature and rain.

Similarity, as in the release of the method (the R package `analogues`): per variable k / (k + d), with d the root mean
square of the differences over the months and k the distance at which similarity is one half; then the mean by weights.
1 is the same climate.

Choices:

- variables and weights: mean temperature [°C] and precipitation [mm per month], one half each;
- k: 10 for both, in these units, which is what the release takes for a variable that its table of k does not list; the
  table itself is binary and was not at hand, so that k is an argument here;
- no normalisation beyond k: months differ by more millimetres of rain than degrees, so that rain counts more;
- lag: months by which the second year is turned before it is compared, for sites of opposite seasons; from the phase of
  the first harmonic of temperature, which gives 0 for two sites of the same hemisphere.

Reference: Ramirez-Villegas et al. 2011, Climate analogues: finding tomorrow's agriculture today, CCAFS Working Paper.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import ShapeError
from phytotron.weather.field_weather import FieldWeather
from phytotron.weather.table import WeatherError

Numbers = NDArray[np.float64]

MONTH_DAYS = np.array([31.0, 28.25, 31.0, 30.0, 31.0, 30.0, 31.0, 31.0, 30.0, 31.0, 30.0, 31.0])
FIRST_DAY = np.array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])  # of a month, in a year of 365 days
WEIGHTS = (0.5, 0.5)  # temperature, rain
HALF = (10.0, 10.0)  # °C and mm per month, where similarity is one half


class MonthlyClimate(NamedTuple):
    """Means of twelve months."""

    temperature: Numbers  # °C
    rain: Numbers  # mm per month

    def turned(self, lag: int) -> MonthlyClimate:
        """Return the climate in which each month has the values of the month that is `lag` months later."""
        return MonthlyClimate(np.roll(self.temperature, -lag), np.roll(self.rain, -lag))


def monthly_climate(weather: FieldWeather) -> MonthlyClimate:
    """Return averages over all days of each month that the seasons hold; they have to reach into December."""
    day = np.arange(weather.days)
    leap = np.asarray(weather.leap)[:, None] & (day >= 59)
    month = np.searchsorted(FIRST_DAY, np.where(leap, day - 1, day), side="right") - 1
    held = day < np.asarray(weather.length)[:, None]
    temperature, rain = (np.asarray(weather.series(name), float) for name in ("air_temperature", "rain"))
    within = [held & (month == number) for number in range(12)]
    if not all(chosen.any() for chosen in within):
        raise WeatherError(f"the weather of {', '.join(weather.sites)} does not hold all months of a year")
    means = np.array([[temperature[chosen].mean(), rain[chosen].mean()] for chosen in within])
    return MonthlyClimate(means[:, 0], means[:, 1] * MONTH_DAYS)


def distances(one: MonthlyClimate, other: MonthlyClimate, lag: int = 0) -> tuple[float, float]:
    """Return the root mean square of the differences over the months: temperature [°C] and rain [mm per month]."""
    temperature, rain = (float(np.sqrt(np.mean(d**2))) for d in _differences(one, other, lag))
    return temperature, rain


def similarity(
    one: MonthlyClimate,
    other: MonthlyClimate,
    weights: tuple[float, float] = WEIGHTS,
    half: tuple[float, float] = HALF,
    lag: int = 0,
) -> float:
    """Return the similarity from 0 to 1, for the same climate: the mean by weights of k / (k + distance)."""
    parts = zip(weights, half, distances(one, other, lag), strict=True)
    return sum(weight * k / (k + distance) for weight, k, distance in parts) / sum(weights)


def seasonal_lag(one: MonthlyClimate, other: MonthlyClimate) -> int:
    """Return months by which the second site's year of temperature is behind: -5 to 6, 6 for opposite hemispheres."""
    first, second = (np.angle(np.fft.fft(each.temperature)[1]) for each in (one, other))
    lag = round(float((first - second) * 12 / (2.0 * np.pi))) % 12
    return lag - 12 if lag > 6 else lag


def _differences(one: MonthlyClimate, other: MonthlyClimate, lag: int) -> tuple[Numbers, Numbers]:
    for climate in (one, other):
        for name, values in climate._asdict().items():
            if np.shape(values) != (12,):
                raise ShapeError(f"the monthly {name}", "(12,)", np.shape(values), "one number per month")
    turned = other.turned(lag)
    return one.temperature - turned.temperature, one.rain - turned.rain
