"""Record a season of the original GreenLight model (`greenlight` 2.0.5) with fixed set-points, for the set-point task.

Usage:

    python benchmarks/record_setpoint.py OUT.json [--days 120] [--peer-python PATH]

A mature crop from 1 April 2010 on the weather of Schiphol that comes with the package, with heating set-points of 20 °C
by day and 18 °C by night. OUT.json gets, for every ten days, the fruit harvested [kg m-2], the energy of lamps and
boilers [MJ m-2] since the start, and the mean air temperature [°C] of these ten days. It takes about half an hour.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np

import peers
from phytotron.core.fields import stack, unstack
from phytotron.environments.glasshouse.start import FRUITING, at_rest
from phytotron.models.greenlight import Weather
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather
from record_greenlight import DAY, FLUXES, GREENLIGHT, STATES, Scenario, simulate

FIRST = np.datetime64("2010-04-01")
DAY_SET_POINT, NIGHT_SET_POINT = 20.0, 18.0  # °C
DRY_MATTER = 0.06  # of fresh fruit
SAMPLE = 60  # s
PERIOD = 10  # days
SOLVER = {"rtol": "1e-6", "atol": "1e-3", "max_step": "300.0"}  # tolerances of the package itself


def scenario(days: int) -> Scenario:
    """Weather, and the initial state of the task."""
    table = embedded_weather("schiphol")
    weather = greenhouse_weather(table)
    day = int(np.flatnonzero(weather.dates == FIRST)[0])
    per_day = int(DAY) // weather.interval
    rows = np.asarray(weather.values)[day * per_day : (day + days) * per_day + 1]
    with jax.enable_x64(True):
        time_of_year = jax.numpy.asarray(float(weather.days_since_new_year[day]))
        start = at_rest(unstack(Weather, jax.numpy.asarray(rows[0])), time_of_year, FRUITING)
        x0 = np.asarray(stack(start))
    return Scenario(weather.interval * np.arange(len(rows), dtype=float), rows, x0, table.site.elevation)


def totals(arrays: dict[str, Any], days: int) -> dict[str, Any]:
    """What is written, from the samples of a run; integrals by the trapezoidal rule."""
    fluxes = dict(zip(FLUXES, np.asarray(arrays["fluxes"]).T, strict=True))
    ends = [min(len(fluxes["lai"]) - 1, period * PERIOD * int(DAY) // SAMPLE) for period in range(days // PERIOD + 1)]

    def until(values: Any) -> list[float]:
        return [float(np.trapezoid(values[: end + 1], dx=SAMPLE)) * 1e-6 for end in ends[1:]]

    air = np.asarray(arrays["x"])[:, STATES.index("tAir")]
    return {
        "first_day": str(FIRST),
        "day_set_point": DAY_SET_POINT,
        "night_set_point": NIGHT_SET_POINT,
        "days": [period * PERIOD for period in range(1, days // PERIOD + 1)],
        "fruit": [each / DRY_MATTER for each in until(fluxes["mcFruitHar"])],
        "lamps": until(fluxes["qLampIn"]),
        "boilers": until(fluxes["hBoilPipe"]),
        "air_temperature": [float(np.mean(air[a:b])) for a, b in itertools.pairwise(ends)],
    }


def main() -> int:
    """Read the arguments, record, write."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("output", type=Path, help="file to write (.json)")
    parser.add_argument("--days", type=int, default=120, help="length, a multiple of ten")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    if arguments.days < PERIOD or arguments.days % PERIOD:
        parser.error("--days must be a multiple of ten")
    set_points = {
        "tSpDay": {"type": "const", "definition": repr(DAY_SET_POINT)},
        "tSpNight": {"type": "const", "definition": repr(NIGHT_SET_POINT)},
    }
    began = time.perf_counter()
    try:
        python = peers.ensure(*GREENLIGHT, arguments.peer_python)
        rows = int(arguments.days * DAY) // SAMPLE
        arrays = simulate(python, scenario(arguments.days), rows, SAMPLE, SOLVER, set_points)
    except peers.PeerError as error:
        print(f"record_setpoint: {error}", file=sys.stderr)
        return 2
    arguments.output.write_text(json.dumps(totals(arrays, arguments.days), indent=1) + "\n", encoding="utf-8")
    print(f"wrote {arguments.output} in {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
