"""Advancing the greenhouse by one control interval."""

import dataclasses
import functools
from collections.abc import Callable
from numbers import Real
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.adjoint import with_adjoint
from phytotron.core.compilation import single_kernel
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.fields import check_value, quantities
from phytotron.models.greenlight.derivative import Forcing, balances, derivative, forcing, processes
from phytotron.models.greenlight.design import vent_aperture
from phytotron.models.greenlight.fused import Outcome, run_fused
from phytotron.models.greenlight.growth import harvest_rate
from phytotron.models.greenlight.parameter_sets import Equations
from phytotron.models.greenlight.parameters import Parameters
from phytotron.models.greenlight.relaxation import relaxation
from phytotron.models.greenlight.states import Control, State, Weather
from phytotron.solvers import (
    RK4,
    RKC2,
    Euler,
    Problem,
    Rosenbrock2,
    Solver,
    Steps,
    graded,
    integrate_observing,
    stages_for,
    uniform,
)

# The default: 20 sub-steps per 300 s that grow from 2 s to 48 s. See docs/solvers.md for the errors.
SUBSTEPS_PER_INTERVAL = 20
FIRST_SUBSTEP = 2.0
DEFAULT_INTERVAL = 300.0

# Sub-steps [s] of the other solvers. Euler and RK4 have to resolve the fastest mode.
DEFAULT_SUBSTEP = {"rkc2": 3.0, "rk4": 0.5, "euler": 0.25}
SOLVERS = ("rosenbrock", *DEFAULT_SUBSTEP)


def spectral_radius_bound(parameters: Parameters, wind: float = 25.0, difference: float = 30.0) -> float:
    """Return a bound on the fastest rate of the model [1/s] for winds and air-top differences up to those given.

    The air above the screens is the fastest node: with open screens and vents it exchanges with the main air (by the
    density difference, whose derivative brings the factor 3/2) and with the outdoors (by wind and buoyancy).
    """
    p = parameters
    top_height = np.asarray(p.greenhouse_height) - np.asarray(p.air_height)
    screen_flow = np.sqrt(p.gravity * difference / (2.0 * 273.15))
    buoyancy = p.gravity * np.asarray(p.roof_vent_height) * difference / (2.0 * 273.15)
    vent_flow = (
        vent_aperture(1.0, p) * np.sqrt(buoyancy + np.asarray(p.vent_wind_pressure) * wind**2) + p.leakage * wind
    )
    exchange = 1.5 * screen_flow * (1.0 / top_height + 1.0 / np.asarray(p.air_height)) + vent_flow / top_height
    return float(np.max(exchange))


