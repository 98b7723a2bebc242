"""Compare the speed of Phytotron's `lintul3` with PCSE's LINTUL-3 on one CPU core.

Usage, from the repository root with the interpreter that has Phytotron installed:

    python benchmarks/lintul3_speed.py
    python benchmarks/lintul3_speed.py --peer-python PATH --core 0 --json > result.json

The first run installs PCSE 6.0.13 into `.peers/pcse-6.0.13`; to use an installation elsewhere, give its interpreter
with `--peer-python`. Both run the same season of plain PCSE's winter wheat on made-up weather with the same doses, on
the same core, one process after the other: PCSE, Phytotron, PCSE again.

A season is a run from 1 January to the harvest: PCSE makes its model and runs it to the end, weather in memory;
Phytotron runs `harvest`. A weekly step is seven days with a dose on the second, in one compiled call from Python, as an
environment makes it. Exit code 2 means that something could not be run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import lintul3_peer as peer
import peers
from compare_glgym import cpu_model, pin_to_core, single_thread_environment

FIELDS = (1, 4096)
PRECISIONS = ("float32", "float64")
REPEATS = 5
DOSES = {7: 5.0, 60: 6.0, 110: 4.0}
WEEK = 7


def fastest(call: Callable[[], Any], count: int) -> float:
    """Seconds per call, the least of several repeats of `count` calls."""
    import jax

    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(count):
            result = call()
        jax.block_until_ready(result)
        times.append((time.perf_counter() - start) / count)
    return min(times)


def measure(fields: int, precision: str) -> dict[str, Any]:
    """Seasons and weekly steps per second of Phytotron in this process."""
    import jax
    import jax.numpy as jnp

    from phytotron.models.lintul3 import (
        PLAIN_SET,
        Management,
        Weather,
        advance,
        harvest,
        initial_state,
        is_over,
        load_parameters,
    )

    jax.config.update("jax_enable_x64", precision == "float64")
    rows = peer.weather()
    named = {
        "irradiation": ("IRRAD", 1.0),
        "minimum_temperature": ("TMIN", 1.0),
        "maximum_temperature": ("TMAX", 1.0),
        "air_temperature": ("TEMP", 1.0),
        "rain": ("RAIN", 10.0),
        "bare_soil_evaporation": ("ES0", 10.0),
        "reference_evapotranspiration": ("ET0", 10.0),
    }
    parameters = load_parameters(PLAIN_SET)
    days = int(parameters.latest_harvest) + 1
    shape = (days,) if fields == 1 else (days, fields)

    def column(values: Any) -> Any:
        array = np.asarray(values, precision)[:days]
        return jnp.array(np.broadcast_to(array if fields == 1 else array[:, None], shape))

    weather = Weather(**{name: scale * column(rows[symbol]) for name, (symbol, scale) in named.items()})
    management = Management(
        nitrogen=column([DOSES.get(day, 0.0) for day in range(days)]), irrigation=column([0.0] * days)
    )

    compiled = jax.jit(harvest)
    start = time.perf_counter()
    last = jax.block_until_ready(compiled(weather, management, parameters))
    compile_seconds = time.perf_counter() - start
    assert bool(jnp.all(is_over(last, parameters)))
    season = fastest(lambda: compiled(weather, management, parameters), 50 if fields == 1 else 2)

    @jax.jit
    def week(state: Any, dose: Any, first: Any) -> Any:
        def day(number: Any, now: Any) -> Any:
            today = jax.tree.map(lambda each: each[first + number], weather)
            return advance(now, today, Management(nitrogen=jnp.where(number == 1, dose, 0.0)), parameters)

        return jax.lax.fori_loop(0, WEEK, day, state)

    state = jax.tree.map(lambda each: jnp.array(jnp.broadcast_to(each, shape[1:])), initial_state(parameters))
    dose = jnp.full(shape[1:], 2.0)
    jax.block_until_ready(week(state, dose, 100))
    step = fastest(lambda: week(state, dose, 100), 500 if fields == 1 else 20)
    return {
        "fields": fields,
        "precision": precision,
        "seasons_per_second": fields / season,
        "weekly_steps_per_second": fields / step,
        "compile_seconds": compile_seconds,
        "grain": float(jnp.mean(last.grain_mass)),
    }


def compare(peer_python: Path | None, core: int | None) -> dict[str, Any]:
    """Run everything and return the result as one JSON-compatible object."""
    from phytotron.models.lintul3 import PLAIN_SET, load_parameters

    python = peers.ensure(*peers.PCSE, peer_python)
    core = pin_to_core(core)
    env = single_thread_environment()
    task = [peer.season(load_parameters(PLAIN_SET), peer.weather(), DOSES)]
    before = peer.run(python, task, REPEATS, env)
    ours = []
    for fields in FIELDS:
        for precision in PRECISIONS:
            command = [sys.executable, __file__, "--measure", str(fields), precision]
            ours.append(peers.run_json(command, f"{fields} fields in {precision}", env=env))
    after = peer.run(python, task, REPEATS, env)
    seconds = [run["seconds"][0] for run in (before, after)]
    reference = 1.0 / statistics.median(seconds[0] + seconds[1])
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "core": core,
        "load_average": round(os.getloadavg()[0], 2),
        "versions": {"python": platform.python_version(), "jax": version("jax"), "pcse": before["versions"]["pcse"]},
        "pcse": {
            "seasons_per_second": reference,
            "seconds": seconds,
            "days": len(before["rows"][0]),
            "grain": before["rows"][0][-1]["crop.st.WSO"],
        },
        "phytotron": [each | {"ratio": each["seasons_per_second"] / reference} for each in ours],
    }


def table(result: dict[str, Any]) -> str:
    """Format the result for a reader."""
    pcse = result["pcse"]
    versions = ", ".join(f"{name} {number}" for name, number in result["versions"].items())
    rows = [("system", "fields", "precision", "seasons/s", "weekly steps/s", "grain g/m2", "ratio")]
    rows.append(("PCSE", "1", "float64", f"{pcse['seasons_per_second']:.2f}", "-", f"{pcse['grain']:.4f}", "1"))
    for each in result["phytotron"]:
        setting = ("Phytotron", str(each["fields"]), each["precision"])
        rates = (f"{each['seasons_per_second']:,.0f}", f"{each['weekly_steps_per_second']:,.0f}")
        rows.append((*setting, *rates, f"{each['grain']:.4f}", f"{each['ratio']:,.0f}"))
    return "\n".join(
        [
            f"{result['date']}  {result['cpu']}, core {result['core']}, load {result['load_average']}; {versions}",
            f"one season of {pcse['days']} days\n",
            *(f"{row[0]:<12}" + "".join(f"{cell:>15}" for cell in row[1:]) for row in rows),
        ]
    )


def main() -> int:
    """Parse the command line, run the comparison, print it."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    peers.add_peer_argument(parser)
    parser.add_argument("--core", type=int, help="core to run on; default the last one this process may use")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    parser.add_argument("--measure", nargs=2, metavar=("FIELDS", "PRECISION"), help="time Phytotron alone, here")
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(int(arguments.measure[0]), arguments.measure[1])))
        return 0
    try:
        result = compare(arguments.peer_python, arguments.core)
    except (peers.PeerError, subprocess.SubprocessError) as error:
        print(f"lintul3_speed: {error}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2) if arguments.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
