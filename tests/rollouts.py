"""A fixed episode of every environment, by which its numbers are known again; as a program, it writes the record.

A rollout is the observations, rewards and last state of a few steps in double precision, with actions that a generator
of NumPy draws. Its record keeps ten digits of every number, and its hash is that of the record. Other machines and
versions of XLA round the last digits differently, so a rollout is compared with the record to within `TOLERANCE`; what
leaves it is a change of the task, which needs a new version of its id.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import jax
import numpy as np

from phytotron.core import registry

RECORD = Path(__file__).parent / "robustness" / "rollouts.json"
STEPS, DIGITS, TOLERANCE = 12, 10, 1e-9
# Everything else as it is by default.
OPTIONS: dict[str, dict[str, Any]] = {
    "phytotron/Greenhouse-v0": {"episode_days": 1.0},
    "phytotron/GreenLightGym-v0": {"episode_days": 1.0},
    "phytotron/GreenhouseSetpoint-v0": {"episode_days": 1.0, "first_day": 60},
    "phytotron/WheatNitrogen-v0": {},
    "phytotron/Intercrop-v0": {},
    "phytotron/IntercropField-v0": {},
    "phytotron/IntercropField-v1": {},
    "phytotron/Lettuce-v0": {"episode_days": 1.0},
}


def rollout(id: str, precision: str = "float64") -> list[float]:
    """The numbers of the episode, in ten digits."""
    env = registry.make(id, precision=precision, **OPTIONS[id])
    random, space = np.random.default_rng(17), env.action_space
    observation, state = env.reset(jax.random.key(11))
    found = [observation]
    for step in range(STEPS):
        if hasattr(space, "n"):
            action = np.asarray(random.integers(space.n), space.dtype)
        else:
            action = random.uniform(space.low, space.high).astype(space.dtype)
        observation, state, reward, *_ = env.step(jax.random.key(step), state, action)
        found += [observation, reward]
    leaves = [leaf for leaf in jax.tree.leaves(state) if np.asarray(leaf).dtype.kind == "f"]
    numbers = np.concatenate([np.asarray(each, np.float64).ravel() for each in (*found, *leaves)])
    return [float(f"{number:.{DIGITS - 1}e}") for number in numbers]


def fingerprint(numbers: list[float]) -> str:
    """The hash of a record."""
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:16]


def recorded() -> dict[str, list[float]]:
    """The rollouts of all ids."""
    found: dict[str, list[float]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    made = {id: rollout(id) for id in OPTIONS}
    lines = [f" {json.dumps(id)}: {json.dumps(numbers)}" for id, numbers in made.items()]
    Path(sys.argv[1]).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for id, numbers in made.items():
        print(f"| `{id}` | {len(numbers)} | `{fingerprint(numbers)}` |")
