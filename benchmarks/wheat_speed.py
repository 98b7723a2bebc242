"""How fast the wheat task goes: one environment, a batch, and the table of Ceres.

Usage, from the repository root with the interpreter that has Phytotron installed:

    python benchmarks/wheat_speed.py
    PYTHONPATH=src python benchmarks/wheat_speed.py --functional-only --num-envs 65536 --json

A step is one decision: seven days of LINTUL-3, observation and reward. The batch starts new seasons and takes 25 random
actions in each, all in one compiled call; no season is over by then. Through Gymnasium, one environment is stepped from
Python and reset when it is over. Ceres is the best single dose of each of 128 generated seasons (32 years at four
sites). The peer, PCSE-Gym, makes 34 steps/s on one core with its baseline cached.

On the CPU everything runs on one core. With `--functional-only` Gymnasium need not be installed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

ID = "phytotron/WheatNitrogen-v0"
PEER_STEPS_PER_SECOND = 34.0
REPEATS = 5
DECISIONS = 25  # fewer than in the shortest season
GYMNASIUM_STEPS = 3000
CHUNK = 128  # environments that a CPU core steps together: what they need fits its cache


def pin_to_one_core() -> None:
    """Keep this process on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def fastest(call: Callable[[], Any]) -> float:
    """Seconds of the fastest of several calls."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def measure_batch(num_envs: int, precision: str) -> dict[str, Any]:
    """Steps per second of a batch in one compiled call."""
    import jax
    import jax.numpy as jnp

    import phytotron

    env = phytotron.make(ID, precision=precision)
    chunk = min(CHUNK if jax.default_backend() == "cpu" else num_envs, num_envs)
    if num_envs % chunk:
        raise SystemExit(f"wheat_speed: --num-envs is {num_envs}; expected a multiple of {chunk}")

    def step(carry: Any, _: Any) -> Any:
        key, choose, move = jax.random.split(carry[0], 3)
        _, state, reward, terminated, truncated, _ = env.step(move, carry[1], env.action_space.sample(choose))
        return (key, state), (reward, terminated | truncated)

    def season(key: Any) -> Any:
        key, first = jax.random.split(key)
        _, (reward, over) = jax.lax.scan(step, (key, env.reset(first)[1]), length=DECISIONS)
        return reward.sum(), over.any()

    @jax.jit
    def run(keys: Any) -> Any:
        return jax.lax.map(jax.vmap(season), keys.reshape(num_envs // chunk, chunk))

    keys = jax.random.split(jax.random.key(0), num_envs)
    start = time.perf_counter()
    returns, over = jax.block_until_ready(run(keys))
    compile_seconds = time.perf_counter() - start
    assert not bool(jnp.any(over)) and bool(jnp.all(jnp.isfinite(returns)))
    seconds = fastest(lambda: jax.block_until_ready(run(keys)))
    rate = num_envs * DECISIONS / seconds
    return {"num_envs": num_envs, "steps_per_second": rate, "compile_seconds": compile_seconds}


def measure_gymnasium(precision: str) -> dict[str, Any]:
    """Steps per second of one environment, resets included, and the time of a reset."""
    import gymnasium

    env = gymnasium.make(ID, precision=precision)
    start = time.perf_counter()
    env.reset(seed=0)
    env.step(0)
    compile_seconds = time.perf_counter() - start

    def play() -> None:
        for number in range(GYMNASIUM_STEPS):
            _, _, terminated, truncated, _ = env.step(number % 3)
            if terminated or truncated:
                env.reset()

    seconds = fastest(play)
    reset = fastest(lambda: [env.reset() for _ in range(100)]) / 100
    return {"steps_per_second": GYMNASIUM_STEPS / seconds, "compile_seconds": compile_seconds, "reset_seconds": reset}


def measure_ceres() -> dict[str, Any]:
    """Seconds for the table of 32 years at four sites."""
    from phytotron.environments.wheat.single_dose import ceres
    from phytotron.weather.field_weather import field_weather
    from phytotron.weather.generator import ClimateShift, WeatherGenerator

    climates = (
        WeatherGenerator("schiphol"),
        WeatherGenerator("wageningen"),
        WeatherGenerator("france48n"),
        WeatherGenerator("wageningen", ClimateShift(temperature_offset=2.0)),
    )
    weather = field_weather([climate.daily_table(1, 1990, 32) for climate in climates])
    start = time.perf_counter()
    table = ceres(weather)
    first = time.perf_counter() - start
    seconds = fastest(lambda: ceres(weather))
    mean = float(table.dose.mean())
    return {"seasons": weather.seasons, "first_seconds": first, "seconds": seconds, "mean_dose_kg_ha": mean}


def main() -> int:
    """Parse the command line, measure, print."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--functional-only", action="store_true", help="leave Gymnasium out")
    parser.add_argument("--num-envs", type=int, default=4096, help="environments in the batch")
    parser.add_argument("--precision", choices=("float32", "float64"), default="float32")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    pin_to_one_core()
    import jax

    jax.config.update("jax_enable_x64", arguments.precision == "float64")
    result: dict[str, Any] = {
        "device": f"{jax.devices()[0].device_kind} ({platform.machine()})",
        "versions": {"python": platform.python_version(), "jax": version("jax")},
        "precision": arguments.precision,
        "load_average": round(os.getloadavg()[0], 2),
        "batch": measure_batch(arguments.num_envs, arguments.precision),
        "ceres": measure_ceres(),
    }
    if not arguments.functional_only:
        result["gymnasium"] = measure_gymnasium(arguments.precision)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return 0
    for name in ("batch", "gymnasium"):
        if name in result:
            rate = result[name]["steps_per_second"]
            print(f"{name:<10}{rate:>14,.0f} steps/s, {rate / PEER_STEPS_PER_SECOND:,.0f} times PCSE-Gym's 34")
    table = result["ceres"]
    print(
        f"Ceres     {table['seconds']:>14.2f} s for {table['seasons']} seasons, {table['first_seconds']:.1f} s at first"
    )
    print(f"{result['device']}, jax {result['versions']['jax']}, {arguments.precision}, load {result['load_average']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
