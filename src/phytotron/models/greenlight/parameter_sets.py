"""The three published greenhouses: their numbers, where their equations differ, and how to change them.

Each set is the defaults of `Parameters` (Katzin et al. 2021) with the numbers in which it differs. The equations are
the physically correct forms by default; `published` gives what a publication's own code does, which is what the
reference runs were made with.
"""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import Value, find, replace
from phytotron.models.greenlight.parameters import Parameters

DEFAULT_SET = "katzin2021_4ha_led"

# Where the codes of GreenLight-Gym and gl-gym have other numbers than greenlight 2.0.5; neither has inter-lamps.
_COMMON_NUMBERS = {
    "convective_exponent": 1.0 / 3.0,
    "interlamp_par_efficiency": 0.0,
    "interlamp_nir_efficiency": 0.0,
    "interlamp_photons_per_joule": 0.0,
    "interlamp_emissivity": 0.0,
    "interlamp_convection": 0.0,
    "leaf_pruning_rate": 5e4,
    "harvest_slope": 2.0 * 4.6052 / 1e4,  # ln 100 to five digits
}

# GreenLight-Gym (van Laatum et al.): Vanthoor's 1.4 ha greenhouse with LED lamps.
_GREENLIGHT_GYM = _COMMON_NUMBERS | {
    "floor_area": 1.4e4,
    "cover_area": 1.8e4,
    "roof_slope": 25.0,
    "air_height": 3.8,
    "greenhouse_height": 4.2,
    "roof_vent_area": 1.4e3,
    "roof_vent_height": 0.68,
    "pipe_length": 1.875,
    "boiler_power": 130.0 * 1.4e4,
    "co2_supply": 7.2e4,
    "lamp_par_efficiency": 3.0 / 5.41,  # 3 µmol photons per joule of electricity
    "lamp_photons_per_joule": 5.41,
}

# Katzin et al. 2020: the 144 m2 compartment in Bleiswijk with LED lamps, as distributed with gl-gym.
_KATZIN_2020 = _COMMON_NUMBERS | {
    "floor_area": 144.0,
    "cover_area": 216.6,
    "roof_slope": 23.0,
    "air_height": 5.7,
    "greenhouse_height": 6.2,
    "inner_convection": 3.5,
    "roof_par_transmission": 0.57,
    "roof_nir_transmission": 0.57,
    "thermal_screen_par_transmission": 0.75,
    "thermal_screen_nir_transmission": 0.75,
    "thermal_screen_flux": 5e-4,
    "blackout_screen_flux": 5e-4,
    "roof_vent_area": 52.2,
    "roof_vent_height": 0.87,
    "vent_discharge": 0.35,
    "vent_wind_pressure": 0.02,
    "leakage": 3e-5,
    "leakage_top_fraction": 0.9,
    "pipe_length": 1.3375,
    "pipe_inner_diameter": 0.04875,
    "boiler_power": 130.0 * 144.0,
    "co2_supply": 720.0,
    "lamp_power": 116.0,
    "lamp_area": 0.05,
    "lamp_par_efficiency": 0.31,
    "lamp_cooling_fraction": 0.63,
    "lamp_photons_per_joule": 5.2,
    "fruit_maximum": 3e6,
}

PARAMETER_SETS = MappingProxyType(
    {
        DEFAULT_SET: {},
        "greenlight_gym_1p4ha_led": _GREENLIGHT_GYM,
        "katzin2020_144m2": _KATZIN_2020,
    }
)

# What a greenhouse of another floor area has more or less of; everything else is per square metre, or a property.
WHOLE_HOUSE = ("cover_area", "roof_vent_area", "boiler_power", "grow_pipe_boiler_power", "co2_supply")

# Pairs of which the first must be smaller, and shares of the light that must not exceed it. The screens are not among
# them: Katzin 2020 has 0.75 + 0.35 for one.
SMALLER = (
    ("air_height", "greenhouse_height"),
    ("pipe_inner_diameter", "pipe_outer_diameter"),
    ("grow_pipe_inner_diameter", "grow_pipe_outer_diameter"),
)
SHARES = tuple((f"roof_{band}_transmission", f"roof_{band}_reflection") for band in ("par", "nir", "fir"))


