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
        )
    }
)


def find_experiment(name: str) -> Experiment:
    """The experiment of a name."""
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
