"""Folders of runs that look as if they had been trained: policies as they begin, metrics made up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax

from phytotron.agents.policy_files import describe_spaces, save_policy
from phytotron.training.folder import RunFolder
from phytotron.training.setup import prepare

SMALL = {"num_envs": 2, "rollout": 8, "minibatch": 16, "epochs": 1, "actor": (8,), "critic": (8,), "steps": 1600}


def untrained_run(folder: Path, id: str, seeds: Sequence[int] = (0, 3), **options: Any) -> Path:
    """Begin a run, write some lines of metrics and the policies, and end it."""
    setup = prepare(id, seeds=seeds, settings=SMALL, options=options, evaluate_every=400)
    run, env = RunFolder(folder), setup.agent.environment
    run.create(setup.config.as_dict())
    for step in range(100, 1700, 100):
        values = [float(step + seed) for seed in seeds]
        means = {"return": values, "measures": {each.quantity.name: values for each in env.measures}}
        counts = {"episodes": [1] * len(seeds), "length": values, "losses": {}}
        run.append(
            {"kind": "training", "step": step, "seconds": 0.01 * step, "steps_per_second": 200.0} | counts | means
        )
        if step % 400 == 0:
            weather = setup.config.evaluation.weather
            run.append({"kind": "evaluation", "step": step, "weather": weather} | means)
    run.append({"kind": "end", "step": 1600, "reason": "finished"})
    begin = jax.jit(lambda key, params: setup.agent.policy(setup.agent.init(key, params)))
    for seed in seeds:
        policy = begin(jax.random.key(seed), env.default_params)
        about = {"environment": {"id": id, "options": options}, **describe_spaces(env)}
        for best in (False, True):
            save_policy(run.policy_path(seed, best), policy, about | {"training": {"seed": seed}})
    return folder
