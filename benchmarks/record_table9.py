"""Record the original GreenLight model (`greenlight` 2.0.5) over the twelve cycles of table 9 of GreenLight-Gym.

Usage:

    python benchmarks/record_table9.py FOLDER [--pack FILE.npz] [--peer-python PATH]

Twelve closed-loop runs of ten days, from the first day of every month of 2010, on the weather of Schiphol that comes
with the package, from the initial state of GreenLight-Gym. Each becomes a file in FOLDER; those that are there already
are kept, so that a run that was stopped can be taken up again. All of it takes about half an hour of one core.

`--pack` condenses them into the one small file that `phytotron reproduce greenlight-gym/table9` reads; its layout is
described in `papers.greenlight_gym.experiments.recording`. Weather is not in it: it follows from the package's own.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import jax
import numpy as np

import peers
from _condense import condense
from phytotron.core.fields import stack, unstack
from phytotron.environments.glasshouse.start import at_rest
from phytotron.models.greenlight import Weather
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather
from record_greenlight import DAY, GREENLIGHT, Scenario, save, simulate

YEAR, MONTHS, DAYS = 2010, range(1, 13), 10
SAMPLE = 10  # s
# Between those of the package (1e-6, 1e-3) and those of `record_greenlight` (1e-8, 1e-6), where errors are given.
SOLVER = {"rtol": "1e-7", "atol": "1e-4", "max_step": "300.0"}


def scenario(month: int) -> Scenario:
    """Weather and initial state of a cycle."""
    table = embedded_weather("schiphol")
    weather = greenhouse_weather(table)
    day = int(np.flatnonzero(weather.dates == np.datetime64(f"{YEAR}-{month:02d}-01"))[0])
    per_day = int(DAY) // weather.interval
    rows = np.asarray(weather.values)[day * per_day : (day + DAYS) * per_day + 1]
    time_of_year = float(weather.days_since_new_year[day])
    with jax.enable_x64(True):
        start = at_rest(unstack(Weather, jax.numpy.asarray(rows[0])), jax.numpy.asarray(time_of_year))
        x0 = np.asarray(stack(start))
    return Scenario(weather.interval * np.arange(len(rows), dtype=float), rows, x0, table.site.elevation)


def record(python: Path, folder: Path) -> list[Path]:
    """Simulate the cycles that are not in the folder yet; the files of all."""
    paths = [folder / f"month_{month:02d}.npz" for month in MONTHS]
    for month, path in zip(MONTHS, paths, strict=True):
        if path.exists():
            continue
        began = time.perf_counter()
        arrays = simulate(python, scenario(month), int(DAYS * DAY) // SAMPLE, SAMPLE, SOLVER)
        save(path, {key: value for key, value in arrays.items() if key not in ("d", "fluxes", "flux_names")})
        print(f"wrote {path} in {time.perf_counter() - began:.0f} s", flush=True)
    return paths


def main() -> int:
    """Read the arguments, record, condense."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("folder", type=Path, help="where the recorded cycles go")
    parser.add_argument("--pack", type=Path, metavar="FILE", help="file to condense them into (.npz)")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    try:
        paths = record(peers.ensure(*GREENLIGHT, arguments.peer_python), arguments.folder)
    except peers.PeerError as error:
        print(f"record_table9: {error}", file=sys.stderr)
        return 2
    if arguments.pack is not None:
        starts = [f"{YEAR}-{month:02d}-01" for month in MONTHS]
        save(arguments.pack, condense(paths, starts, DAYS, SAMPLE))
        print(f"wrote {arguments.pack}: {arguments.pack.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
