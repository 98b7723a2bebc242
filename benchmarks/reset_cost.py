"""What a reset costs that draws a new window of weather, in steps per second of a batch of greenhouses.

Usage, from the repository root:

    python benchmarks/reset_cost.py [NUM_ENVS]

Three loops of the same number of steps, taking turns: steps alone; steps with a reset to the same window wherever an
episode has ended; the same with a window drawn from all days of the embedded training years. Episodes last an hour, so
that a twelfth of all steps reset, 240 times as many as in the task of the paper.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.compilation import enable_compilation_cache, single_kernel
from phytotron.environments.greenhouse import Greenhouse

STEPS, ROUNDS = 96, 9


def loop(env: Greenhouse, num_envs: int, resets: bool) -> Callable[[Any, Any], Any]:
    """A compiled run of STEPS steps of all environments."""
    params = env.default_params
    step = jax.vmap(env.transition, (0, 0, 0, None))
    start = jax.vmap(env.initial, (0, None))

    def one(carry: tuple[Any, Any], action: Any) -> tuple[tuple[Any, Any], Any]:
        key, state = carry
        key, now, again = jax.random.split(key, 3)
        observation, state, reward, _, truncated, _ = step(jax.random.split(now, num_envs), state, action, params)
        if resets:
            _, fresh = start(jax.random.split(again, num_envs), params)
            state = jax.tree.map(lambda new, old: jnp.where(truncated, new, old), fresh, state)
        return (key, state), (observation.sum(), reward.sum())

    return jax.jit(single_kernel(lambda carry, actions: jax.lax.scan(one, carry, actions)))


def main() -> None:
    enable_compilation_cache()
    num_envs = int(sys.argv[1]) if len(sys.argv) > 1 else 128
    drawn = Greenhouse(episode_days=1 / 24)
    fixed = Greenhouse(episode_days=1 / 24, years=2010, first_day=60)
    cases = {
        "steps alone": loop(drawn, num_envs, resets=False),
        "reset to one window": loop(fixed, num_envs, resets=True),
        "reset draws a window": loop(drawn, num_envs, resets=True),
    }
    keys = jax.random.split(jax.random.key(0), num_envs)
    _, state = jax.vmap(drawn.initial, (0, None))(keys, drawn.default_params)
    actions = jax.random.uniform(jax.random.key(1), (STEPS, num_envs, 4), minval=-1.0)
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(ROUNDS + 1):
        for name, run in cases.items():
            began = time.perf_counter()
            jax.block_until_ready(run((jax.random.key(2), state), actions))
            seconds[name].append(time.perf_counter() - began)
    device = jax.devices()[0].device_kind
    print(f"{num_envs} greenhouses, float32, {device}, jax {jax.__version__}, median of {ROUNDS} rounds")
    for name, taken in seconds.items():
        print(f"{name:<24}{STEPS * num_envs / np.median(taken[1:]):>14,.0f} steps/s")


if __name__ == "__main__":
    main()
