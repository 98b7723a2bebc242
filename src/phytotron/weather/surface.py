"""Near the ground: wind over grass, warmth of the deep soil."""

import math

from phytotron.core.arrays import namespace
from phytotron.core.fields import Value

DAYS_PER_YEAR = 365.0


def wind_at_2m(wind: Value, height: float = 10.0) -> Value:
    """Return the wind speed [m s-1] at 2 m over short grass from that measured at another height [m].

    Allen, Pereira, Raes and Smith 1998, FAO Irrigation and Drainage Paper 56, eq. 47.
    """
    return wind * 4.87 / math.log(67.8 * height - 5.42)


def deep_soil_temperature(time: Value) -> Value:
    """Return the temperature [°C] a metre below grassland in the Netherlands; time in days since the start of the year.

    A sine through the long-term record of Jacobs, Heusinkveld and Holtslag 2011, Agric. For. Meteorol. 151, 774-780.
    """
    return 10.0 + 5.0 * namespace(time).sin(2.0 * math.pi * (time / DAYS_PER_YEAR + 0.625))
