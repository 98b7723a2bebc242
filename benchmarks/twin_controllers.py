"""What other controllers would have used in the days of a log, beside what the recorded actuators used.

Usage, from the repository root:

    python benchmarks/twin_controllers.py DIR [--log embedded] [--name NAME] [--start 2022-02-21] [--days 3]
        [--controllers rule-based "mpc(horizon_hours=6)" oracle] [--iterations 60] [--train 100000]

DIR is the folder of a calibration. The controllers act on `phytotron/Greenhouse-v0` with its greenhouse and the weather
of the log; the oracle's plan is made first, and an agent is trained on all days of the log. It prints heat [kWh m-2],
electricity of the lamps [kWh m-2], CO2 [kg m-2] and the mean air temperature [°C] of each.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import phytotron
from phytotron.agents.policy_files import load_policies
from phytotron.calibration.judgement import judge, replayed
from phytotron.calibration.twin_file import load_twin
from phytotron.cli.policies import find_policies
from phytotron.core.compilation import enable_compilation_cache
from phytotron.logs import EMBEDDED, compartment_names, read_compartment
from phytotron.logs.outdoors import outdoor_weather
from phytotron.models.greenlight.greenhouse_file import read_greenhouse
from phytotron.weather.sources import write_weather

TASK = "phytotron/Greenhouse-v0"
MJ_PER_KWH = 3.6


def main(
    twin: Path,
    log: Path,
    name: str | None,
    start: str,
    days: int,
    controllers: list[str],
    iterations: int,
    train: int,
) -> None:
    """Replay the recorded actuators, let every controller act on the same days, and print the table."""
    enable_compilation_cache()
    folder = EMBEDDED if str(log) == "embedded" else log
    found = read_compartment(folder, name or compartment_names(folder)[0])
    end = found.moment(start, "--start") + np.timedelta64(days, "D")
    made = replayed(found, *load_twin(str(twin), found), (found.moment(start, "--start"), end), 24.0)
    used, inside = judge(made)["used"], float(np.nanmean(made.given.measured[..., 0]))
    print(f"{'':32}{'heat':>8}{'lamps':>8}{'CO2':>8}{'air':>8}", flush=True)
    _print("recorded actuators", used["heat"], used["lamp_electricity"], used["co2"], inside)
    energy = float(read_greenhouse(twin).gas_energy) / MJ_PER_KWH  # kWh of heat in a cubic metre of gas
    with tempfile.TemporaryDirectory() as scratch:
        weather = Path(scratch) / "weather.csv.gz"
        write_weather(outdoor_weather(found), weather)
        options: dict[str, Any] = {"parameters": str(twin), "weather": str(weather), "episode_days": days}
        acting: dict[str, Any] = {each: each for each in controllers}
        if "oracle" in controllers:
            _phytotron("oracle", twin, weather, days, "--start", start, "--iterations", iterations)
        if train:
            run = Path(scratch) / "run"
            _phytotron("train", twin, weather, days, "--agent", "apg", "--steps", train, "--output", run)
            acting["trained agent (apg)"] = load_policies(find_policies(run)[0], phytotron.make(TASK, **options))[0]
        for label, controller in acting.items():
            began = time.perf_counter()
            episode = phytotron.run(TASK, controller, start=start, **options)
            gas, lamps, co2 = (float(episode.rows(f"measure_{each}").sum()) for each in ("gas", "electricity", "co2"))
            air, seconds = float(episode.rows("air_temperature").mean()), time.perf_counter() - began
            _print(label, energy * gas, lamps, co2, air, seconds)


def _phytotron(command: str, twin: Path, weather: Path, days: int, *more: object) -> None:
    options = ("--parameters", twin, "--option", f"weather={weather}", "--option", f"episode_days={days}")
    subprocess.run([sys.executable, "-m", "phytotron", command, TASK, *map(str, (*options, *more))], check=True)


def _print(label: str, heat: float, lamps: float, co2: float, air: float, seconds: float | None = None) -> None:
    took = "" if seconds is None else f"   {seconds:.0f} s"
    print(f"{label:32}{heat:8.2f}{lamps:8.2f}{co2:8.3f}{air:8.1f}{took}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("twin", type=Path, help="folder of a calibration")
    parser.add_argument("--log", type=Path, default=Path("embedded"))
    parser.add_argument("--name", default=None, help="compartment of the log")
    parser.add_argument("--start", default="2022-02-21", help="first day")
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--controllers", nargs="+", default=["rule-based", "mpc(horizon_hours=6)", "oracle"])
    parser.add_argument("--iterations", type=int, default=60, help="steps of the oracle's ascent")
    parser.add_argument("--train", type=int, default=0, help="environment steps of a trained agent; 0: none")
    main(**vars(parser.parse_args()))
