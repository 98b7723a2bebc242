"""Record the original GreenLight model (`greenlight` 2.0.5) as a trajectory to verify against.

Usage:

    python benchmarks/record_greenlight.py OUT.npz --like REFERENCE.npz [--days 2] [--sample 10]
    python benchmarks/record_greenlight.py OUT.npz --synthetic [--days 1] [--sample 60]

The closed-loop model of Katzin et al. (2021; LED, 4 ha) starts from the first state and follows the weather
of a file of the layout greenlight205_*.npz, or of a formula (`--synthetic`), which holds no measured data.
greenlight is installed into `.peers/greenlight-2.0.5` on first use (it needs Python 3.10 to 3.12), or taken
from `--peer-python`. A simulated day takes 10 to 25 s. Exit code 2 means that it could not be run.

The file has: t [s], x, state_names, u, control_names, d, weather_names, fluxes, flux_names, elevation [m],
parameter_set and hold. Rows are samples of a continuous run: interpolate u and d linearly between them.
N days are the samples of [t0, t0 + N days), so the last row is one sample before midnight.

A recording has to be more exact than what is verified with it. Over a summer day the package's own
tolerances (rtol 1e-6, atol 1e-3) leave errors of up to 0.03 C, 0.09 Pa and 0.04 mg/m3; those used here (1e-8,
1e-6) leave 1e-4 C, 7e-4 Pa and 5e-4 mg/m3 for half as much time again. No step is longer than 300 s, the
spacing of the weather, so that no piece of it is stepped over. The spacing of the rows matters more, because
the controls jump at midnight and at 18 h (a row at that instant may hold either side) and bend in between:
replaying an autumn day with the package itself gives its states back within 0.03 C, 0.5 Pa and 0.2 mg/m3 from
rows of 10 s, 0.2 C, 2 Pa and 2 mg/m3 from 60 s, but 1.1 C, 25 Pa and 30 mg/m3 from 300 s.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import peers

Array = NDArray[np.float64]

GREENLIGHT = ("greenlight", "2.0.5")
WORKER = Path(__file__).with_name("_greenlight_worker.py")
DAY = 86400.0  # s
WEATHER_STEP = 300.0  # s, of the synthetic weather
# fmt: off
STATES = (
    "co2Air", "co2Top", "tAir", "tTop", "tCan", "tCovIn", "tCovE", "tThScr", "tFlr", "tPipe", "tSo1", "tSo2",
    "tSo3", "tSo4", "tSo5", "vpAir", "vpTop", "tLamp", "tIntLamp", "tGroPipe", "tBlScr", "tCan24", "cBuf",
    "cLeaf", "cStem", "cFruit", "tCanSum", "time",
)
CONTROLS = ("boil", "extCo2", "thScr", "roof", "lamp", "intLamp", "boilGro", "blScr")
WEATHER = (
    "iGlob", "tOut", "vpOut", "co2Out", "wind", "tSky", "tSoOut", "dayRadSum", "isDay", "isDaySmooth",
)
FLUXES = (
    "lai", "mcAirBuf", "mcFruitHar", "mcLeafHar", "mcOrgAir", "mcExtAir", "mvCanAir", "hBoilPipe", "qLampIn",
    "fVentRoof", "fVentForced", "parCan", "rGlobSunAir", "rhIn", "co2InPpm",
)
# The package's initial climate with a mature crop. All temperatures that are not given start at 16.5 C.
INITIAL_STATE = dict.fromkeys(STATES, 16.5) | {
    "co2Air": 722.0, "co2Top": 722.0, "vpAir": 1681.91, "vpTop": 1313.0, "tCan": 20.5, "tCan24": 20.5,
    "tSo2": 13.364, "tSo3": 10.228, "tSo4": 7.092, "tSo5": 3.956, "cBuf": 5e3, "cLeaf": 9e4, "cStem": 2.5e5,
    "cFruit": 2.9e5, "tCanSum": 1500.0, "time": 0.0,
}
# fmt: on


class Scenario(NamedTuple):
    """What a run starts from and follows."""

    t: Array  # s, times of the weather
    d: Array  # weather, one column per name in WEATHER
    x0: Array  # initial state, one value per name in STATES
    elevation: float  # m


def scenario_like(path: Path) -> Scenario:
    """Return the scenario of a file of the layout greenlight205_*.npz."""
    with np.load(path, allow_pickle=False) as file:
        for key, names in (("state_names", STATES), ("weather_names", WEATHER)):
            if tuple(file[key]) != names:
                raise ValueError(f"its {key} are not those of greenlight205_*.npz")
        return Scenario(file["t"], file["d"], file["x"][0], float(file["elevation"].item()))


def synthetic_scenario(days: float) -> Scenario:
    """Return short sunny days with passing clouds, 3 to 13 C, on which lamps and screens are used."""
    t = np.arange(0.0, (np.ceil(days) + 1) * DAY, WEATHER_STEP)  # whole days, for their radiation sums
    hour, date = t % DAY / 3600.0, (t // DAY).astype(int)
    since_dawn, day_length = hour - 7.0, 10.0  # h
    sun = np.sin(np.pi * np.clip(since_dawn / day_length, 0.0, 1.0))
    radiation = 700.0 * sun * (0.6 + 0.4 * np.sin(2.0 * np.pi * t / 18360.0))  # a cloud every 5.1 h
    temperature = 8.0 + 5.0 * np.sin(2.0 * np.pi * (hour - 9.0) / 24.0)
    is_day = np.clip(np.minimum(since_dawn, day_length - since_dawn), 0.0, 1.0)  # one-hour ramps
    weather = {
        "iGlob": radiation,
        "tOut": temperature,
        "vpOut": 0.8 * 610.78 * np.exp(17.2694 * temperature / (temperature + 238.3)),
        "co2Out": np.full_like(t, 740.0),
        "wind": 3.0 + 2.0 * np.sin(2.0 * np.pi * t / 25200.0),
        "tSky": temperature - 12.0,
        "tSoOut": np.full_like(t, 8.0),
        "dayRadSum": (np.bincount(date, radiation) * WEATHER_STEP * 1e-6)[date],
        "isDay": is_day,
        "isDaySmooth": is_day**2 * (3.0 - 2.0 * is_day),
    }
    x0 = np.array([INITIAL_STATE[name] for name in STATES])
    return Scenario(t, np.stack([weather[name] for name in WEATHER], axis=1), x0, 0.0)


def simulate(
    python: Path,
    scenario: Scenario,
    rows: int,
    sample: int,
    solver: dict[str, str],
    constants: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Run the original model with the interpreter `python` and return the arrays of the trajectory file.

    `constants`: changes of the model's definition, as the package takes them.
    """
    # The package holds the weather of the first interval instead of interpolating it. A copy of the first row
    # one interval earlier makes all of the run linear.
    weather = np.column_stack((scenario.t, scenario.d))
    weather = np.concatenate((weather[:1], weather))
    weather[0, 0] -= weather[2, 0] - weather[1, 0]
    groups = {
        "t": ["Time"],
        "x": ["time_state" if name == "time" else name for name in STATES],
        "u": ["u" + name[0].upper() + name[1:] for name in CONTROLS],
        "d": list(WEATHER),
        "fluxes": list(FLUXES),
    }
    changes: dict[str, Any] = {
        name: {"init": value} for name, value in zip(groups["x"], scenario.x0.tolist(), strict=True)
    }
    changes["hElevation"] = {"type": "const", "definition": repr(scenario.elevation)}
    changes |= constants or {}
    start = float(scenario.t[0])
    end = start + rows * sample  # itself not sampled
    times = {"t_start": repr(start), "t_end": repr(end), "output_step": str(sample), "t_eval": "output_step"}
    changes["options"] = solver | times
    columns = [column for group in groups.values() for column in group]
    with tempfile.TemporaryDirectory() as name:
        csv, prompt, result = (Path(name, file) for file in ("weather.csv", "changes.json", "result.npz"))
        np.savetxt(csv, weather, "%.17g", ",", header=",".join(("Time", *WEATHER)), comments="")
        prompt.write_text(json.dumps(changes), encoding="utf-8")
        command: list[str | Path] = [python, "-I", WORKER, csv, prompt, result, *columns]
        peers.run(command, "greenlight", timeout=600.0 * (1.0 + (end - start) / DAY))
        with np.load(result) as file:
            table = file["table"]
    ends = np.cumsum([len(group) for group in groups.values()])
    t, x, u, d, fluxes = np.split(table, ends[:-1], axis=1)
    return {
        "t": t[:, 0],
        "x": x,
        "state_names": np.array(STATES),
        "u": u,
        "control_names": np.array(CONTROLS),
        "d": d,
        "weather_names": np.array(WEATHER),
        "elevation": np.array([scenario.elevation]),
        "flux_names": np.array(FLUXES),
        "fluxes": fluxes,
        "parameter_set": np.array("katzin2021_4ha_led"),
        "hold": np.array("linear"),
    }


