"""Experiments by name. Nothing is imported before it is run."""

import dataclasses
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from phytotron.core.errors import UnknownNameError
from phytotron.papers.result import Result, Settings

DESCRIPTIONS = {
    "greenlight-gym/table9": "errors of the model against the original GreenLight, twelve cycles of ten days",
    "greenlight-gym/figure2": "execution time, profit and time within bounds against the control interval",
    "greenlight-gym/table11": "return, profit and time within bounds of agents and rule-based grower, validation and "
    "test windows",
    "greenlight-gym/figure3": "learning curves of the agents, and the scores of their seeds on validation windows",
    "greenlight-gym/table10": "Mann-Whitney's U between the seeds of the agents",
    "greenlight-gym/figure4": "profit and time within bounds against the coefficients of the penalty",
    "greenlight-gym/figure5": "profit and time within bounds of the best agents and the rule-based grower on test "
    "windows",
    "greenlight-gym/figure6": "average day of climate and harvest under the best agents and the rule-based grower",
    "greenlight-gym/figure7": "average day of the actuators under the best agents and the rule-based grower",
    "greenlight-gym/attainable": "what rules, agents and hindsight earn on the test windows of table 11, and the share "
    "of what can be earned",
    "cropgym/figure1": "map of the sites, and how alike the climates are",
    "cropgym/table2": "reward, nitrogen and yield of Ceres, Standard Practice and PPO, northern climate",
    "cropgym/table3": "the same in the southern climate; climate similarity",
    "cropgym/table4": "reward, nitrogen and yield of DQN in both climates",
    "cropgym/figure2": "reward and nitrogen of every test year against those of Ceres",
    "cropgym/figure3": "what PPO does and earns over the season",
    "cropgym/figure4": "rain and nitrogen of Ceres, Standard Practice and PPO in both climates",
    "cropgym/figure5": "PPO and DQN in the same test years",
    "intercropgym/results": "reward, yields and nitrogen of double DQN, SAC and PPO on two crops, and how they learned",
    "intercropgym/land-equivalent-ratio": "land equivalent ratio of wheat and faba bean on one field, by nitrogen dose",
}
MODULES = {  # of experiments that are not in one of their own name
    "greenlight-gym/figure2": "control_interval",
    "greenlight-gym/figure3": "seeds",
    "greenlight-gym/table10": "seeds",
    "greenlight-gym/figure4": "sensitivity",
    "greenlight-gym/figure5": "controllers",
    "greenlight-gym/table11": "controllers",
    "greenlight-gym/figure6": "average_days",
    "greenlight-gym/figure7": "average_days",
    "cropgym/table2": "tables",
    "cropgym/table3": "tables",
    "cropgym/figure2": "ppo",
    "cropgym/figure3": "ppo",
    "cropgym/table4": "dqn",
    "cropgym/figure5": "dqn",
}
WITHOUT_AGENTS = (  # they run without trained agents and the packages that these need
    "greenlight-gym/table9",
    "greenlight-gym/figure2",
    "cropgym/figure1",
    "cropgym/table2",
    "cropgym/table3",
    "cropgym/figure4",
    "intercropgym/land-equivalent-ratio",
)


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper.

    "some-paper/item" is the function `item` of the module `experiments.item`, or of that in `MODULES`, in the package
    of the paper. Where it is drawn, the function `item` of the module `figures` draws it. `agents`: whether it needs
    trained agents.
    """

    name: str
    description: str
    agents: bool = True

    def run(self, settings: Settings) -> Result:
        """Run the experiment and return its result."""
        module = importlib.import_module(f"{self._package}.experiments.{MODULES.get(self.name, self._item)}")
        experiment: Callable[[Settings], Result] = getattr(module, self._item)
        return dataclasses.replace(experiment(settings), name=self.name, quick=settings.quick)

    def draw(self, result: Result) -> Any:
        """Return a matplotlib figure of a result; None where there is nothing to draw."""
        return self._drawing(result) if self.drawn else None

    @property
    def drawn(self) -> bool:
        """Return whether there is a figure of it, which needs matplotlib."""
        return self._drawing is not None

    @property
    def _drawing(self) -> Any:
        return getattr(importlib.import_module(f"{self._package}.figures"), self._item, None)

    @property
    def _package(self) -> str:
        return f"phytotron.papers.{self.name.partition('/')[0].replace('-', '_')}"

    @property
    def _item(self) -> str:
        return self.name.rpartition("/")[2].replace("-", "_")


EXPERIMENTS = MappingProxyType(
    {name: Experiment(name, description, name not in WITHOUT_AGENTS) for name, description in DESCRIPTIONS.items()}
)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of a name."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