@dataclasses.dataclass(frozen=True)
class Equations:
    """Choices of form. Differences that are mere numbers (exponent of convection, pruning rate) are parameters.

    nir_reflection_with_canopy_transmission
        GreenLight-Gym squares the canopy's NIR transmission, not the cover's, in the light that cover and canopy
        reflect upwards. Correct: False (Vanthoor 2011, eq. 8.15).
    pipe_sees_sky_through_blackout_screen
        GreenLight-Gym and gl-gym leave the blackout screen out of the exchange between pipes and sky. Correct: False.
        It matters only for covers that let far-infrared pass.
    density_grows_with_elevation
        Vanthoor 2011, eq. 8.24, as printed and as in greenlight 2.0.5, has air density grow with elevation. Correct:
        False (barometric formula). It matters only away from sea level.
    blackout_screen_may_evaporate
        greenlight 2.0.5 lets water condense on the blackout screen only (Katzin 2021, eq. 7.39); GreenLight-Gym and
        gl-gym keep the small reverse flux that the smooth condensation law of the thermal screen has. Correct: False.
    rounded_vapour_constant
        GreenLight-Gym and gl-gym round M_water / R to 2.165e-3 where air carries vapour, only there. Correct: False.
    screens_in_series
        All codes have each of two screens exchange heat with the air below and above as if it were alone. One above the
        other they hold a layer of air between them, with three resistances instead of two halves of one: a quarter of
        the exchange where both are closed. True is for greenhouses with two screens that are closed together; no
        published set was made with it.
    """

    nir_reflection_with_canopy_transmission: bool = False
    pipe_sees_sky_through_blackout_screen: bool = False
    density_grows_with_elevation: bool = False
    blackout_screen_may_evaporate: bool = False
    rounded_vapour_constant: bool = False
    screens_in_series: bool = False


_PUBLISHED: dict[str, dict[str, Any]] = {
    "katzin2021_4ha_led": {"density_grows_with_elevation": True},
    "greenlight_gym_1p4ha_led": {
        "nir_reflection_with_canopy_transmission": True,
        "pipe_sees_sky_through_blackout_screen": True,
        "blackout_screen_may_evaporate": True,
        "rounded_vapour_constant": True,
    },
    "katzin2020_144m2": {
        "pipe_sees_sky_through_blackout_screen": True,
        "blackout_screen_may_evaporate": True,
        "rounded_vapour_constant": True,
    },
}


def published(parameter_set: str) -> Equations:
    """Return the equations of the code that a parameter set was published with."""
    if parameter_set not in _PUBLISHED:
        raise UnknownNameError("parameter set", parameter_set, _PUBLISHED)
    return Equations(**_PUBLISHED[parameter_set])


def load_parameters(name: str = DEFAULT_SET, **overrides: Any) -> Parameters:
    """Return a named parameter set, altered by overrides: by field name or published symbol.

    >>> load_parameters("katzin2020_144m2", floor_area=288.0).cover_area  # twice as large as published
    433.2
    """
    if name not in PARAMETER_SETS:
        raise UnknownNameError("parameter set", name, PARAMETER_SETS)
    return altered(replace(Parameters(), PARAMETER_SETS[name]), overrides)


def altered(parameters: Parameters, overrides: Mapping[str, Any]) -> Parameters:
    """Return parameters with overrides by field name or published symbol; what no greenhouse can have is refused.

    With another `floor_area`, what belongs to the whole house is `scaled`, except for what is overridden itself.
    """
    made, given = replace(parameters, overrides), {find(Parameters, key).name for key in overrides}
    if "floor_area" in given:
        grown = scaled(parameters, made.floor_area)
        made = dataclasses.replace(made, **{name: getattr(grown, name) for name in WHOLE_HOUSE if name not in given})
    check_consistency(made)
    return made


def scaled(parameters: Parameters, floor_area: Value) -> Parameters:
    """Return the same greenhouse with another floor area [m2]: cover, vents, boilers and CO2 supply per floor area
    stay.
    """
    factor = floor_area / parameters.floor_area
    return dataclasses.replace(
        parameters, floor_area=floor_area, **{name: factor * getattr(parameters, name) for name in WHOLE_HOUSE}
    )


def check_consistency(parameters: Parameters, owner: str = "Parameters") -> None:
    """Refuse combinations that no greenhouse can have; `owner` names the parameters in the error."""
    for small, large in SMALLER:
        if np.any(np.asarray(getattr(parameters, small)) >= np.asarray(getattr(parameters, large))):
            raise PhytotronError(f"{owner}.{small} must be smaller than {large}; change one of the two")
    for one, other in SHARES:
        if np.any(np.asarray(getattr(parameters, one)) + np.asarray(getattr(parameters, other)) > 1.0):
            raise PhytotronError(f"{owner}.{one} and {other} must not add up to more than 1; lower one of the two")
