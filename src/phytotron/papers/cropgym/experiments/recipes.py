"""Training of the learned agents: on odd years in the north, with the settings of the paper and its code."""

from collections.abc import Sequence
from pathlib import Path

from phytotron.environments.wheat import WheatNitrogen
from phytotron.papers.cropgym.experiments.climates import northern_training
from phytotron.papers.trained import Recipe, Task

SEEDS, DQN_SEEDS, QUICK_SEEDS = range(15), range(5), range(2)
QUICK_STEPS = 40_000  # a tenth of the paper's


def northern_task(folder: Path | None) -> Task:
    """Return the task on the training seasons, all of which are drawn with the same chance."""
    training = northern_training(folder)
    return Task(WheatNitrogen(weather=training.weather), {"weather": training.name or training.described})


def _recipe(agent: str, seeds: Sequence[int]) -> Recipe:
    quick = {"steps": QUICK_STEPS}
    return Recipe(f"cropgym/{agent}", northern_task, agent, "cropgym", {}, seeds, quick, QUICK_SEEDS)


PPO, DQN = _recipe("ppo", SEEDS), _recipe("dqn", DQN_SEEDS)
