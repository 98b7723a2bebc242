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

    def run(self, settings: Settings) -> Result:
        module, _, attribute = self.entry_point.partition(":")
        function: Callable[[Settings], Result] = getattr(importlib.import_module(module), attribute)
        return function(settings)


GREENLIGHT_GYM = "phytotron.papers.greenlight_gym"
CROPGYM = "phytotron.papers.cropgym"
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
                "profit and time within bounds of the rule-based grower on validation and test windows",
                f"{GREENLIGHT_GYM}.table11:table11",
            ),
            Experiment(
                "cropgym/table2",
                "reward, nitrogen and yield of Ceres and Standard Practice, northern climate",
                f"{CROPGYM}.table2:table2",
            ),
            Experiment(
                "cropgym/table3",
                "reward, nitrogen and yield of Ceres and Standard Practice, southern climate; climate similarity",
                f"{CROPGYM}.table3:table3",
            ),
            Experiment(
                "cropgym/figure4",
                "rain and nitrogen of Ceres and Standard Practice in both climates",
                f"{CROPGYM}.figure4:figure4",
            ),
        )
    }
)


def find_experiment(name: str) -> Experiment:
    """The experiment of a name."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
