"""Where the published versions of GreenLight differ in their equations.

The defaults are the physically correct forms; `published` gives what a publication's own code does, which is what
the reference runs were made with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from phytotron.core.errors import UnknownNameError


@dataclass(frozen=True)
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
    """

    nir_reflection_with_canopy_transmission: bool = False
    pipe_sees_sky_through_blackout_screen: bool = False
    density_grows_with_elevation: bool = False
    blackout_screen_may_evaporate: bool = False
    rounded_vapour_constant: bool = False


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
    """The equations of the code that a parameter set was published with."""
    if parameter_set not in _PUBLISHED:
        raise UnknownNameError("parameter set", parameter_set, _PUBLISHED)
    return Equations(**_PUBLISHED[parameter_set])
