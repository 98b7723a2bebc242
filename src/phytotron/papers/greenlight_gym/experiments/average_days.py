"""The average day of a greenhouse under a controller: climate, harvest and actuators by time of day."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from phytotron.core.controller import Controller
from phytotron.environments.greenhouse import Greenhouse
from phytotron.episodes.engine import Progress
from phytotron.episodes.recording import record

# name, meaning and unit
CLIMATE = (
    ("temperature", "air temperature", "°C"),
    ("co2", "CO₂", "ppm"),
    ("humidity", "relative humidity", "%"),
    ("harvest", "cumulative harvest", "kg m-2"),
)
POSITIONS = (
    ("boiler", "boiler valve", "-"),
    ("co2_injection", "CO₂ injection", "-"),
    ("roof_vent", "roof vent", "-"),
    ("thermal_screen", "thermal screen", "-"),
)
CONFIDENCE = 0.99
# the same as they are recorded
NAMES = {name: name for name, _, _ in (*CLIMATE, *POSITIONS)} | {"temperature": "air_temperature"}

Days = dict[str, NDArray[np.float64]]  # by quantity, (days, times of a day)


def days_of(env: Greenhouse, controller: Controller, progress: Progress | None = None) -> Days:
    """All days of all episodes under a controller; `progress` is told after each day of all episodes."""
    channels = [each for each in env.channels if each.name in NAMES.values()]
    found: list[dict[str, NDArray[Any]]] = []
    for part in record(env, [controller], channels, chunk=env.clock.steps_per_day, progress=progress):
        series = dict(part.channels) | {"harvest": part.measures["harvest"]}
        found.append({name: np.asarray(series[of][0], np.float64) for name, of in NAMES.items()})
    joined = {name: np.concatenate([each[name] for each in found]) for name in NAMES}
    return joined | {"harvest": np.cumsum(joined["harvest"], axis=1)}


def average_day(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> dict[str, list[float]]:
    """Mean over days by time of day, and half of its confidence interval."""
    count = len(values)
    factor = student.ppf(0.5 + 0.5 * confidence, count - 1) / np.sqrt(count) if count > 1 else 0.0
    spread = values.std(axis=0, ddof=1) if count > 1 else np.zeros(values.shape[1])
    return {"mean": values.mean(axis=0).tolist(), "interval": (factor * spread).tolist()}
