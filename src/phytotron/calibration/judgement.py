"""How far a replay is from what was measured, beside the baselines on the same rows."""

from typing import Any

import numpy as np

from phytotron.calibration.baselines import linear_model, persistence
from phytotron.calibration.inputs import Windows, windows
from phytotron.calibration.replay import Twin, simulate
from phytotron.calibration.twin_file import published_twin
from phytotron.core.errors import PhytotronError
from phytotron.logs import GreenhouseLog
from phytotron.logs.variables import CLIMATE


def judge(
    log: GreenhouseLog, twin: Twin, base: str, first: np.datetime64, end: np.datetime64, horizon_hours: float
) -> dict[str, Any]:
    """Errors of a twin and of the baselines (°C, %, ppm) over windows that are started anew every horizon.

    The linear model is fitted on the rows before `first` alone; where there are too few of them, its errors are None.
    """
    given = windows(log, first, end, horizon_hours)
    simulated = np.asarray(simulate(twin, given))
    if not np.isfinite(simulated[np.isfinite(given.measured)]).all():
        raise PhytotronError(
            f"the replay of {log.name} is not finite; change the parameters, or the numbers in the log"
        )
    baselines: dict[str, Any] = {
        "persistence": errors(persistence(log, given), given),
        "uncalibrated": errors(np.asarray(simulate(published_twin(log, base), given)), given),
        "linear": None,
    }
    if first > log.times[0]:
        linear = linear_model(windows(log, log.times[0], first, 24.0), given)
        baselines["linear"] = None if linear is None else errors(linear, given)
    return {
        "horizon_hours": horizon_hours,
        "windows": int(given.starts.size),
        "rows": int(np.isfinite(given.measured).all(-1).sum()),
        "quantities": errors(simulated, given),
        "baselines": baselines,
        "warnings": list(given.skipped),
    }


def errors(simulated: Any, given: Windows) -> dict[str, dict[str, float | None]]:
    """Mean absolute error, root mean square error and bias by quantity; None where nothing can be compared."""
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
