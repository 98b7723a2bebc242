"""Table 9 of GreenLight-Gym: errors against the original GreenLight over twelve cycles of ten days.

The recorded cycles are runs of the original (`greenlight` 2.0.5), condensed into one small file, whose controls and
weather are replayed with a solver in float64.

`benchmarks/record_table9.py` makes that file. Arrays, with cycles along the first axis:

starts             dates on which the cycles start; they last `days`
x0                 initial states, in the order of `models.greenlight.State`
states             SHOWN every `state_interval` seconds, as differences of whole numbers (modulo 2**16)
state_low          the lowest value of each state, which the whole number 0 stands for
state_resolution   what 1 stands for
knots              controls are piecewise linear: numbers of knots of each of MOVED
knot_distances     from each knot to the next, in units of `control_interval` seconds; 0 at the last
knot_values        at the knots, 1023 times the square root of the opening (for the screen 1 - its position)

Weather is not stored: it is that of the package at these dates, between the rows of which both models take straight
lines. Inter-lamps and grow pipes move with lamps and boiler but have no power in this greenhouse.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from numpy.typing import NDArray

from phytotron.core.compilation import single_kernel
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import names, stack, symbols, unstack
from phytotron.episodes.engine import Progress
from phytotron.models import greenlight
from phytotron.papers.greenlight_gym.numbers import PAPER, TABLE9
from phytotron.papers.result import Result, Row, Settings, mean_row
from phytotron.solvers import Steps, integrate, uniform
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather

FILE = "table9.npz"
PARAMETER_SET = "katzin2021_4ha_led"
SHOWN = ("co2Air", "tAir", "vpAir", "cFruit")
RESOLUTION = (0.02, 0.001, 0.1, 0.5)  # mg m-3, °C, Pa, mg m-2
MOVED = ("boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp")
CODE = 1023  # the whole number that stands for an opening of 1
FULL = 255  # the largest distance of two knots
SAMPLING_TIMES = (0.5, 1.0, 2.0)  # s
DEFAULT_HOLDS = (60.0, 300.0)  # s, for which the default solver holds control and weather
QUICK_CYCLES = slice(0, None, 4)  # January, May, September

Floats = NDArray[np.float64]
InputSeries = tuple[Array, Array]


@dataclass(frozen=True)
class Cycles:
    """Recorded cycles side by side; the second axis of controls, weather and states is the cycle."""

    starts: tuple[str, ...]
    elevation: float  # m
    x0: Floats  # (cycles, 28)
    states: Floats  # (samples, cycles, 4), the first at the start
    state_interval: int  # s
    controls: Floats  # (rows, cycles, 8), in the order of `Control`
    weather: Floats  # (rows, cycles, 10), at the same times
    control_interval: int  # s

    def only(self, chosen: slice) -> Cycles:
        """Return some of the cycles."""
        series = {name: getattr(self, name)[:, chosen] for name in ("states", "controls", "weather")}
        return replace(self, starts=self.starts[chosen], x0=self.x0[chosen], **series)


def load_cycles() -> Cycles:
    """Return the cycles that come with the package."""
    file = resources.files("phytotron.papers.greenlight_gym").joinpath("data", FILE)
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        return unpack({key: archive[key] for key in archive.files})


def unpack(packed: dict[str, Any]) -> Cycles:
    """Return cycles from the arrays of the file."""
    starts = tuple(str(each) for each in packed["starts"])
    interval, days = int(packed["control_interval"]), int(packed["days"])
    rows = days * SECONDS_PER_DAY // interval
    numbers = np.cumsum(packed["states"], axis=1, dtype=np.uint16)  # wraps, as the differences did
    states = packed["state_low"][:, None] + packed["state_resolution"] * numbers
    controls = np.zeros((rows + 1, len(starts), len(names(greenlight.Control))))
    ends = np.cumsum(packed["knots"].ravel())
    for index, part in enumerate(np.split(np.arange(ends[-1]), ends[:-1])):
        cycle, moved = divmod(index, len(MOVED))
        at = np.concatenate([[0], np.cumsum(packed["knot_distances"][part][:-1], dtype=int)])
        openings = np.interp(np.arange(rows + 1), at, (packed["knot_values"][part] / CODE) ** 2)
        controls[:, cycle, names(greenlight.Control).index(MOVED[moved])] = opening(MOVED[moved], openings)
    return Cycles(
        starts,
        float(packed["elevation"]),
        packed["x0"],
        states.swapaxes(0, 1),
        int(packed["state_interval"]),
        controls,
        np.stack([weather_rows(start, days, interval) for start in starts], axis=1),
        interval,
    )


def opening(name: str, position: Floats) -> Floats:
    """Return the open share of an actuator from its position, or the other way round: a closed screen is at 1."""
    return 1.0 - position if name == "thermal_screen" else position


def weather_rows(start: str, days: int, interval: int) -> Floats:
    """Return the ten inputs from a date on, every `interval` seconds, ends included."""
    weather = greenhouse_weather(embedded_weather("schiphol"))
    day = int(np.flatnonzero(weather.dates == np.datetime64(start))[0])
    per_day = SECONDS_PER_DAY // weather.interval
    rows = np.asarray(weather.values)[day * per_day : (day + days) * per_day + 1]
    wanted = np.arange(0, days * SECONDS_PER_DAY + 1, interval) / weather.interval
    return np.stack([np.interp(wanted, np.arange(len(rows)), column) for column in rows.T], axis=1)


@dataclass(frozen=True)
class Numerics:
    """A solver, and the time [s] for which it holds control and weather at their mean."""

    solver: str
    hold: float

    @property
    def steps(self) -> Steps:
        """One step of RK4 per hold, as in the paper; for others what they take by themselves."""
        return uniform(self.hold, 1) if self.solver == "rk4" else greenlight.GreenLight(self.solver, self.hold).steps


def replay(cycles: Cycles, numerics: Numerics, progress: Progress) -> Floats:
    """Return the states SHOWN at the times of the recorded ones, without the start; `progress` counts blocks."""
    with jax.enable_x64(True):
        parameters = jax.tree.map(jnp.float64, greenlight.load_parameters(PARAMETER_SET, elevation=cycles.elevation))
        state = unstack(greenlight.State, jnp.asarray(cycles.x0))
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
            progress(last, blocks)
    return np.concatenate(found)


def block_rows(values: Floats, cycles: Cycles, hold: float, first: int, last: int) -> InputSeries:
    """Return values at the start and the end of every row: (blocks, rows of a block, cycles, columns).

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
    state: greenlight.State,
    inputs: tuple[InputSeries, InputSeries],
    parameters: greenlight.Parameters,
    *,
    numerics: Numerics,
    row: float,
) -> tuple[greenlight.State, Array]:
    equations = greenlight.published(PARAMETER_SET)
    model = greenlight.GreenLight(numerics.solver, equations=equations)
    holds = round(row / numerics.hold)
    shown = jnp.asarray([symbols(greenlight.State).index(symbol) for symbol in SHOWN])

    def advance(
        state: greenlight.State, controls: InputSeries, weathers: InputSeries, p: greenlight.Parameters
    ) -> greenlight.State:
        def one(index: Array, now: greenlight.State) -> greenlight.State:
            middle = (index + 0.5) / holds
            control, weather = (start + middle * (end - start) for start, end in (controls, weathers))
            held = greenlight.forcing(
                unstack(greenlight.Control, control), unstack(greenlight.Weather, weather), p, equations
            )
            return integrate(model.method, model.problem(held), now, numerics.steps)

        return lax.fori_loop(0, holds, one, state)

    kernel = single_kernel(advance)

    def each_row(state: greenlight.State, now: tuple[InputSeries, InputSeries]) -> tuple[greenlight.State, None]:
        return kernel(state, *now, parameters), None

    def each_block(state: greenlight.State, now: Any) -> tuple[greenlight.State, Array]:
        state, _ = lax.scan(each_row, state, now)
        return state, stack(state)[..., shown]

    return lax.scan(each_block, state, inputs)


