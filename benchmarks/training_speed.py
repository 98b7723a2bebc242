"""Environment steps per second of training: `python benchmarks/training_speed.py ID --preset NAME --seeds 5`.

The update that `phytotron train` compiles, all seeds at once, timed over some updates after a first one.
"""

from __future__ import annotations

import argparse
import json
import time

import jax

from phytotron.training.loop import Updates
from phytotron.training.setup import prepare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("id", help="id of an environment, e.g. phytotron/Greenhouse-v0")
    parser.add_argument("--agent", default="ppo")
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--updates", type=int, default=5)
    arguments = parser.parse_args()
    agent = prepare(arguments.id, agent=arguments.agent, preset=arguments.preset).agent
    updates = Updates(agent, range(arguments.seeds))
    state = jax.block_until_ready(updates.start())
    began = time.perf_counter()
    updates.compile(state)
    compiled = time.perf_counter() - began
    state, _ = updates.advance(state, 1)
    began = time.perf_counter()
    jax.block_until_ready(updates.advance(state, arguments.updates)[0])
    seconds = time.perf_counter() - began
    steps = arguments.updates * agent.steps_per_update
    print(
        json.dumps(
            {
                "id": arguments.id,
                "agent": arguments.agent,
                "preset": arguments.preset,
                "seeds": arguments.seeds,
                "steps_per_second": round(steps * arguments.seeds / seconds, 1),
                "seconds_per_million_steps_and_seed": round(1e6 * seconds / (steps * arguments.seeds), 3),
                "compile_seconds": round(compiled, 1),
                "device": jax.devices()[0].device_kind,
                "jax": jax.__version__,
            }
        )
    )


if __name__ == "__main__":
    main()
