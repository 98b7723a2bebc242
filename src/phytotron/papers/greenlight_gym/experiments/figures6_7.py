"""Figures 6 and 7 of GreenLight-Gym: the average day of climate and actuators on the test windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from phytotron.environments.greenhouse import RuleBased
from phytotron.papers.greenlight_gym.experiments.average_days import CLIMATE, POSITIONS, Days, average_day, days_of
from phytotron.papers.greenlight_gym.experiments.judged import RULE_BASED, Runs, environment, judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.greenlight_gym.numbers import HARVEST_LOSS, PAPER, TABLE11_AGENTS
from phytotron.papers.result import Result, Row, Settings, finite

NIGHT_HOURS = 6  # from midnight


class Recorded(NamedTuple):
    """Days by controller, and where they come from."""

    runs: Runs
    part: str
    days: dict[str, Days]

    def series(self, quantities: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
        """Average days, for the figures."""
        steps = next(iter(self.days.values()))[quantities[0][0]].shape[1]
        return {
            "hour": (np.arange(steps) * 24.0 / steps).tolist(),
            "part": self.part,
            "quantities": {name: {"meaning": meaning, "unit": unit} for name, meaning, unit in quantities},
            "controllers": {
                controller: {name: average_day(days[name]) for name, _, _ in quantities}
                for controller, days in self.days.items()
            },
        }

    def title(self, what: str) -> str:
        return f"{what}: average day with 99 % interval; {self.part}: {self.runs.windows.described(self.part)}"


def recorded(settings: Settings) -> Recorded:
    """The best seed of every reward, and the grower, on the largest test part."""
    runs = the_runs(settings)
    part = runs.windows.largest_test
    best = dict.fromkeys(runs.trained, 0)
    if VALIDATION in runs.windows.starts:
        found = judged(runs.only(VALIDATION))
        best = {name: found.best(name) for name in runs.trained}
    runs_on_test = runs.only(part)
    env = environment(runs_on_test, next(iter(runs.trained)))
    controllers: dict[str, Any] = {name: run.policies[best[name]] for name, run in runs.trained.items()}
    controllers[RULE_BASED] = RuleBased(env)
    days: dict[str, Days] = {}
    for name, controller in controllers.items():
        share = len(days) / len(controllers)
        settings.progress(f"average day, {name}: compiling", share)

        def told(done: int, total: int, name: str = name, share: float = share) -> None:
            settings.progress(f"average day, {name}", share + done / total / len(controllers))

        days[name] = days_of(env, controller, told)
    return Recorded(runs, part, days)


def figure6(settings: Settings) -> Result:
    """Air temperature, CO2, relative humidity and harvest."""
    found = recorded(settings)
    rows: list[Row] = []
    for controller, days in found.days.items():
        steps = days["temperature"].shape[1]
        night = slice(0, steps * NIGHT_HOURS // 24)
        for name, meaning, unit in CLIMATE[:3]:
            rows.append(Row(controller, f"{meaning}, mean", unit, finite(days[name].mean())))
            rows.append(Row(controller, f"{meaning}, 0 to 6 h", unit, finite(days[name][:, night].mean())))
        rows.append(Row(controller, "harvest of a day", "kg m-2", finite(days["harvest"][:, -1].mean())))
    usual = found.days[RULE_BASED]["harvest"][:, -1].mean()
    for controller in found.runs.trained:
        loss = usual - found.days[controller]["harvest"][:, -1].mean()
        paper = HARVEST_LOSS if controller in TABLE11_AGENTS else None
        rows.append(Row("harvest of a day", f"{RULE_BASED} less {controller}", "kg m-2", finite(loss), paper=paper))
    return Result(
        "greenlight-gym/figure6",
        found.title("Climate and harvest"),
        f"{PAPER}, figure 6 and section 4.5",
        tuple(rows),
        (*found.runs.notes, *NOTES, "The paper gives one loss of harvest, 0.013 kg m-2, for both agents."),
        found.series(CLIMATE),
        settings.quick,
    )


def figure7(settings: Settings) -> Result:
    """Boiler, CO2 injection, roof vent and thermal screen."""
    found = recorded(settings)
    rows = [
        Row(controller, f"{meaning}, mean position", unit, finite(days[name].mean()))
        for controller, days in found.days.items()
        for name, meaning, unit in POSITIONS
    ]
    return Result(
        "greenlight-gym/figure7",
        found.title("Actuators"),
        f"{PAPER}, figure 7 and section 4.5",
        tuple(rows),
        (
            *found.runs.notes,
            *NOTES,
            "The caption of the paper's figure says training windows, its text test windows.",
        ),
        found.series(POSITIONS),
        settings.quick,
    )


NOTES = (
    "Hours are UTC, as in the weather files. Intervals take the days as independent, as the paper does; days of one "
    "window resemble each other, so they are too narrow. Harvest is of fresh fruit. The agent of a reward is the seed "
    "with the highest mean return on the validation windows.",
    "The paper gives no numbers for this figure but those in the rows.",
)
