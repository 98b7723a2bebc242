"""How fast gradients through the greenhouse are: compilation, ten days of one greenhouse, many greenhouses at once.

python benchmarks/gradient_speed.py [--batch 65536 ...]
"""

import argparse
import platform
import time
from typing import Any

import jax

from phytotron.environments.greenhouse import GreenLightGym
from phytotron.episodes.open_loop import follow

DAYS = 10
BATCH_STEPS = 4  # control intervals of a batch; the time of one does not depend on their number
REPEATS = 3


def seconds(function: Any, *arguments: Any) -> float:
    """The shortest of some runs."""
    found = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        found.append(time.perf_counter() - begin)
    return min(found)


def main() -> None:
    """Measure, and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, nargs="*", default=[], help="greenhouses at once")
    batches = parser.parse_args().batch
    env = GreenLightGym(weather="schiphol", reward="additive", episode_days=DAYS)
    key, params = jax.random.key(0), env.default_params

    def gradient(actions: Any) -> Any:
        return jax.value_and_grad(lambda each: follow(env, key, each, params).total)(actions)

    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}, {platform.machine()}")
    actions = jax.random.uniform(key, (env.episode_steps, 4), minval=-1.0, maxval=1.0)
    begin = time.perf_counter()
    compiled = jax.jit(gradient).lower(actions).compile()
    print(f"compilation of the gradient of {DAYS} days: {time.perf_counter() - begin:.1f} s")
    print(f"gradient of {DAYS} days, {env.episode_steps} steps: {seconds(compiled, actions):.3f} s")
    for size in batches:
        many = jax.random.uniform(key, (size, BATCH_STEPS, 4), minval=-1.0, maxval=1.0)
        took = seconds(jax.jit(jax.vmap(gradient)).lower(many).compile(), many)
        rate = size * BATCH_STEPS / took
        print(f"{size:,} greenhouses: {1e3 * took / BATCH_STEPS:.2f} ms a step, {rate:,.0f} gradient steps/s")


if __name__ == "__main__":
    main()
