"""Errors of a replay against the measurements, beside those of the baselines on the same rows."""

import contextlib
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from phytotron.calibration.baselines import linear_model, persistence
from phytotron.calibration.consumption import consumption
from phytotron.calibration.ensemble import band, coverage, simulate_members
from phytotron.calibration.inputs import Windows, windows
from phytotron.calibration.replay import Twin, simulate
from phytotron.calibration.twin_file import published_twin
from phytotron.core.errors import PhytotronError
from phytotron.logs import GreenhouseLog, LogError
from phytotron.logs.variables import CLIMATE


@dataclasses.dataclass(frozen=True, eq=False)
class Replayed:
    """A twin in the windows of a log, and its ensemble where it has one."""

    log: GreenhouseLog
    twin: Twin
    base: str
    horizon_hours: float
    given: Windows
    simulated: Any  # (steps, windows, 3)
    members: Any = None  # (members, steps, windows, 3)
    residuals: Any = None  # (2, 3): 5th and 95th percentile of those of the fitted days

    @property
    def bands(self) -> dict[str, tuple[Any, Any]]:
        """The ends of the ensemble's bands: of the parameters alone, and of a measurement."""
        if self.members is None:
            return {}
        found = {"parameters": band(self.members)}
        if self.residuals is not None:
            found["measurements"] = band(self.members, self.residuals)
        return found


def replayed(
    log: GreenhouseLog,
    twin: Twin,
    base: str,
    span: tuple[np.datetime64, np.datetime64],
    horizon_hours: float,
    ensemble: Mapping[str, Any] | None = None,
    residuals: Any = None,
) -> Replayed:
    """Replay a log from a moment to another, started anew every horizon."""
    given = windows(log, *span, horizon_hours)
    simulated = np.asarray(simulate(twin, given))
    if not np.isfinite(simulated[np.isfinite(given.measured)]).all():
        raise PhytotronError(
            f"the replay of {log.name} is not finite; change the parameters, or the numbers in the log"
        )
    members = None if ensemble is None else simulate_members(twin, ensemble, given)
    return Replayed(log, twin, base, horizon_hours, given, simulated, members, residuals)


def judge(made: Replayed) -> dict[str, Any]:
    """Return errors of a replay and of the baselines (°C, %, ppm), and how often bands hold the measurements.

    The linear model is fitted on the rows before the first window alone; where there are too few of them, its errors
    are None.
    """
    log, given = made.log, made.given
    baselines: dict[str, Any] = {
        "persistence": errors(persistence(log, given), given),
        "uncalibrated": errors(np.asarray(simulate(published_twin(log, made.base), given)), given),
        "linear": None,
    }
    with contextlib.suppress(LogError):  # no rows before the first window, or none without gaps
        linear = linear_model(windows(log, log.times[0], given.starts.min(), 24.0), given)
        baselines["linear"] = None if linear is None else errors(linear, given)
    covered = {name: coverage(ends, given) for name, ends in made.bands.items()}
    return {
        "horizon_hours": made.horizon_hours,
        "windows": int(given.starts.size),
        "rows": int(np.isfinite(given.measured).all(-1).sum()),
        "quantities": errors(made.simulated, given),
        "baselines": baselines,
        "coverage": covered,
        "used": consumption(made.twin, given),
        "warnings": [*(f"left out {each}" for each in given.skipped), *given.notes],
    }


def errors(simulated: Any, given: Windows) -> dict[str, dict[str, float | None]]:
    """Return mean absolute error, root mean square error and bias by quantity; None where nothing can be compared."""
    found: dict[str, dict[str, float | None]] = {}
    for index, name in enumerate(CLIMATE):
        difference = (simulated - given.measured)[..., index]
        known = difference[np.isfinite(difference)].astype(float)
        measures = {"mae": np.abs(known), "rmse": known**2, "bias": known}
        values = {key: float(each.mean()) if known.size else None for key, each in measures.items()}
        if values["rmse"] is not None:
            values["rmse"] = float(np.sqrt(values["rmse"]))
        found[name] = values
    return found
