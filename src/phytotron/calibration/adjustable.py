"""The parameters that a calibration may change, with their physical ranges and usual deviations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
import numpy as np

from phytotron.calibration.installation import Installation
from phytotron.calibration.replay import Twin
from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import find, names
from phytotron.models.greenlight import Parameters
from phytotron.models.greenlight.parameter_sets import WHOLE_HOUSE


@dataclasses.dataclass(frozen=True)
class Adjustable:
    """One parameter of a fit. The prior is normal around the starting set: of the logarithm, or of the value itself."""

    name: str
    low: float
    high: float
    spread: float  # standard deviation of the prior
    logarithmic: bool = True
    tied: tuple[str, ...] = ()  # parameters that take the same value
    centre: float | None = None  # of the prior, where the starting set says nothing
    apart: bool = False  # whether it differs between compartments of one house that are fitted together

    def coordinate(self, value: float) -> float:
        """Return a value on the scale of the fit, in standard deviations of the prior."""
        inside = float(np.clip(value, self.low, self.high))
        return (float(np.log(inside)) if self.logarithmic else inside) / self.spread

    def value(self, coordinate: Any) -> Any:
        """Return the inverse of `coordinate`."""
        scaled = coordinate * self.spread
        return jnp.exp(scaled) if self.logarithmic else scaled


KNOWN_HOUSE = 0.3  # how much narrower priors are where another compartment of the house was fitted before

# What belongs to the whole house (cover area, CO2 supply) has its range per square metre of floor.
_ROWS = (
    # the house
    Adjustable("roof_par_transmission", 0.15, 0.86, 0.4, tied=("roof_nir_transmission",)),
    Adjustable("direct_entry", 0.02, 1.5, 0.7),
    Adjustable("sun_absorbed_by_construction", 0.01, 0.6, 0.7),
    Adjustable("cover_area", 1.0, 4.0, 0.3),
    Adjustable("inner_convection", 0.5, 6.0, 0.5),
    Adjustable("leakage", 1e-6, 2e-3, 1.0, apart=True),
    Adjustable("leakage_top_fraction", 0.05, 0.98, 0.3, logarithmic=False),
    Adjustable("thermal_screen_flux", 1e-5, 1e-2, 1.0),
    Adjustable("blackout_screen_flux", 1e-5, 1e-2, 1.0),
    # Wind alone tells only the product of the discharge and the root of the pressure coefficient. The discharge is a
    # property of the opening (0.3 to 0.75 in the literature), the pressure one of site and mast: that one is adjusted.
    Adjustable("vent_discharge", 0.15, 1.0, 0.25),
    Adjustable("vent_wind_pressure", 1e-5, 0.3, 1.5),
    Adjustable("inner_capacity", 1e3, 5e5, 1.0, centre=2e4),
    Adjustable("side_wall_conductance", 0.02, 10.0, 1.0, centre=0.5),
    Adjustable("neighbour_temperature", 10.0, 28.0, 3.0, logarithmic=False, apart=True),
    Adjustable("one_sided", 0.02, 1.0, 0.3, logarithmic=False),
    Adjustable("vent_exponent", 0.3, 1.5, 0.3, logarithmic=False),
    Adjustable("pipe_length", 0.3, 6.0, 0.5),
    Adjustable("grow_pipe_length", 0.05, 80.0, 1.0),
    Adjustable("floor_thickness", 0.004, 0.2, 0.7),
    Adjustable("soil_conductivity", 0.1, 4.0, 0.5),
    Adjustable("soil_warmth", -8.0, 15.0, 3.0, logarithmic=False),
    Adjustable("outdoor_co2", 390.0, 480.0, 0.03, apart=True),
    # what differs between compartments of one house
    Adjustable("lamp_power", 5.0, 400.0, 0.7, apart=True),
    Adjustable("sun_share", 0.03, 0.9, 0.2, apart=True),
    Adjustable("direct_share", 0.01, 0.9, 0.4, apart=True),
    Adjustable("co2_supply", 0.01, 30.0, 1.5, apart=True),
    Adjustable("co2_source", 1e-4, 1.0, 1.5, centre=0.01, apart=True),
    Adjustable("closed_leaf_area", 0.05, 10.0, 0.7, apart=True),
    Adjustable("wet_area", 1e-3, 2.0, 1.5, apart=True),
    Adjustable("surface_exchange", 1e-6, 1e-2, 1.5, centre=1e-4, apart=True),
    Adjustable("surface_temperature", 0.0, 25.0, 3.0, logarithmic=False, centre=13.0, apart=True),
    Adjustable("stomatal_resistance_minimum", 3.0, 1000.0, 0.6, apart=True),
    Adjustable("stomatal_radiation1", 0.54, 30.0, 0.7, apart=True),
    Adjustable("electron_yield", 0.02, 2.0, 0.7, apart=True),
)
ADJUSTABLE: Mapping[str, Adjustable] = MappingProxyType({each.name: each for each in _ROWS})


def chosen(fit: Sequence[str] | None, floor_area: float, known: bool = False) -> tuple[Adjustable, ...]:
    """Return the adjustable parameters of these names, by default all, with their ranges for a floor area [m2].

    `known`: the fit begins with an earlier calibration of such a house. Its values are then the centres of the priors,
    and those of the house, which compartments share, are narrower.
    """
    for name in fit or ():
        if name not in ADJUSTABLE:
            raise UnknownNameError("parameter that can be fitted", name, ADJUSTABLE)
    found = []
    for each in (ADJUSTABLE[name] for name in fit or ADJUSTABLE):
        size = floor_area if each.name in WHOLE_HOUSE else 1.0
        found.append(dataclasses.replace(each, low=size * each.low, high=size * each.high))
        if known:
            spread = each.spread if each.apart else KNOWN_HOUSE * each.spread
            found[-1] = dataclasses.replace(found[-1], spread=spread, centre=None)
    return tuple(found)


def prior_centre(twin: Twin, each: Adjustable) -> float:
    """Return the coordinate of the prior's centre."""
    return each.coordinate(float(value_of(twin, each.name)) if each.centre is None else each.centre)


def value_of(twin: Twin, name: str) -> Any:
    """Return the value of a parameter of the house or of its installation."""
    return getattr(twin.installation if name in names(Installation) else twin.parameters, name)


def with_values(twin: Twin, values: Mapping[str, Any]) -> Twin:
    """Return a twin with other values, not checked: for use under `jit`."""
    own = {name: value for name, value in values.items() if name in names(Installation)}
    others = {find(Parameters, name).name: value for name, value in values.items() if name not in own}
    return Twin(
        parameters=dataclasses.replace(twin.parameters, **others),
        installation=dataclasses.replace(twin.installation, **own),
    )


def moved(twin: Twin, choice: Sequence[Adjustable], coordinates: Any) -> Twin:
    """Return a twin with the parameters of a fit at these coordinates."""
    values: dict[str, Any] = {}
    for index, each in enumerate(choice):
        value = each.value(coordinates[index])
        values |= dict.fromkeys((each.name, *each.tied), value)
    return with_values(twin, values)