NOTES = (
    "The original is the author's own Python release, greenlight 2.0.5 (Katzin et al. 2021; LED, 4 ha), in closed "
    "loop, solved by BDF; the paper's was the Matlab code (Katzin et al. 2020). The cycles are those of {years}, "
    "Schiphol; the paper's are of 2000. Both models start from the state of GreenLight-Gym.",
    "Recorded controls and weather are interpolated and held at their mean for h; states are compared every 600 s, at "
    "{samples} times per cycle. Half or more of our error comes from the record, in which controls are condensed: from "
    "those written every 10 s the errors are 0.033, 0.011, 0.013 and 0.0001 % (h = 2 s).",
    "The default solver takes what it is given for the time of its hold; with 300 s most of the error is that of "
    "holding the controls of a grower who acts continuously.",
)


def relative_rmse(ours: Floats, reference: Floats) -> Floats:
    """Return the relative error of equation 8 [%], over the first axis."""
    with np.errstate(all="ignore"):  # of a replay that diverged
        root = np.sqrt(np.mean((reference - ours) ** 2, axis=0))
    return np.asarray(100.0 * root / np.mean(reference, axis=0))


def table9(settings: Settings) -> Result:
    """Replay the recorded cycles and average the errors."""
    cycles = load_cycles()
    holds = (60.0,) if settings.quick else DEFAULT_HOLDS
    times = (2.0,) if settings.quick else SAMPLING_TIMES
    if settings.quick:
        cycles = cycles.only(QUICK_CYCLES)
    cases = [(f"RK4, h = {h:g} s", Numerics("rk4", h)) for h in times]
    cases += [(f"default solver, held for {hold:g} s", Numerics("rosenbrock", hold)) for hold in holds]
    rows: list[Row] = []
    for number, (name, numerics) in enumerate(cases):
        rows += case_rows(name, numerics, cycles, replay(cycles, numerics, settings.job(name, number, len(cases))))
    years = ", ".join(sorted({start[:4] for start in cycles.starts}))
    notes = tuple(note.format(years=years, samples=len(cycles.states) - 1) for note in NOTES)
    title = f"rRMSE against the original GreenLight, mean and 95 % interval over {len(cycles.starts)} cycles"
    return Result(title, f"{PAPER}, table 9", rows, notes)


def case_rows(name: str, numerics: Numerics, cycles: Cycles, ours: Floats) -> list[Row]:
    """Return one row per state; the paper's default step goes beside our default solver."""
    errors = relative_rmse(ours, cycles.states[1:])  # (cycles, states)
    published = TABLE9[numerics.hold if numerics.solver == "rk4" else 1.0]
    return [mean_row(name, state, "%", errors[:, n], *published[state]) for n, state in enumerate(SHOWN)]
