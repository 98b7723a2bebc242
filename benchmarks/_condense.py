"""Condense recorded cycles into the file of `papers.greenlight_gym.experiments.recording`; used by `record_table9.py`.

A greenhouse with nearly closed vents and screens is sensitive to the openings that remain, and to a bias of anything
for days. Openings are therefore kept to a precision that is finer the smaller they are, and the values at the knots
are those of the least squares, which leave no bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from phytotron.core.fields import names, symbols
from phytotron.models.greenlight import Control, State
from phytotron.papers.greenlight_gym.experiments.table9 import CODE, FULL, MOVED, RESOLUTION, SHOWN, opening

Array = NDArray[np.float64]
STATE_INTERVAL = 600  # s
# Between recorded openings w and the lines through the knots: SHARE[name] sqrt(w) + LEAST.
SHARE = {"boiler": 0.012, "co2_injection": 0.005, "thermal_screen": 0.005, "roof_vent": 0.005, "lamp": 0.005}
LEAST = 3e-5


def knots(values: Array, tolerance: Array, longest: int = FULL) -> NDArray[np.int64]:
    """Indices such that straight lines through them miss no value by more than its tolerance.

    From each knot the line to the farthest value is taken that passes all values in between closely enough.
    """
    chosen, last = [0], len(values) - 1
    while chosen[-1] < last:
        here = chosen[-1]
        ahead = np.arange(here + 1, min(last, here + longest) + 1)
        distance = ahead - here
        steepest = np.minimum.accumulate((values[ahead] + tolerance[ahead] - values[here]) / distance)
        flattest = np.maximum.accumulate((values[ahead] - tolerance[ahead] - values[here]) / distance)
        slope = (values[ahead] - values[here]) / distance
        passes = np.ones(len(ahead), bool)
        passes[1:] = (slope[1:] <= steepest[:-1]) & (slope[1:] >= flattest[:-1])
        chosen.append(int(ahead[np.flatnonzero(passes)[-1]]))
    return np.asarray(chosen)


def fitted(values: Array, at: NDArray[np.int64]) -> Array:
    """Values at the knots for which the lines through them have the least sum of squared differences."""
    rows, count = np.arange(len(values)), len(at)
    piece = np.clip(np.searchsorted(at, rows, side="right") - 1, 0, count - 2)
    right = (rows - at[piece]) / (at[piece + 1] - at[piece])
    left = 1.0 - right
    band = np.zeros((2, count))
    band[1] = np.bincount(piece, left**2, count) + np.bincount(piece + 1, right**2, count)
    band[0, 1:] = np.bincount(piece, left * right, count)[:-1]
    target = np.bincount(piece, left * values, count) + np.bincount(piece + 1, right * values, count)
    return np.asarray(np.clip(solveh_banded(band, target), 0.0, 1.0))


def condense(paths: Sequence[Path], starts: Sequence[str], days: int, sample: int) -> dict[str, Any]:
    """The arrays of the file."""
    shown = [symbols(State).index(symbol) for symbol in SHOWN]
    resolution = np.asarray(RESOLUTION)
    x0, lows, states, counts, distances, values = [], [], [], [], [], []
    elevation = 0.0
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            x, u, elevation = file["x"], file["u"], float(file["elevation"].item())
        series = x[:: STATE_INTERVAL // sample, shown]
        low = series.min(axis=0)
        numbers = np.rint((series - low) / resolution).astype(np.uint16)
        states.append(np.diff(numbers, axis=0, prepend=np.uint16(0)))
        x0.append(x[0])
        lows.append(low)
        for moved in MOVED:
            course = opening(moved, np.clip(u[:, names(Control).index(moved)], 0.0, 1.0))
            at = knots(course, SHARE[moved] * np.sqrt(course) + LEAST)
            counts.append(len(at))
            distances.append(np.diff(at, append=at[-1]).astype(np.uint8))
            values.append(np.rint(CODE * np.sqrt(fitted(course, at))).astype(np.uint16))
    return {
        "starts": np.asarray(starts),
        "days": np.asarray(days),
        "elevation": np.asarray(elevation),
        "x0": np.asarray(x0),
        "states": np.asarray(states),
        "state_low": np.asarray(lows),
        "state_resolution": resolution,
        "state_interval": np.asarray(STATE_INTERVAL),
        "knots": np.asarray(counts, np.int32).reshape(len(paths), len(MOVED)),
        "knot_distances": np.concatenate(distances),
        "knot_values": np.concatenate(values),
        "control_interval": np.asarray(sample),
    }
