"""Record what predictive control does in the windows of the pages of `phytotron play`, and plan the oracle from there.

    python benchmarks/record_play.py phytotron/Lettuce-v0

writes both into the package, where the page finds them; what is there already stays where it is better.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from phytotron.browser.rivals import PREDICTIVE, RECORDED
from phytotron.browser.settings import settings_of
from phytotron.core.registry import make_environment
from phytotron.episodes.engine import find_start, some, windows
from phytotron.episodes.recording import run_episodes
from phytotron.planning.hindsight import make_plans
from phytotron.planning.mpc import mpc
from phytotron.planning.plans import COMMITTED, FEW_LEVELS, Plan, keep_plans


@dataclass(frozen=True)
class Recipe:
    """Options of the planner's own model, options of predictive control, and gradient steps of the oracle."""

    model: Mapping[str, Any] = field(default_factory=dict)
    control: Mapping[str, Any] = field(default_factory=dict)
    iterations: int = 90


RECIPES = {
    "phytotron/Greenhouse-v0": Recipe(model={"substeps": 8}),
    "phytotron/Intercrop-v0": Recipe(iterations=300),
    "phytotron/WheatNitrogen-v0": Recipe(iterations=300),
    "phytotron/Lettuce-v0": Recipe(control={"horizon_hours": 12, "iterations": 15}, iterations=400),
}


def record(id: str, recipe: Recipe) -> None:
    """Record all windows of a page at once."""
    settings = settings_of(id)
    task = settings.task or id
    env = make_environment(task, settings.options)
    planner = make_environment(task, {**settings.options, **recipe.model})
    starts = windows(env)
    if settings.windows:
        starts = some(starts, np.array([find_start(env, starts, label) for label in settings.windows]))
    keys = jax.random.split(jax.random.key(0), len(starts.labels))
    controller = mpc(planner, **recipe.control)
    played = run_episodes(env, controller, keys, env.episode_steps, starts.params, starts.axes)
    done = zip(starts.labels, played.action, played.reward.sum(axis=1), strict=True)
    kept = {label: Plan(actions, float(value), ()) for label, actions, value in done}
    print(keep_plans(env, kept, PREDICTIVE, RECORDED, FEW_LEVELS), {label: plan.value for label, plan in kept.items()})
    plans = make_plans(env, starts, iterations=recipe.iterations, beginnings=[kept])
    print(keep_plans(env, plans, folder=COMMITTED, levels=FEW_LEVELS), {k: plan.value for k, plan in plans.items()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("id", choices=RECIPES)
    name = parser.parse_args().id
    record(name, RECIPES[name])
