"""How the agents are trained: PPO with each of the paper's rewards, five seeds.

They begin as clones of the rule-based grower. PPO from scratch, with the networks and the number of steps of the paper,
did not reach its numbers here; docs/papers.md has what was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phytotron.papers.greenlight_gym.experiments.tasks import TRAINING_DAYS, training_task, training_years
from phytotron.papers.trained import Recipe, Task, Trained

# A first look: small networks, and few environments, so that whole episodes come to their end.
QUICK: Mapping[str, Any] = MappingProxyType(
    {
        "steps": 150_000,
        "num_envs": 16,
        "rollout": 192,
        "minibatch": 256,
        "imitation_rounds": 200,
        "critic_first": 10,
        "actor": (64, 64),
        "critic": (64, 64),
    }
)


@dataclass(frozen=True)
class RewardChoice:
    """A reward by name, as an option of the greenhouse."""

    name: str
    reward: Any  # a name, or what `Greenhouse` takes for one
    options: Mapping[str, Any] = field(default_factory=dict)  # more of the greenhouse, e.g. reward_parameters
    in_paper: bool = True

    @property
    def environment(self) -> dict[str, Any]:
        return {"reward": self.reward, **self.options}


REWARDS = (RewardChoice("additive", "additive"), RewardChoice("multiplicative", "multiplicative"))


def recipe(choice: RewardChoice) -> Recipe:
    """Five seeds with a reward."""

    def task(folder: Path | None) -> Task:
        years = training_years(folder)
        said = {
            "task": "published code of GreenLight-Gym",
            "reward": choice.name,
            "series": "schiphol",
            "years": list(years),
            "start_day": list(TRAINING_DAYS),
        }
        return Task(training_task(folder, **choice.environment), said | {k: str(v) for k, v in choice.options.items()})

    return Recipe(f"greenlight_gym/{choice.name}", task, "ppo", "from-grower", {}, range(5), QUICK, range(2))


def years_of(run: Trained) -> tuple[int, ...]:
    """The years that an agent was trained on."""
    return tuple(run.options["years"])
