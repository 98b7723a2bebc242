"""How long an ensemble of replays takes: 256 members of the embedded month, started anew every day.

Usage, from the repository root:

    python benchmarks/replay_ensemble.py [--members 256]

It prints the device, the seconds of the first run (with compilation) and of the second one.
"""

from __future__ import annotations

import argparse
import time

import jax
import numpy as np

from phytotron.calibration.adjustable import chosen, prior_centre
from phytotron.calibration.ensemble import simulate_members
from phytotron.calibration.inputs import windows
from phytotron.calibration.twin_file import published_twin
from phytotron.core.compilation import enable_compilation_cache
from phytotron.logs import EMBEDDED, compartment_names, read_compartment

SPREAD = 0.2  # of the members, in standard deviations of the priors


def main(members: int) -> None:
    """Draw the members, and replay them twice."""
    enable_compilation_cache()
    (name,) = compartment_names(EMBEDDED)
    log = read_compartment(EMBEDDED, name)
    given = windows(log, log.times[0], log.times[-1], 24.0)
    twin, random = published_twin(log), np.random.default_rng(0)
    values = {}
    for each in chosen(None, float(log.floor_area or 1.0)):
        ends = each.coordinate(each.low), each.coordinate(each.high)
        places = np.clip(prior_centre(twin, each) + SPREAD * random.normal(size=members), *ends)
        values[each.name] = np.asarray(each.value(places))
    print(f"{members} members, {given.starts.size} days, on {jax.devices()[0].device_kind}")
    for run in ("first run, with compilation", "second run"):
        began = time.perf_counter()
        simulated = simulate_members(twin, values, given)
        seconds, finite = time.perf_counter() - began, bool(np.isfinite(simulated).all())
        print(f"{run}: {seconds:.1f} s; {simulated.shape}, finite: {finite}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=256)
    main(parser.parse_args().members)