def save(path: Path, arrays: dict[str, Any]) -> None:
    """Write the file under a temporary name and rename it, so that nobody reads half of it."""
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("wb") as file:
            np.savez_compressed(file, **arrays)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def main() -> int:
    """Read the arguments, record, and write."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("output", type=Path, help="file to write (.npz)")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--like", type=Path, metavar="FILE", help="trajectory file to take the scenario from")
    source.add_argument("--synthetic", action="store_true", help="weather by formula, mature crop")
    parser.add_argument("--days", type=float, help="length; default: the whole file, or one synthetic day")
    parser.add_argument("--sample", type=int, default=10, metavar="SECONDS", help="between rows, default 10")
    parser.add_argument("--rtol", type=float, default=1e-8, help="relative tolerance, default 1e-8")
    parser.add_argument("--atol", type=float, default=1e-6, help="absolute tolerance, default 1e-6")
    parser.add_argument("--max-step", type=float, default=300.0, metavar="SECONDS", help="default 300")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    sample, days = arguments.sample, arguments.days
    if days is None and arguments.synthetic:
        days = 1.0
    if sample < 1 or (days is not None and days * DAY < sample):
        parser.error("--sample must be at least 1 s and at most --days")
    if not arguments.output.parent.is_dir():
        parser.error(f"no such folder: {arguments.output.parent}")
    try:
        scenario = synthetic_scenario(days) if arguments.synthetic else scenario_like(arguments.like)
    except (OSError, KeyError, ValueError) as error:
        parser.error(f"cannot use {arguments.like}: {error}")
    rows = 1 + int((scenario.t[-1] - scenario.t[0]) // sample)
    if days is not None:
        rows = min(rows, math.ceil(days * DAY / sample))
    solver = {name: repr(getattr(arguments, name)) for name in ("rtol", "atol", "max_step")}
    try:
        python = peers.ensure(*GREENLIGHT, arguments.peer_python)
        began = time.perf_counter()
        arrays = simulate(python, scenario, rows, sample, solver)
    except peers.PeerError as error:
        print(f"record_greenlight: {error}", file=sys.stderr)
        return 2
    save(arguments.output, arrays)
    print(f"wrote {arguments.output}: {rows} rows in {time.perf_counter() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
