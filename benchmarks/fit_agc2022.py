"""Fit the compartments of the Autonomous Greenhouse Challenge 2022 together: the house that calibrations begin with.

Usage, from the repository root:

    python benchmarks/fit_agc2022.py ../shared/greenhouse_logs/agc2022 [--until 2022-02-20] [--judged-until 2022-02-28]
        [--house FILE] [--no-apart]

Rows until the last day of the fit alone are used. What the compartments share is kept as fitted; of what differs
between them (crop, lamps, dosing, neighbours) the geometric mean, or the mean of what may be negative. Then every
compartment is fitted apart, as `phytotron calibrate` does, from that house. Both are judged on the days that follow,
without a look at the rows after these: mean absolute errors of air temperature [K], relative humidity [%], CO2 [ppm].
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.calibration.adjustable import ADJUSTABLE, with_values
from phytotron.calibration.calibrate import Calibration, calibrate
from phytotron.calibration.judgement import judge, replayed
from phytotron.calibration.twin_file import EARLIER, write_twin
from phytotron.core.compilation import enable_compilation_cache
from phytotron.core.version import __version__
from phytotron.logs import GreenhouseLog, compartment_names, read_compartment, trusted

BASE = "katzin2020_144m2"


def main(folder: Path, until: str, judged_until: str, house: Path, apart: bool) -> None:
    """Fit, write the file of the house, fit apart from it, and print the errors of all."""
    enable_compilation_cache()
    logs = [read_compartment(folder, name) for name in compartment_names(folder)]
    believed = [trusted(log, logs)[0] for log in logs]
    ends = [log.moment(until, "--until", end=True) for log in logs]
    lasts = [log.moment(judged_until, "--judged-until", end=True) for log in logs]
    known = [log.before(last) for log, last in zip(logs, lasts, strict=True)]
    began = time.perf_counter()
    together = calibrate(believed, ends, BASE, starts=1, callback=_say)
    print(f"together: {together[0].steps} steps, {time.perf_counter() - began:.0f} s", flush=True)
    write_house(together, until, house)
    report("together", known, together, ends, lasts)
    if not apart:
        return
    own: list[Calibration] = []
    for log, end in zip(believed, ends, strict=True):
        began = time.perf_counter()
        own += calibrate([log], [end], str(house))
        print(f"{log.name} apart: {own[-1].steps} steps, {time.perf_counter() - began:.0f} s", flush=True)
    report("apart", known, own, ends, lasts)


def _say(done: int, total: int) -> None:
    print(f"step {done} of {total}", flush=True)


def report(
    title: str,
    logs: Sequence[GreenhouseLog],
    made: Sequence[Calibration],
    ends: Sequence[np.datetime64],
    lasts: Sequence[np.datetime64],
) -> None:
    """Print the errors of replays that start anew every day, and every three days, beside the baselines."""
    rows: dict[str, list[Any]] = {}
    for log, each, end, last in zip(logs, made, ends, lasts, strict=True):
        day, days = (judge(replayed(log, each.twin, each.base, (end, last), hours)) for hours in (24.0, 72.0))
        contenders = {"24 h": day["quantities"], "72 h": days["quantities"], **day["baselines"]}
        for name, found in contenders.items():
            rows.setdefault(name, []).append([entry["mae"] for entry in found.values()])
        biases = ", ".join(f"{entry['bias']:+.2f}" for entry in day["quantities"].values())
        print(f"{title}, {log.name}: {_row(rows, -1)}; bias {biases}", flush=True)
    print(f"{title}, mean: {_row({name: [np.mean(each, axis=0)] for name, each in rows.items()}, 0)}", flush=True)


def _row(rows: dict[str, list[Any]], index: int) -> str:
    return "; ".join(f"{name} {a:.3f}, {b:.2f}, {c:.1f}" for name, each in rows.items() for a, b, c in [each[index]])


def write_house(made: Sequence[Calibration], until: str, target: Path) -> Path:
    """Write one house for all compartments."""
    values = {name: _middle(name, [each.values[name] for each in made]) for name in made[0].values}
    tied = {other: value for name, value in values.items() for other in ADJUSTABLE[name].tied}
    log = made[0].log
    about = {
        "log": ", ".join(each.log.name for each in made),
        "source": log.provenance.source,
        "licence": log.provenance.licence,
        "fitted_from": f"{log.times[0]}Z",
        "fitted_until": until,
        "phytotron": __version__,
        "loss": made[0].losses[0],
    }
    intervals = {key: list(ends) for key, ends in made[0].found.intervals.items() if not ADJUSTABLE[key].apart}
    path = write_twin(target.parent, with_values(made[0].twin, values | tied), BASE, about, {"intervals": intervals})
    return path.rename(target)


def _middle(name: str, values: list[float]) -> float:
    if not ADJUSTABLE[name].apart:
        return values[0]
    return float(np.exp(np.mean(np.log(values))) if ADJUSTABLE[name].logarithmic else np.mean(values))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--until", default="2022-02-20", help="last day of the fit")
    parser.add_argument("--judged-until", default="2022-02-28", help="last day that is judged")
    parser.add_argument("--house", type=Path, default=EARLIER["agc2022"], help="file of the house to write")
    parser.add_argument("--no-apart", dest="apart", action="store_false", help="do not fit compartments apart too")
    main(**vars(parser.parse_args()))
