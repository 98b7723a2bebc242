"""How the agents are trained: PPO with each of the paper's rewards, five seeds.

They begin as clones of the rule-based controller (grower's rules). PPO from scratch, with the networks and the number
of steps of the paper, did not reach its numbers here; docs/papers.md has what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phytotron.papers.greenlight_gym.experiments.tasks import TRAINING_DAYS, training_task, training_years
from phytotron.papers.trained import Recipe, Task, Trained

# A first look: small networks, and few environments, so that whole episodes come to their end.
QUICK: Mapping[str, Any] = MappingProxyType(
    {"steps": 150_000, "num_envs": 16, "rollout": 192, "minibatch": 256, "actor": (64, 64), "critic": (64, 64)}
    | {"imitation_rounds": 200, "critic_first": 10}
)

REWARDS = ("additive", "multiplicative")


def recipe(reward: str) -> Recipe:
    """Five seeds with a reward."""

    def task(folder: Path | None) -> Task:
        said = {
            "task": "published code of GreenLight-Gym",
            "reward": reward,
            "series": "schiphol",
            "years": list(training_years(folder)),
            "start_day": list(TRAINING_DAYS),
        }
        return Task(training_task(folder, reward), said)

    return Recipe(f"greenlight_gym/{reward}", task, "ppo", "from-grower", {}, range(5), QUICK, range(2))


def years_of(run: Trained) -> tuple[int, ...]:
    """The years that an agent was trained on."""
    return tuple(run.options["years"])
