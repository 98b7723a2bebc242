"""GreenLight: climate and tomato crop of a greenhouse with lamps.

28 states, 8 controls, 10 weather inputs; Vanthoor 2011, Katzin et al. 2020 and 2021. One module per physical process.
"""

from phytotron.models.greenlight.derivative import Forcing, Processes, derivative, forcing, processes
from phytotron.models.greenlight.parameter_sets import (
    DEFAULT_SET,
    PARAMETER_SETS,
    Equations,
    altered,
    load_parameters,
    published,
    scaled,
)
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.simulation import GreenLight, check_inputs, spectral_radius_bound
from phytotron.models.greenlight.states import Control, State, Weather, indoor_climate, outdoor_climate

__all__ = [
    "DEFAULT_SET",
    "PARAMETER_SETS",
    "Control",
    "Equations",
    "Forcing",
    "GreenLight",
    "Parameters",
    "Processes",
    "State",
    "Weather",
    "altered",
    "check_inputs",
    "derivative",
    "forcing",
    "indoor_climate",
    "load_parameters",
    "outdoor_climate",
    "processes",
    "published",
    "scaled",
    "spectral_radius_bound",
]
