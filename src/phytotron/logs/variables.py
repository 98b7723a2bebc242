"""The quantities that a greenhouse log can hold: name, symbol, unit, meaning, the values that can occur."""

from types import MappingProxyType

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.units import CONVERSIONS, find_unit

# name, symbol, unit, meaning, lowest and highest value
_ROWS = (
    ("air_temperature", "Tair", "°C", "air temperature", -20, 60),
    ("relative_humidity", "Rhair", "%", "relative humidity of the air", 1, 100),
    ("co2", "CO2air", "ppm", "CO2 mole fraction of the air", 150, 5000),
    ("vent_lee", "VentLee", "%", "aperture of the vents on the lee side", 0, 101),
    ("vent_wind", "VentWind", "%", "aperture of the vents on the wind side", 0, 101),
    ("thermal_screen", "EnScr", "%", "closure of the thermal (energy) screen", 0, 101),
    ("blackout_screen", "BlckScr", "%", "closure of the blackout screen", 0, 101),
    ("pipe_temperature", "Tpipe", "°C", "temperature of the heating pipes while their pump runs", 1, 110),
    ("heating_pump", "pump", "-", "1 while the pump of the heating pipes runs", 0, 1),
    ("co2_dosing", "CO2reg", "-", "1 while CO2 is dosed", 0, 1),
    ("par_above_crop", "PARin", "µmol m-2 s-1", "photons of sun and lamps above the crop", -5, 3000),
    ("outdoor_temperature", "Tout", "°C", "outdoor air temperature", -60, 60),
    ("outdoor_relative_humidity", "Rhout", "%", "outdoor relative humidity", 1, 100),
    ("global_radiation", "Iglob", "W m-2", "global radiation on a horizontal plane", 0, 1600),
    ("wind_speed", "Windsp", "m s-1", "wind speed", 0, 80),
    ("outdoor_par", "PARout", "µmol m-2 s-1", "photons of the sun outdoors", -5, 3500),
    ("net_longwave", "Pyrgeo", "W m-2", "longwave radiation of the sky less that of air temperature", -200, 60),
    ("plant_density", "density", "m-2", "heads per area of the crop", 0, 1000),
    ("head_dry_weight", "dry", "g", "sampled dry weight of a head, mean", 0, 1000),
    ("air_temperature_second", "Tair2", "°C", "air temperature, second sensor", -20, 60),
    ("relative_humidity_second", "Rhair2", "%", "relative humidity, second sensor", 0, 100),
    ("par_above_crop_second", "PARin2", "µmol m-2 s-1", "photons above the crop, second sensor", -5, 3000),
)  # fmt: skip
VARIABLES = MappingProxyType({row[0]: Quantity(*row) for row in _ROWS})

CLIMATE = ("air_temperature", "relative_humidity", "co2")
ACTUATORS = ("vent_lee", "vent_wind", "thermal_screen", "blackout_screen", "heating_pump", "co2_dosing")
WEATHER = ("outdoor_temperature", "outdoor_relative_humidity", "global_radiation", "wind_speed")
REQUIRED = (*CLIMATE, *ACTUATORS, "pipe_temperature", "par_above_crop", *WEATHER)


def log_variable(name: str) -> Quantity:
    """Return the quantity of a name."""
    if name not in VARIABLES:
        raise UnknownNameError("quantity of a greenhouse log", name, VARIABLES)
    return VARIABLES[name]


def conversion(name: str, unit: str) -> tuple[float, float]:
    """Return the factor and offset from a unit in a file to the unit of a quantity."""
    known = CONVERSIONS[log_variable(name).unit]
    found = find_unit(unit, known)
    if found is None:
        raise ValueRangeError(f"the unit of {name}", unit, f"one of {', '.join(known)}")
    return known[found]
