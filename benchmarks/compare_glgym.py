"""Compare the speed of Phytotron's `greenlight` with gl-gym 0.3.2 on one CPU core.

Usage, from the repository root with the interpreter that has Phytotron installed:

    python benchmarks/compare_glgym.py
    python benchmarks/compare_glgym.py --num-envs 1 --num-envs 1024 --core 0 --json > result.json

The first run installs gl-gym into `.peers/gl-gym-0.3.2`; gl-gym needs a Python for which numpy < 2 has a
wheel (3.11, 3.12). To use an installation elsewhere, give its interpreter with `--peer-python`.

What is timed: gl-gym's registered environment as a user steps it through `gymnasium.make`, at a control
interval of 300 s with its other settings as they come (CVODES at 1e-4, actions as increments), for ten days
of random actions drawn beforehand; Phytotron by its own `phytotron speed`. Everything runs on the same core,
one process after the other: gl-gym, every Phytotron setting, gl-gym again. A ratio is Phytotron's rate over
the median of all gl-gym repeats; the two gl-gym rows show how steady the machine was in between.
Exit code 2 means that something could not be run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import statistics
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import peers

WORKER = Path(__file__).with_name("_glgym_worker.py")
IDS = ("greenlight", "phytotron/Greenhouse-v0")  # the model, and the task with observation and reward
INTERFACES = ((1, "float32"), (256, "float32"))  # through gymnasium.make and make_vec, NumPy in and out
PRECISIONS = ("float32", "float64")
RESULT_KEYS = ("id", "env_steps_per_second", "compile_seconds", "precision", "num_envs", "interface")


def cpu_model() -> str:
    """Return the name of the processor, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def pin_to_core(core: int | None) -> int:
    """Pin this process, and so every process it starts from here on, to one core; return its number."""
    if not hasattr(os, "sched_setaffinity"):
        raise peers.PeerError("this system cannot pin a process to a core (os.sched_setaffinity is missing)")
    allowed = sorted(os.sched_getaffinity(0))
    chosen = allowed[-1] if core is None else core
    if chosen not in allowed:
        raise peers.PeerError(f"core {chosen} is not one of those this process may use: {allowed}")
    os.sched_setaffinity(0, {chosen})
    return chosen


def single_thread_environment() -> dict[str, str]:
    """Return environment variables that keep XLA and the linear algebra libraries to one CPU thread."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_multi_thread_eigen=false".strip()
    return {**os.environ, **threads, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}


def time_glgym(python: Path, env: dict[str, str]) -> dict[str, Any]:
    """Run the worker once."""
    return peers.run_json([python, "-I", WORKER], "the gl-gym worker", env=env)


def time_phytotron(
    id: str, num_envs: int, precision: str, env: dict[str, str], interface: str = "functional"
) -> dict[str, Any]:
    """Run `phytotron speed` once."""
    command = ["phytotron", "speed", id, "--num-envs", str(num_envs), "--precision", precision]
    command += ["--interface", interface]
    label = " ".join(command)
    result = peers.run_json([sys.executable, "-m", *command, "--json"], label, env=env)
    if missing := [key for key in RESULT_KEYS if key not in result]:
        raise peers.PeerError(f"{label} gave no {', '.join(missing)}")
    return result


def compare(peer_python: Path | None, core: int | None, num_envs: list[int]) -> dict[str, Any]:
    """Run everything and return the result as one JSON-compatible object."""
    python = peers.ensure(*peers.GLGYM, peer_python)
    core = pin_to_core(core)
    env = single_thread_environment()
    load = os.getloadavg()[0]
    before = time_glgym(python, env)
    rows = [time_phytotron(*setting, env) for setting in itertools.product(IDS, num_envs, PRECISIONS)]
    rows += [time_phytotron(IDS[1], *setting, env, "gymnasium") for setting in INTERFACES]
    after = time_glgym(python, env)
    repeats = {"before": before["env_steps_per_second"], "after": after["env_steps_per_second"]}
    reference = statistics.median(repeats["before"] + repeats["after"])
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "core": core,
        "load_average_before": round(load, 2),
        "versions": {"python": platform.python_version(), "jax": version("jax"), "numpy": version("numpy")},
        "glgym": {"env_steps_per_second": reference, "repeats": repeats, "versions": before["versions"]},
        "phytotron": [row | {"ratio": row["env_steps_per_second"] / reference} for row in rows],
    }


def table(result: dict[str, Any]) -> str:
    """Format the result for a reader."""
    glgym = result["glgym"]
    own, peer = (", ".join(f"{k} {v}" for k, v in part["versions"].items()) for part in (result, glgym))
    reference = glgym["env_steps_per_second"]
    before, after = (statistics.median(glgym["repeats"][when]) for when in ("before", "after"))
    rows = [("system", "environments", "precision", "env steps/s", "compile s", "ratio")]
    rows.append(("gl-gym", "1", "float64", f"{before:,.0f}", "-", f"{before / reference:.2f}"))
    for item in result["phytotron"]:
        rate, seconds = f"{item['env_steps_per_second']:,.0f}", f"{item['compile_seconds']:.1f}"
        name = item["id"] + (", gymnasium" if item["interface"] == "gymnasium" else "")
        setting = (name, str(item["num_envs"]), str(item["precision"]))
        rows.append((*setting, rate, seconds, f"{item['ratio']:.2f}"))
    rows.append(("gl-gym", "1", "float64", f"{after:,.0f}", "-", f"{after / reference:.2f}"))
    return "\n".join(
        [
            f"{result['date']}  {result['cpu']}, core {result['core']}, load {result['load_average_before']}",
            f"own:  {own}",
            f"peer: {peer}\n",
            *(f"{row[0]:<26}" + "".join(f"{cell:>13}" for cell in row[1:]) for row in rows),
            f"\nratio 1 is {reference:,.0f} env steps/s, the median of all gl-gym repeats",
        ]
    )


def main() -> int:
    """Parse the command line, run the comparison, print it."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    peers.add_peer_argument(parser)
    parser.add_argument("--num-envs", type=int, action="append", help="repeatable; default 1 and 128")
    parser.add_argument("--core", type=int, help="core to run on; default the last one this process may use")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    arguments = parser.parse_args()
    try:
        result = compare(arguments.peer_python, arguments.core, arguments.num_envs or [1, 128])
    except peers.PeerError as error:
        print(f"compare_glgym: {error}", file=sys.stderr)
        return 2
    print(json.dumps(result, indent=2) if arguments.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
