"""Baselines of a replay on the same rows: persistence, and a linear model fitted on the rows before."""

from typing import Any

import numpy as np

from phytotron.calibration.inputs import INTERVAL, Drive, Windows
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.logs import GreenhouseLog
from phytotron.logs.variables import CLIMATE

ROWS_NEEDED = 2 * SECONDS_PER_DAY // INTERVAL


def persistence(log: GreenhouseLog, given: Windows) -> Any:
    """Return the climate at the same time a day before."""
    steps = given.measured.shape[0]
    origin = given.starts.min() - np.timedelta64(SECONDS_PER_DAY, "s")
    rows = int((given.starts.max() - origin).astype(float) // INTERVAL) + steps + 1
    grid = log.on_grid(origin, rows, INTERVAL, longest=INTERVAL)
    climate = np.stack([grid[name] for name in CLIMATE], axis=-1)
    begin = ((given.starts - origin).astype(float) // INTERVAL).astype(int)
    index = begin[None, :] + np.arange(1, steps + 1)[:, None] - SECONDS_PER_DAY // INTERVAL
    return climate[index]


def linear_model(before: Windows, given: Windows) -> Any:
    """Return the climate that a linear one-step model predicts in open loop, from the climate and the inputs.

    It is None where there are too few rows to fit the model.
    """
    now, following = _states(before)[:-1], _states(before)[1:]
    inputs = _inputs(before.drive)[before.spin_up :][: now.shape[0]]
    known = np.isfinite(now).all(-1) & np.isfinite(following).all(-1)
    if known.sum() < ROWS_NEEDED:
        return None
    regressors = np.concatenate([now[known], inputs[known], np.ones((known.sum(), 1))], axis=-1)
    scale = np.maximum(np.abs(regressors).max(axis=0), 1e-9)
    weights = np.linalg.lstsq(regressors / scale, following[known], rcond=None)[0] / scale[:, None]
    state, simulated = _states(given)[0], []
    for each in _inputs(given.drive)[given.spin_up :]:
        state = np.concatenate([state, each, np.ones((state.shape[0], 1))], axis=-1) @ weights
        simulated.append(state)
    return np.stack(simulated)


def _states(given: Windows) -> Any:
    """The measured climate at the beginning of every free step and at the end of the last."""
    start = np.stack([np.asarray(getattr(given.drive, name))[given.spin_up] for name in CLIMATE], axis=-1)
    return np.concatenate([start[None], given.measured])


def _inputs(drive: Drive) -> Any:
    pipe = np.where(drive.pump > 0.0, drive.pipe_temperature, 0.0)
    names = (
        "vent_lee", "vent_wind", "thermal_screen", "blackout_screen", "co2_dosing", "light", "global_radiation",
        "outdoor_temperature", "outdoor_vapour_pressure", "wind_speed", "sky_temperature", "pump",
    )  # fmt: skip
    return np.stack([*(np.asarray(getattr(drive, name)) for name in names), pipe], axis=-1)
