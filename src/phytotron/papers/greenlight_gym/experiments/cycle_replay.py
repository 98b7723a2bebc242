"""Replaying the recorded controls and weather of table 9 with a solver, in float64."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from phytotron.core.compilation import single_kernel
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import stack, symbols, unstack
from phytotron.episodes.engine import Progress
from phytotron.models.greenlight import (
    Control,
    GreenLight,
    Parameters,
    State,
    Weather,
    forcing,
    load_parameters,
    published,
)
from phytotron.papers.greenlight_gym.experiments.recording import PARAMETER_SET, SHOWN, Cycles, Floats
from phytotron.solvers import Steps, integrate, uniform

Course = tuple[Array, Array]


@dataclass(frozen=True)
class Numerics:
    """A solver, and the time [s] for which it holds control and weather at their mean."""

    solver: str
    hold: float

    @property
    def steps(self) -> Steps:
        """One step of RK4 per hold, as in the paper; for others what they take by themselves."""
        return uniform(self.hold, 1) if self.solver == "rk4" else GreenLight(self.solver, self.hold).steps


def replay(cycles: Cycles, numerics: Numerics, told: Progress) -> Floats:
    """The states SHOWN at the times of the recorded ones, the start left out; `told` how far it is."""
    with jax.enable_x64(True):
        parameters = jax.tree.map(jnp.float64, load_parameters(PARAMETER_SET, elevation=cycles.elevation))
        state = unstack(State, jnp.asarray(cycles.x0))
        blocks = len(cycles.states) - 1  # of `state_interval`
        day = SECONDS_PER_DAY // cycles.state_interval
        # Over so many seconds control and weather are straight lines; no shorter than a hold.
        row = max(float(cycles.control_interval), numerics.hold)
        found = []
        for first in range(0, blocks, day):
            last = min(first + day, blocks)
            rows = [block_rows(each, cycles, numerics.hold, first, last) for each in (cycles.controls, cycles.weather)]
            state, shown = _run(state, (rows[0], rows[1]), parameters, numerics=numerics, row=row)
            found.append(np.asarray(shown))
            told(last, blocks)
    return np.concatenate(found)


def block_rows(values: Floats, cycles: Cycles, hold: float, first: int, last: int) -> Course:
    """Values at the start and the end of every row: (blocks, rows of a block, cycles, columns).

    Where a hold is longer than the recorded rows, both are the mean over it.
    """
    per_block = cycles.state_interval // cycles.control_interval
    chosen = values[first * per_block : last * per_block + 1]
    shape = (last - first, per_block, *values.shape[1:])
    start, end = chosen[:-1].reshape(shape), chosen[1:].reshape(shape)
    joined = round(hold / cycles.control_interval)
    if joined > 1:
        pieces = (0.5 * (start + end)).reshape(last - first, per_block // joined, joined, *values.shape[1:])
        start = end = pieces.mean(axis=2)
    return jnp.asarray(start), jnp.asarray(end)


@partial(jax.jit, static_argnames=("numerics", "row"))
def _run(
    state: State, course: tuple[Course, Course], parameters: Parameters, *, numerics: Numerics, row: float
) -> tuple[State, Array]:
    equations = published(PARAMETER_SET)
    model = GreenLight(numerics.solver, equations=equations)
    holds = round(row / numerics.hold)
    shown = jnp.asarray([symbols(State).index(symbol) for symbol in SHOWN])

    def advance(state: State, controls: Course, weathers: Course, p: Parameters) -> State:
        def one(index: Array, now: State) -> State:
            middle = (index + 0.5) / holds
            control, weather = (start + middle * (end - start) for start, end in (controls, weathers))
            held = forcing(unstack(Control, control), unstack(Weather, weather), p, equations)
            return integrate(model.method, model.problem(held), now, numerics.steps)

        return lax.fori_loop(0, holds, one, state)

    kernel = single_kernel(advance)

    def each_row(state: State, now: tuple[Course, Course]) -> tuple[State, None]:
        return kernel(state, *now, parameters), None

    def each_block(state: State, now: Any) -> tuple[State, Array]:
        state, _ = lax.scan(each_row, state, now)
        return state, stack(state)[..., shown]

    return lax.scan(each_block, state, course)
