"""Training of the agents: double DQN, discrete SAC and PPO, five seeds each, on two tasks.

The paper's task charges 10 g of grain for a gram of nitrogen, on each of two crops that both get the dose: then the
best that can be done is to give nothing. The second task charges 2, what nitrogen costs (Kallenberg et al. 2023), so
that there is something to learn.

They train on generated years and are tested on all years that were measured at Wageningen, none of which they see.

Networks, learning rates, discount, batches, clipping and exploration are those of the paper's tables IV to VI. It does
not say how many steps were made, and its agents see numbers between 0.01 and 20,000,000 as they are. `AGENTS` has what
is done otherwise here.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phytotron.environments.intercrop import Intercrop
from phytotron.papers.intercropgym.numbers import BETA
from phytotron.papers.trained import Recipe, Task

PRICE = 2.0  # g of grain that a gram of nitrogen costs
TRAINING, TEST = "generated:wageningen", "wageningen"
TASKS: Mapping[str, float] = {"paper": BETA, "price": PRICE}
QUICK_STEPS = 6_000
NORMALISED: dict[str, Any] = {"normalise_observations": True, "normalise_rewards": True}
ENDING: dict[str, Any] = {"entropy_end": 0.0, "learning_rate_end": 5e-5}
# By name in the paper: the agent, and what is changed of its preset. Rewards that are normalised are small against the
# paper's weight of entropy in SAC, 0.2, so that one is smaller too.
AGENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "DDQN": ("dqn", NORMALISED | {"steps": 100_000, "buffer": 50_000}),
    "SAC": ("sac", NORMALISED | {"steps": 100_000, "buffer": 50_000, "entropy": 0.01}),
    "PPO": ("ppo", {"steps": 300_000, "num_envs": 16, "rollout": 256} | ENDING),
}


def environment(beta: float, weather: str = TRAINING, years: tuple[int, ...] | None = None) -> Intercrop:
    """Return the pair of the package, with a price of nitrogen in grain."""
    return Intercrop(weather=weather, years=years, reward_parameters={"nitrogen_penalty": beta})


def recipe(task: str, agent: str) -> Recipe:
    """Return an agent of the paper on one of the tasks."""
    name, changes = AGENTS[agent]
    beta = TASKS[task]

    def make(folder: Path | None) -> Task:
        return Task(environment(beta), {"weather": TRAINING, "reward_parameters": {"nitrogen_penalty": beta}})

    budgets = (changes, range(5), {"steps": QUICK_STEPS}, range(2))
    return Recipe(f"intercropgym/{task}_{name}", make, name, "intercropgym", *budgets)
