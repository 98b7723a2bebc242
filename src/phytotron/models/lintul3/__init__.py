"""LINTUL-3: winter wheat on one field, limited by light, temperature, water and nitrogen.

32 states, 7 weather inputs and 2 of management per day; Shibu et al. 2010, as PCSE computes it and as CropGym's paper
(Kallenberg et al. 2023) changed it, with the nitrogen that legumes fix. One module per process.

Growth is intercepted light times light use efficiency, reduced by the scarcer of water and nitrogen, and shared between
roots, leaves, stems and grain by development stage, which follows the temperature sum. The soil is one layer of water
that deepens with the roots, and one pool of mineral nitrogen. Explicit Euler, one step per day.
"""

from phytotron.models.lintul3.parameter_sets import (
    DEFAULT_SET,
    PARAMETER_SETS,
    PLAIN_SET,
    check_inputs,
    check_parameters,
    load_parameters,
    override,
)
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.season import (
    Season,
    advance,
    harvest,
    initial_state,
    is_over,
    next_morning,
    processes,
    season,
)
from phytotron.models.lintul3.states import Management, State, Weather
from phytotron.models.lintul3.tables import Table

__all__ = [
    "DEFAULT_SET",
    "PARAMETER_SETS",
    "PLAIN_SET",
    "Management",
    "Parameters",
    "Season",
    "State",
    "Table",
    "Weather",
    "advance",
    "check_inputs",
    "check_parameters",
    "harvest",
    "initial_state",
    "is_over",
    "load_parameters",
    "next_morning",
    "override",
    "processes",
    "season",
]
