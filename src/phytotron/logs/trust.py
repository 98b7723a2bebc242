"""Rows of a log that a fit should not believe: where two sensors of the same air disagree by more than air can."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from phytotron.logs.checks import Finding, shared_columns
from phytotron.logs.table import GreenhouseLog

FARTHEST = 2.0  # K: the air at two places of a compartment, stirred by fans, hardly differs by more
MEASURED_TOGETHER = ("air_temperature", "relative_humidity")  # in one measuring box


def trusted(log: GreenhouseLog, others: Sequence[GreenhouseLog] = ()) -> tuple[GreenhouseLog, tuple[Finding, ...]]:
    """Return the log with gaps where its two sensors of air temperature disagree, and what was marked so.

    A second sensor whose numbers are also in one of the `others` may stand in another house: it is not asked.
    """
    second = "air_temperature_second"
    same_rows = [other.rows(np.isin(other.times, log.times)) for other in others if other.name != log.name]
    pairs = [shared_columns((log, other)) for other in same_rows]
    if second not in log or any(found.quantity == second for pair in pairs for found in pair):
        return log, ()
    doubtful = np.abs(log["air_temperature"] - log[second]) > FARTHEST
    if not doubtful.any():
        return log, ()
    columns = {name: np.where(doubtful, np.nan, log[name]) for name in MEASURED_TOGETHER}
    message = (
        f"the two sensors of air temperature differ by more than {FARTHEST:g} K in {int(doubtful.sum())} of "
        f"{log.size} rows: temperature and humidity of these rows are not fitted"
    )
    finding = Finding("doubtful", "air_temperature", message)
    return dataclasses.replace(log, columns={**log.columns, **columns}), (finding,)
