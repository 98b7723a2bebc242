"""The weather variables that Phytotron knows: name, symbol, unit, meaning, the values that can occur on earth."""

import dataclasses
from types import MappingProxyType

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import Quantity


@dataclasses.dataclass(frozen=True)
class Variable(Quantity):
    """A quantity of the weather. A `total` is summed over the interval of its row; all others are means or values."""

    total: bool = False


# name, symbol, unit, meaning, lowest and highest value
_VALUES = (
    ("global_radiation", "iGlob", "W m-2", "global radiation on a horizontal plane, mean", 0, 1600),
    ("air_temperature", "tOut", "°C", "air temperature at 2 m", -90, 60),
    ("minimum_temperature", "TMIN", "°C", "lowest air temperature", -90, 60),
    ("maximum_temperature", "TMAX", "°C", "highest air temperature", -90, 60),
    ("relative_humidity", "RH", "%", "relative humidity at 2 m", 0, 100),
    ("vapour_pressure", "vpOut", "Pa", "vapour pressure at 2 m", 0, 10000),
    ("dew_point", "tDew", "°C", "dew point temperature at 2 m", -100, 50),
    ("wind_speed", "wind", "m s-1", "wind speed at 10 m", 0, 110),
    ("wind_speed_2m", "WIND", "m s-1", "wind speed at 2 m", 0, 110),
    ("sky_temperature", "tSky", "°C", "temperature of a black sky that radiates as much as the real one", -110, 60),
    ("longwave_radiation", "L", "W m-2", "longwave radiation from the sky", 40, 700),
    ("soil_temperature", "tSoOut", "°C", "temperature of the deep soil", -60, 60),
    ("cloud_cover", "c", "-", "fraction of the sky under cloud", 0, 1),
    ("air_pressure", "p", "Pa", "air pressure at the station", 40000, 110000),
    ("co2", "co2Out", "ppm", "CO2 mole fraction", 150, 2000),
    ("filled", "filled", "-", "1 where a value was missing and has been interpolated", 0, 1),
)
_TOTALS = (
    ("rain", "RAIN", "mm", "precipitation", 0, 2000),
    ("irradiation", "IRRAD", "J m-2", "global radiation on a horizontal plane", 0, 60e6),
    ("extraterrestrial_irradiation", "TOA", "J m-2", "radiation above the atmosphere on a horizontal plane", 0, 60e6),
    ("open_water_evaporation", "E0", "mm", "Penman evaporation of open water", 0, 60),
    ("bare_soil_evaporation", "ES0", "mm", "Penman evaporation of wet bare soil", 0, 60),
    ("reference_evapotranspiration", "ET0", "mm", "Penman-Monteith evapotranspiration of grass", 0, 60),
)

VARIABLES = MappingProxyType(
    {row[0]: Variable(*row) for row in _VALUES}
    | {row[0]: dataclasses.replace(Variable(*row), total=True) for row in _TOTALS}
)


def variable(name: str) -> Variable:
    """Return the variable of a name."""
    if name not in VARIABLES:
        raise UnknownNameError("weather variable", name, VARIABLES)
    return VARIABLES[name]
