"""Experiments by name. Nothing is imported before it is run."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from phytotron.core.errors import UnknownNameError
from phytotron.papers.result import Result, Settings


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, and the function that makes it ("module:function")."""

    name: str
    description: str
    entry_point: str
    agents: bool = False  # whether it needs trained agents, and the packages that these need

    def run(self, settings: Settings) -> Result:
        module, _, attribute = self.entry_point.partition(":")
        function: Callable[[Settings], Result] = getattr(importlib.import_module(module), attribute)
        return function(settings)


GREENLIGHT_GYM = "phytotron.papers.greenlight_gym"
CROPGYM = "phytotron.papers.cropgym"
INTERCROPGYM = "phytotron.papers.intercropgym"
EXPERIMENTS = MappingProxyType(
    {
        experiment.name: experiment
        for experiment in (
            Experiment(
                "greenlight-gym/table9",
                "errors of the model against the original GreenLight, twelve cycles of ten days",
                f"{GREENLIGHT_GYM}.table9:table9",
            ),
            Experiment(
                "greenlight-gym/figure2",
                "execution time, profit and time within bounds against the control interval",
                f"{GREENLIGHT_GYM}.figure2:figure2",
            ),
            Experiment(
                "greenlight-gym/table11",
                "return, profit and time within bounds of agents and rule-based grower, validation and test windows",
                f"{GREENLIGHT_GYM}.table11:table11",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/figure3",
                "learning curves of the agents, and what their seeds come to on validation windows",
                f"{GREENLIGHT_GYM}.figure3:figure3",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/table10",
                "Mann-Whitney's U between the seeds of the agents",
                f"{GREENLIGHT_GYM}.table10:table10",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/figure4",
                "profit and time within bounds against the coefficients of the penalty",
                f"{GREENLIGHT_GYM}.figure4:figure4",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/figure5",
                "profit and time within bounds of the best agents and the rule-based grower on test windows",
                f"{GREENLIGHT_GYM}.figure5:figure5",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/figure6",
                "average day of climate and harvest under the best agents and the rule-based grower",
                f"{GREENLIGHT_GYM}.figures6_7:figure6",
                agents=True,
            ),
            Experiment(
                "greenlight-gym/figure7",
                "average day of the actuators under the best agents and the rule-based grower",
                f"{GREENLIGHT_GYM}.figures6_7:figure7",
                agents=True,
            ),
            Experiment(
                "cropgym/table2",
                "reward, nitrogen and yield of Ceres, Standard Practice and PPO, northern climate",
                f"{CROPGYM}.table2:table2",
            ),
            Experiment(
                "cropgym/table3",
                "the same in the southern climate; climate similarity",
                f"{CROPGYM}.table3:table3",
            ),
            Experiment(
                "cropgym/table4",
                "reward, nitrogen and yield of DQN in both climates",
                f"{CROPGYM}.table4:table4",
                agents=True,
            ),
            Experiment(
                "cropgym/figure2",
                "reward and nitrogen of every test year against those of Ceres",
                f"{CROPGYM}.figure2:figure2",
                agents=True,
            ),
            Experiment(
                "cropgym/figure3",
                "what PPO does and earns over the season",
                f"{CROPGYM}.figure3:figure3",
                agents=True,
            ),
            Experiment(
                "cropgym/figure4",
                "rain and nitrogen of Ceres, Standard Practice and PPO in both climates",
                f"{CROPGYM}.figure4:figure4",
            ),
            Experiment(
                "cropgym/figure5",
                "PPO and DQN in the same test years",
                f"{CROPGYM}.figure5:figure5",
                agents=True,
            ),
            Experiment(
                "intercropgym/results",
                "reward, yields and nitrogen of double DQN, SAC and PPO on two crops, and how they learned",
                f"{INTERCROPGYM}.results:results",
                agents=True,
            ),
            Experiment(
                "intercropgym/land-equivalent-ratio",
                "land equivalent ratio of wheat and faba bean on one field, by nitrogen dose",
                f"{INTERCROPGYM}.land_equivalent:land_equivalent_ratio",
            ),
        )
    }
)


def find_experiment(name: str) -> Experiment:
    """The experiment of a name."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
