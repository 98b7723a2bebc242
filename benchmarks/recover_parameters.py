"""Whether calibrations find the truth: synthetic logs with known parameters and sensor noise, fitted again.

Usage, from the repository root:

    python benchmarks/recover_parameters.py [--cases 40]

Actuators, weather and the times of measurements are those of the embedded month (1 to 20 February). In every case
eight parameters are drawn from the priors, the climate is simulated and gets the noise of sensors, and the
fit begins at the centres of the priors. It prints how far the fitted values are from the true ones, and how often 90 %
intervals hold them.
"""

from __future__ import annotations

import argparse
import dataclasses

import numpy as np

from phytotron.calibration.adjustable import chosen, value_of, with_values
from phytotron.calibration.fit import SUBSTEPS, House, fit
from phytotron.calibration.inputs import windows
from phytotron.calibration.laplace import Laplace
from phytotron.calibration.replay import simulate
from phytotron.calibration.twin_file import starting_twin
from phytotron.core.compilation import enable_compilation_cache
from phytotron.logs import EMBEDDED, compartment_names, read_compartment

NAMES = (
    "roof_par_transmission", "inner_capacity", "leakage", "pipe_length", "lamp_power", "closed_leaf_area",
    "co2_supply", "wet_area",
)  # fmt: skip
NOISE = (0.2, 1.0, 10.0)  # K, %, ppm: independent errors of the sensors from row to row
LAST_DAY = "2022-02-20"
WITHIN = 2.0  # %


def main(cases: int) -> None:
    """Fit all cases, and print what came of them."""
    enable_compilation_cache()
    (name,) = compartment_names(EMBEDDED)
    log = read_compartment(EMBEDDED, name)
    given = windows(log, log.times[0], log.moment(LAST_DAY, "LAST_DAY", end=True), 24.0)
    start, _ = starting_twin("agc2022", log)
    choice = chosen(NAMES, float(log.floor_area or 1.0), known=True)
    random = np.random.default_rng(0)
    errors, held = [], []
    for case in range(cases):
        truth = {}
        for each in choice:
            centre = each.coordinate(float(value_of(start, each.name)))
            place = centre + random.normal()
            truth[each.name] = float(each.value(np.clip(place, each.coordinate(each.low), each.coordinate(each.high))))
        tied = {other: truth[each.name] for each in choice for other in each.tied}
        clean = np.asarray(simulate(with_values(start, truth | tied), given, SUBSTEPS))
        noisy = dataclasses.replace(given, measured=clean + random.normal(size=clean.shape) * np.array(NOISE))
        made = fit([House(start, noisy)], choice, iterations=30)
        found = Laplace(choice, made.best.coordinates, made.covariance)
        values = {each.name: float(value_of(made.twins[0], each.name)) for each in choice}
        errors.append([abs(values[key] / value - 1.0) for key, value in truth.items()])
        held.append([low <= truth[key] <= high for key, (low, high) in found.intervals.items()])
        worst = NAMES[int(np.argmax(errors[-1]))]
        said = f"case {case + 1}: {made.best.steps} steps, worst {worst} {100.0 * max(errors[-1]):.2f} %"
        print(f"{said}, intervals hold {sum(held[-1])} of {len(NAMES)}", flush=True)
    table, inside = 100.0 * np.array(errors), 100.0 * np.array(held)
    for key, own, share in zip(NAMES, table.T, inside.mean(axis=0), strict=True):
        print(f"{key}: median error {np.median(own):.2f} %, largest {own.max():.2f} %, held {share:.0f} %")
    close = 100.0 * (table <= WITHIN).mean()
    print(f"within {WITHIN:g} %: {close:.1f} % of values; held by 90 % intervals: {inside.mean():.1f} %")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=40)
    main(parser.parse_args().cases)