@dataclasses.dataclass(frozen=True)
class GreenLight:
    """The greenhouse model with its numerics. Hashable; all that varies between runs goes through `advance`.

    Parameters
    ----------
    solver
        "rosenbrock" (default: linearly implicit, order 2, graded sub-steps, 40 evaluations per 300 s), "rkc2"
        (stabilised explicit, order 2), "rk4" or "euler".
    interval
        Length of a control interval [s].
    substep
        Length of the solver's sub-steps [s]; for "rosenbrock" of the first one.
    substeps
        Number of sub-steps of "rosenbrock" in 300 s; fewer than 20 are for plans and training, which they make faster.
    spectral_radius
        Bound [1/s] from which "rkc2" chooses its stages; `spectral_radius_bound` gives it for a greenhouse.
    equations
        Choices where publications differ.
    fused
        Whether a batch (or `vmap`) runs as one GPU kernel per interval. By default it does in float32; gradients and
        other precisions take the plain path.
    """

    solver: str = "rosenbrock"
    interval: float = DEFAULT_INTERVAL
    substep: float | None = None
    spectral_radius: float = 4.5
    equations: Equations = Equations()  # noqa: RUF009 (frozen)
    fused: bool | None = None
    substeps: int = SUBSTEPS_PER_INTERVAL

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise UnknownNameError("solver", self.solver, SOLVERS)
        if not (isinstance(self.interval, Real) and 1.0 <= self.interval <= SECONDS_PER_DAY):
            raise ValueRangeError("GreenLight.interval", self.interval, f"1 to {SECONDS_PER_DAY} seconds")
        if self.substep is not None and not (isinstance(self.substep, Real) and 0.0 < self.substep <= self.interval):
            raise ValueRangeError("GreenLight.substep", self.substep, f"above 0 and at most {self.interval:g} seconds")
        if isinstance(self.substeps, bool) or not (isinstance(self.substeps, int) and 4 <= self.substeps <= 1000):
            raise ValueRangeError("GreenLight.substeps", self.substeps, "a whole number from 4 to 1000")
        if not (isinstance(self.spectral_radius, Real) and 0.0 < self.spectral_radius < np.inf):
            raise ValueRangeError("GreenLight.spectral_radius", self.spectral_radius, "a positive rate per second")

    @property
    def steps(self) -> Steps:
        """The sub-steps of an interval."""
        if self.solver == "rosenbrock":
            count = max(4, round(self.substeps * self.interval / DEFAULT_INTERVAL))
            return graded(self.interval, count, self.substep or FIRST_SUBSTEP)
        return uniform(self.interval, int(np.ceil(self.interval / (self.substep or DEFAULT_SUBSTEP[self.solver]))))

    @property
    def method(self) -> Solver:
        """The numerical method, with as many stages as it needs to be stable."""
        if self.solver == "rkc2":
            return RKC2(stages_for(self.spectral_radius, self.steps.first))
        others: dict[str, Solver] = {"rosenbrock": Rosenbrock2(), "rk4": RK4(), "euler": Euler()}
        return others[self.solver]

    @property
    def evaluations(self) -> int:
        """Derivative evaluations per interval."""
        return self.steps.count * self.method.evaluations

    def problem(self, held: Forcing) -> Problem:
        """Return the state equations with control and weather held constant."""

        def linearise(_: Any, state: State) -> tuple[State, Any]:
            flux = processes(state, held, self.equations)
            return balances(state, flux, held), relaxation(state, flux, held).solve

        return Problem(lambda _, state: derivative(state, held, self.equations), linearise)

    def run_inline(self, state: State, control: Control, weather: Weather, parameters: Parameters) -> Outcome:
        """Return `run` as plain operations, for use in a kernel and for forward-mode derivatives, which `run` lacks."""
        held = forcing(control, weather, parameters, self.equations)
        rate = functools.partial(harvest_rate, p=parameters)
        return Outcome(*integrate_observing(self.method, self.problem(held), state, self.steps, rate))

    def run(self, state: State, control: Control, weather: Weather, parameters: Parameters) -> Outcome:
        """Return the state one interval later and the harvest until then, control and weather being held constant.

        Every field may be a scalar or an array of environments; parameters may differ between environments. Outside of
        `jit`, where errors can be raised, the inputs are checked.
        """
        inputs = (state, control, weather, parameters)
        if not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(inputs)):
            check_inputs(*inputs)
        return run_fused(self, *inputs) if self._runs_fused(state) else _compiled(self)(*inputs)

    def advance(self, state: State, control: Control, weather: Weather, parameters: Parameters) -> State:
        """Return the state of `run`."""
        return self.run(state, control, weather, parameters).state

    def _runs_fused(self, state: State) -> bool:
        field = jnp.asarray(state.air_temperature)
        suitable = jax.default_backend() == "gpu" and field.ndim <= 1 and field.dtype == jnp.float32
        return suitable if self.fused is None else self.fused


@functools.cache
def _compiled(model: GreenLight) -> Callable[..., Outcome]:
    return with_adjoint(single_kernel(model.run_inline), model.run_inline)


def check_inputs(state: State, control: Control, weather: Weather, parameters: Parameters) -> None:
    """Refuse values that are not finite, out of range, or of shapes that do not go together."""
    shapes = {}
    for each in (state, control, weather, parameters):
        owner = type(each).__name__
        for q in quantities(each):
            value = getattr(each, q.name)
            check_value(q, value, owner)
            shapes[f"{owner}.{q.name}"] = np.shape(value)
    batches = [shape for shape in shapes.values() if shape]
    usual = max(set(batches), key=batches.count, default=())
    for name, shape in shapes.items():
        if shape not in ((), usual):
            raise ShapeError(name, f"numbers and arrays of one and the same shape, here {usual}", shape)
