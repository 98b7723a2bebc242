"""Reference runs of the GreenLight model: .npz files recorded from the published implementations.

A file is recognised by its arrays, not by its name. Both kinds have x (28 states), u (8 controls), d (10 weather
inputs), whose columns are named by `state_names`, `control_names` and `weather_names`, the name of the `parameter_set`
and, if the site is not at sea level, its `elevation` [m].

derivative table
    `dxdt`: rates of change at independent points, one row each.
trajectory
    `t` [s] in even steps, x at these times, and `hold`: what u and d do between the times. "constant": row k holds
    from t[k] to t[k + 1]. "pchip weather, constant control": u likewise, d by a monotone cubic through its rows.
    "linear": u and d are samples of a continuous run in closed loop.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phytotron.core.errors import PhytotronError
from phytotron.models.greenlight import Control, Equations, Parameters, State, Weather, load_parameters, published
from phytotron.verification.archives import Arrays, Floats, archives

CONSTANT, PCHIP, LINEAR = "constant", "pchip weather, constant control", "linear"
HOLDS = (CONSTANT, PCHIP, LINEAR)


@dataclass(frozen=True, eq=False)
class Reference:
    """The common content of both kinds of file. Columns are in the order of our records."""

    name: str
    parameter_set: str
    parameters: Parameters
    x: Floats
    u: Floats
    d: Floats

    @property
    def equations(self) -> Equations:
        """The equations that the parameter set was published with."""
        return published(self.parameter_set)


@dataclass(frozen=True, eq=False)
class DerivativeTable(Reference):
    """Rates of change [unit of the state per s] at independent points, one row each."""

    dxdt: Floats


@dataclass(frozen=True, eq=False)
class Trajectory(Reference):
    """A run: states at even steps, and what controls and weather do between them."""

    hold: str
    interval: float  # s, between the rows of x


def read_parameters(arrays: Arrays) -> tuple[str, Parameters]:
    """Return the name of a parameter set, and its parameters at the elevation of the file."""
    name = arrays.text("parameter_set", "the name of a parameter set")
    site = {"elevation": arrays.number("elevation", "one number [m]")} if "elevation" in arrays else {}
    try:
        published(name)
        return name, load_parameters(name, **site)
    except PhytotronError as error:
        raise arrays.fail(str(error), "a parameter set and an elevation that the model knows") from error


def read_reference(path: Path) -> DerivativeTable | Trajectory:
    """Return the reference in a file of either kind."""
    arrays = Arrays(path)
    if "dxdt" in arrays:
        x = arrays.table("x", State, "state_names")
        rows = (len(x),)
        u, d = arrays.table("u", Control, "control_names", rows), arrays.table("d", Weather, "weather_names", rows)
        dxdt = arrays.table("dxdt", State, "state_names", rows)
        return DerivativeTable(path.name, *read_parameters(arrays), x, u, d, dxdt)
    if "t" not in arrays or "x" not in arrays:
        missing = " and ".join(repr(key) for key in ("t", "x") if key not in arrays)
        problem = f"array 'dxdt' is missing, and so is {missing}"
        raise arrays.fail(problem, "dxdt (a derivative table) or t and x (a trajectory)")
    t = arrays.numbers("t", 1, "of shape (n,): times [s]")
    steps = np.diff(t)
    if len(t) < 2 or steps[0] <= 0.0 or not np.allclose(steps, steps[0], rtol=1e-6, atol=0.0):
        raise arrays.fail("array 't' is not a series of even steps", "at least two times [s], evenly spaced")
    hold = arrays.text("hold", " or ".join(map(repr, HOLDS)))
    if hold not in HOLDS:
        raise arrays.fail(f"array 'hold' is {hold!r}", " or ".join(map(repr, HOLDS)))
    lengths = (len(t),) if hold == LINEAR else (len(t) - 1, len(t))
    u, d = arrays.table("u", Control, "control_names", lengths), arrays.table("d", Weather, "weather_names", lengths)
    x = arrays.table("x", State, "state_names", (len(t),))
    return Trajectory(path.name, *read_parameters(arrays), x, u, d, hold, float(steps[0]))


def read_folder(folder: Path) -> list[DerivativeTable | Trajectory]:
    """Return all references in a folder, by name."""
    return [read_reference(path) for path in archives(folder)]
