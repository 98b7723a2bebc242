"""Steps per second of the episode engine, beside those of another version of this package in the same run.

    python benchmarks/episode_speed.py --peer PATH/TO/OTHER/src

Measured are whole episodes under a controller (`evaluate`), as evaluations and reports play them, and updates of PPO,
whose batch starts anew wherever an episode ends. Each version runs in a process of its own; the two take turns, and the
median of the ratios of neighbouring turns counts, so that a machine that slows down meanwhile does not matter.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

CASES = {"phytotron/Greenhouse-v0": 1, "phytotron/WheatNitrogen-v0": 64}  # policies, for calls of some 20,000 steps
HERE = Path(__file__).resolve().parent.parent / "src"


def episodes_per_second(id: str, seconds: float) -> float:
    """Environment steps per second of whole episodes under policies, after compilation."""
    import jax

    import phytotron
    from phytotron.evaluation.scores import evaluate_stacked
    from phytotron.training.presets import make_agent, make_settings

    env = phytotron.make(id, **({"episode_days": 1.0} if "Greenhouse" in id else {}))
    agent = make_agent("ppo", env, make_settings("ppo", num_envs=4, rollout=16, minibatch=64))
    keys = jax.random.split(jax.random.key(0), CASES[id])
    state = jax.vmap(agent.init, (0, None))(keys, env.default_params)
    policies = jax.vmap(agent.policy)(state)

    def once() -> float:
        return float(evaluate_stacked(env, policies, episodes=64).values["length"].sum())

    return rate(once, seconds)


def updates_per_second(id: str, seconds: float) -> float:
    """Environment steps per second of PPO's updates, after compilation."""
    import jax

    import phytotron
    from phytotron.training.presets import make_agent, make_settings

    env = phytotron.make(id)
    settings = make_settings("ppo", num_envs=64, rollout=32, minibatch=512, epochs=1, actor=(32,), critic=(32,))
    agent, params = make_agent("ppo", env, settings), env.default_params
    update = jax.jit(agent.update)
    state = agent.init(jax.random.key(0), params)

    def once() -> float:
        nonlocal state
        state, _ = jax.block_until_ready(update(state, params))
        return float(agent.steps_per_update)

    return rate(once, seconds)


def rate(once: Any, seconds: float) -> float:
    """Of what a call returns, per second, over some seconds."""
    once()
    total, began = 0.0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        total += once()
    return total / (time.perf_counter() - began)


def measure(seconds: float) -> dict[str, float]:
    """All cases in this process."""
    measured = {}
    for id in CASES:
        measured[f"{id} episodes"] = episodes_per_second(id, seconds)
        measured[f"{id} PPO"] = updates_per_second(id, seconds)
    return measured


def in_process(source: Path, seconds: float) -> dict[str, float]:
    """The same, in a process that has the package from a source folder."""
    command = [sys.executable, __file__, "--worker", "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(source)})
    if done.returncode:
        raise SystemExit(f"{source}: {done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Take turns and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, help="src folder of another version")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        print(json.dumps(measure(arguments.seconds)))
        return
    sources = [HERE, *([arguments.peer] if arguments.peer else [])]
    turns = [[in_process(source, arguments.seconds) for source in sources] for _ in range(arguments.turns)]
    for case in turns[0][0]:
        ours = statistics.median(turn[0][case] for turn in turns)
        text = f"{case:<44}{ours:>12,.0f} steps/s"
        if arguments.peer:
            text += f"   {statistics.median(turn[0][case] / turn[1][case] for turn in turns):.3f} of the peer"
        print(text)


if __name__ == "__main__":
    main()
