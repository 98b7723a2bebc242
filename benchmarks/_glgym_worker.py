"""Time gl-gym's own environment; run by `compare_glgym.py` with the interpreter that has gl-gym.

Prints one JSON object: the env steps per second of each repeat, and the versions used.
"""

from __future__ import annotations

import json
import math
import platform
import time
from importlib.metadata import version
from typing import Any

import gl_gym  # type: ignore[import-not-found]  # noqa: F401  (registers the environment)
import gymnasium
import numpy as np

STEP_SECONDS = 300
DAYS = 10
STEPS = DAYS * 86400 // STEP_SECONDS
WARM_UP_STEPS = 100
REPEATS = 3
SEED = 0
PACKAGES = ("gl-gym", "numpy", "casadi", "gymnasium")


def run_episode(env: Any, actions: Any) -> float:
    """Reset, take every action, and return the seconds that the steps took."""
    env.reset(seed=SEED)
    rewards = []
    start = time.perf_counter()
    for action in actions:
        _, reward, _, truncated, _ = env.step(action)
        rewards.append(reward)
        if truncated:  # gl-gym catches every error of its integrator and truncates instead
            raise RuntimeError(f"gl-gym's integrator failed at step {len(rewards)}")
    seconds = time.perf_counter() - start
    if not math.isfinite(sum(rewards)):
        raise RuntimeError("gl-gym returned a reward that is not finite")
    return seconds


def main() -> None:
    """Run the timing and print it."""
    # One spare day keeps the loop clear of the end of gl-gym's episode.
    env = gymnasium.make("gl_gym/GreenLightTomato-v0", dt=STEP_SECONDS, season_length=DAYS + 1)
    space: Any = env.action_space
    actions = np.random.default_rng(SEED).uniform(space.low, space.high, (STEPS, *space.shape))
    actions = actions.astype(space.dtype)
    run_episode(env, actions[:WARM_UP_STEPS])
    rates = [STEPS / run_episode(env, actions) for _ in range(REPEATS)]
    versions = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    print(json.dumps({"env_steps_per_second": rates, "versions": versions}))


if __name__ == "__main__":
    main()
