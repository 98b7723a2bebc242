"""States of a field of wheat, the weather of a day, and the management on it.

Symbols are those of the LINTUL-3 literature and of PCSE; nitrogen and dry matter in g m-2, water in mm.
"""

from collections.abc import Callable
from typing import Any

from phytotron.core.fields import Value, quantity, record


def dry_matter(symbol: str, description: str) -> Any:
    """Return the metadata of a mass of dry matter per area [g m-2]."""
    return quantity(symbol, "g m-2", description, low=-1e5, high=1e5)


def nitrogen(symbol: str, description: str) -> Any:
    """Return the metadata of a mass of nitrogen per area [g{N} m-2]."""
    return quantity(symbol, "g{N} m-2", description, low=-1e4, high=1e4)


def water(symbol: str, description: str) -> Any:
    """Return the metadata of a depth of water [mm]."""
    return quantity(symbol, "mm", description, low=-1e5, high=1e5)


def so_far(kind: Callable[[str, str], Any], symbol: str, description: str) -> Any:
    """Return the metadata of a sum since the start of the season."""
    return kind(symbol, f"{description} so far")


@record
class State:
    """The field at the beginning of a day: 32 states, the last thirteen of which are sums since the start."""

    day: Value = quantity("DAY", "d", "days since the start of the season", low=0, high=1e4)
    stage: Value = quantity("DVS", "-", "development stage: 0 emergence, 1 flowering, 2 maturity", low=0, high=3)
    temperature_sum: Value = quantity("TSUM", "°C d", "temperature sum since emergence", low=0, high=1e5)
    leaf_area_index: Value = quantity("LAI", "m2 m-2", "leaf area per ground area", low=-10, high=100)
    root_depth: Value = quantity("ROOTD", "m", "depth of the roots", low=0, high=10)
    leaf_mass: Value = dry_matter("WLVG", "living leaves")
    dead_leaf_mass: Value = dry_matter("WLVD", "dead leaves")
    stem_mass: Value = dry_matter("WST", "stems")
    grain_mass: Value = dry_matter("WSO", "storage organs: the grain")
    root_mass: Value = dry_matter("WRT", "living roots")
    dead_root_mass: Value = dry_matter("WDRT", "dead roots")
    leaf_nitrogen: Value = nitrogen("ANLV", "nitrogen in living leaves")
    stem_nitrogen: Value = nitrogen("ANST", "nitrogen in stems")
    root_nitrogen: Value = nitrogen("ANRT", "nitrogen in living roots")
    grain_nitrogen: Value = nitrogen("ANSO", "nitrogen in the grain")
    soil_nitrogen: Value = nitrogen("TNSOIL", "mineral nitrogen in the soil that the crop can take up")
    soil_water: Value = water("WA", "water in the rooted soil")
    water_content: Value = quantity("WC", "m3 m-3", "water content of the rooted soil; 0 on the first day", low=-10, high=10)
    dry_days: Value = quantity("DSLR", "d", "days since the last rain, that day counting as 1", low=0, high=1e4)
    total_growth: Value = so_far(dry_matter, "TGROWTH", "dry matter grown")
    light_sum: Value = quantity("CUMPAR", "MJ m-2", "photosynthetically active radiation so far", low=0, high=1e5)
    nitrogen_uptake: Value = so_far(nitrogen, "NUPTT", "nitrogen taken up from the soil")
    fixed_nitrogen: Value = so_far(nitrogen, "NFIXTT", "nitrogen fixed from the air")
    leaf_nitrogen_loss: Value = so_far(nitrogen, "NLOSSL", "nitrogen lost with dead leaves")
    root_nitrogen_loss: Value = so_far(nitrogen, "NLOSSR", "nitrogen lost with dead roots")
    rain_sum: Value = so_far(water, "TRAIN", "rain")
    irrigation_sum: Value = so_far(water, "TIRRIG", "irrigation")
    explored_water_sum: Value = so_far(water, "TEXPLO", "water in the soil that roots have grown into")
    transpiration_sum: Value = so_far(water, "TTRAN", "transpiration")
    evaporation_sum: Value = so_far(water, "TEVAP", "evaporation from the soil")
    drainage_sum: Value = so_far(water, "TDRAIN", "drainage")
    runoff_sum: Value = so_far(water, "TRUNOF", "runoff")


@record
class Weather:
    """The weather of one day."""

    irradiation: Value = quantity("IRRAD", "J m-2 d-1", "global radiation", low=0, high=6e7)
    minimum_temperature: Value = quantity("TMIN", "°C", "lowest air temperature", low=-90, high=60)
    maximum_temperature: Value = quantity("TMAX", "°C", "highest air temperature", low=-90, high=60)
    air_temperature: Value = quantity("TEMP", "°C", "mean air temperature", low=-90, high=60)
    rain: Value = quantity("RAIN", "mm d-1", "precipitation", low=0, high=2000)
    bare_soil_evaporation: Value = quantity("ES0", "mm d-1", "evaporation of a wet bare soil", low=0, high=100)
    reference_evapotranspiration: Value = quantity("ET0", "mm d-1", "evapotranspiration of short grass", low=0, high=100)


@record
class Management:
    """The management on one day; the default is nothing."""

    nitrogen: Value = quantity("N_applied", "g{N} m-2 d-1", "nitrogen in the fertiliser", default=0.0, low=0, high=1e4)
    irrigation: Value = quantity("irrigate", "mm d-1", "irrigation water, before losses", default=0.0, low=0, high=1e4)
