"""The recorded cycles of table 9: runs of the original GreenLight (`greenlight` 2.0.5), condensed into one small file.

`benchmarks/record_table9.py` makes it. Arrays, with cycles along the first axis:

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
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import names
from phytotron.models.greenlight import Control
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather

Floats = NDArray[np.float64]

FILE = "table9.npz"
PARAMETER_SET = "katzin2021_4ha_led"
SHOWN = ("co2Air", "tAir", "vpAir", "cFruit")
RESOLUTION = (0.02, 0.001, 0.1, 0.5)  # mg m-3, °C, Pa, mg m-2
MOVED = ("boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp")
CODE = 1023  # the whole number that stands for an opening of 1
FULL = 255  # the largest distance of two knots


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
        """Some of the cycles."""
        series = {name: getattr(self, name)[:, chosen] for name in ("states", "controls", "weather")}
        return replace(self, starts=self.starts[chosen], x0=self.x0[chosen], **series)


def load_cycles() -> Cycles:
    """The cycles that come with the package."""
    file = resources.files("phytotron.papers.greenlight_gym").joinpath("data", FILE)
    with file.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        return unpack({key: archive[key] for key in archive.files})


def unpack(packed: dict[str, Any]) -> Cycles:
    """Cycles from the arrays of the file."""
    starts = tuple(str(each) for each in packed["starts"])
    interval, days = int(packed["control_interval"]), int(packed["days"])
    rows = days * SECONDS_PER_DAY // interval
    numbers = np.cumsum(packed["states"], axis=1, dtype=np.uint16)  # wraps, as the differences did
    states = packed["state_low"][:, None] + packed["state_resolution"] * numbers
    controls = np.zeros((rows + 1, len(starts), len(names(Control))))
    ends = np.cumsum(packed["knots"].ravel())
    for index, part in enumerate(np.split(np.arange(ends[-1]), ends[:-1])):
        cycle, moved = divmod(index, len(MOVED))
        at = np.concatenate([[0], np.cumsum(packed["knot_distances"][part][:-1], dtype=int)])
        openings = np.interp(np.arange(rows + 1), at, (packed["knot_values"][part] / CODE) ** 2)
        controls[:, cycle, names(Control).index(MOVED[moved])] = opening(MOVED[moved], openings)
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
    """What an actuator leaves open, from its position, and the other way round: a closed screen is at 1."""
    return 1.0 - position if name == "thermal_screen" else position


def weather_rows(start: str, days: int, interval: int) -> Floats:
    """The ten inputs from a date on, every `interval` seconds, ends included."""
    weather = greenhouse_weather(embedded_weather("schiphol"))
    day = int(np.flatnonzero(weather.dates == np.datetime64(start))[0])
    per_day = SECONDS_PER_DAY // weather.interval
    rows = np.asarray(weather.values)[day * per_day : (day + days) * per_day + 1]
    wanted = np.arange(0, days * SECONDS_PER_DAY + 1, interval) / weather.interval
    return np.stack([np.interp(wanted, np.arange(len(rows)), column) for column in rows.T], axis=1)
