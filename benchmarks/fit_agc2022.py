"""Fit the compartments of the Autonomous Greenhouse Challenge 2022 together: the house that calibrations begin with.

Usage, from the repository root:

    python benchmarks/fit_agc2022.py ../shared/greenhouse_logs/agc2022

Rows of 1 to 20 February 2022 alone are used. What the compartments share is kept as fitted; of what differs between
them (crop, lamps, dosing, neighbours) the geometric mean, or the mean of what may be negative.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from phytotron.calibration.adjustable import ADJUSTABLE, with_values
from phytotron.calibration.calibrate import Calibration, calibrate
from phytotron.calibration.twin_file import EARLIER, write_twin
from phytotron.core.version import __version__
from phytotron.logs import compartment_names, read_compartment, trusted

LAST_DAY = "2022-02-20"
BASE = "katzin2020_144m2"


def main(folder: Path) -> None:
    """Fit, and write the file in the package."""
    logs = [read_compartment(folder, name) for name in compartment_names(folder)]
    believed = [trusted(log, logs)[0] for log in logs]
    ends = [log.moment(LAST_DAY, "LAST_DAY", end=True) for log in logs]
    made = calibrate(
        believed, ends, BASE, starts=1, callback=lambda done, total: print(f"step {done} of {total}", flush=True)
    )
    write_house(made)


def write_house(made: tuple[Calibration, ...]) -> Path:
    """Write one house for all compartments."""
    values = {name: _middle(name, [each.values[name] for each in made]) for name in made[0].values}
    tied = {other: value for name, value in values.items() for other in ADJUSTABLE[name].tied}
    log = made[0].log
    about = {
        "log": ", ".join(each.log.name for each in made),
        "source": log.provenance.source,
        "licence": log.provenance.licence,
        "fitted_from": f"{log.times[0]}Z",
        "fitted_until": LAST_DAY,
        "phytotron": __version__,
        "loss": made[0].losses[0],
    }
    target = EARLIER["agc2022"]
    intervals = {key: list(ends) for key, ends in made[0].found.intervals.items() if not ADJUSTABLE[key].apart}
    path = write_twin(target.parent, with_values(made[0].twin, values | tied), BASE, about, {"intervals": intervals})
    return path.rename(target)


def _middle(name: str, values: list[float]) -> float:
    if not ADJUSTABLE[name].apart:
        return values[0]
    return float(np.exp(np.mean(np.log(values))) if ADJUSTABLE[name].logarithmic else np.mean(values))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
