"""Figures 6 and 7 of GreenLight-Gym: the average day on the test windows under the best agents and the grower."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from phytotron.core.controller import Controller
from phytotron.environments.greenhouse import RuleBased
from phytotron.evaluation.examination import AverageDay, average_day
from phytotron.papers.greenlight_gym.experiments.judged import RULE_BASED, Runs, environment, judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.greenlight_gym.numbers import HARVEST_LOSS, PAPER, TABLE11_AGENTS
from phytotron.papers.result import Result, Row, Settings

CONFIDENCE = 0.99
NIGHT = 6  # h, from midnight
HARVEST = "sum of harvest"


class Shown(NamedTuple):
    """A quantity of a figure, and the name under which `average_day` has it."""

    name: str
    meaning: str
    unit: str
    recorded: str


class AverageDays(NamedTuple):
    """Average days by controller, and where they come from."""

    runs: Runs
    part: str
    quantities: Sequence[Shown]
    days: dict[str, AverageDay]

    def result(self, what: str, source: str, rows: Sequence[Row], note: str) -> Result:
        """Return a figure of the average days."""
        title = f"{what}: average day with 99 % interval; {self.part}: {self.runs.windows.described(self.part)}"
        return Result(title, source, rows, (*self.runs.notes, *NOTES, note), self.series())

    def series(self) -> dict[str, Any]:
        """Return means and half widths of their intervals by time of day."""
        return {
            "hour": next(iter(self.days.values())).hours.tolist(),
            "part": self.part,
            "quantities": {each.name: {"meaning": each.meaning, "unit": each.unit} for each in self.quantities},
            "controllers": {
                name: {each.name: with_interval(day, each.recorded) for each in self.quantities}
                for name, day in self.days.items()
            },
        }


def with_interval(day: AverageDay, name: str) -> dict[str, list[float]]:
    """Return the mean over days by time of day, and half of its 99 % interval, of the first controller."""
    factor = student.ppf(0.5 + 0.5 * CONFIDENCE, np.maximum(day.count[0] - 1.0, 1.0))
    return {"mean": day.mean(name)[0].tolist(), "interval": (factor * day.error(name)[0]).tolist()}


def average_days(settings: Settings, quantities: Sequence[Shown]) -> AverageDays:
    """Return the best seed of every reward, and the rule-based controller, on the largest test part."""
    runs = the_runs(settings)
    part = runs.windows.largest_test
    best = dict.fromkeys(runs.trained, 0)
    if VALIDATION in runs.windows.starts:
        found = judged(runs.only(VALIDATION))
        best = {name: found.best(name) for name in runs.trained}
    env = environment(runs.only(part), next(iter(runs.trained)))
    controllers: dict[str, Controller] = {name: run.policies[best[name]] for name, run in runs.trained.items()}
    controllers[RULE_BASED] = RuleBased(env)
    names, days = [each.recorded for each in quantities], {}
    for number, (name, controller) in enumerate(controllers.items()):
        progress = settings.job(f"average day, {name}", number, len(controllers))
        days[name] = average_day(env, controller, names, progress=progress)
    return AverageDays(runs, part, quantities, days)


NOTES = (
    "Hours are UTC, as in the weather files. Intervals take the days as independent, as the paper does; days of one "
    "window resemble each other, so they are too narrow. Harvest is of fresh fruit. The agent of a reward is the seed "
    "with the highest mean return on the validation windows.",
    "The paper gives no numbers for this figure but those in the rows.",
)


CLIMATE = (
    Shown("temperature", "air temperature", "°C", "air_temperature"),
    Shown("co2", "CO₂", "ppm", "co2"),
    Shown("humidity", "relative humidity", "%", "humidity"),
    Shown("harvest", "cumulative harvest", "kg m-2", HARVEST),
)


def figure6(settings: Settings) -> Result:
    """Return the air temperature, CO2, relative humidity and harvest."""
    found = average_days(settings, CLIMATE)
    rows: list[Row] = []
    harvest = {name: day.mean(HARVEST)[0, -1] for name, day in found.days.items()}
    for controller, day in found.days.items():
        for each in CLIMATE[:3]:
            mean = day.mean(each.recorded)[0]
            night = mean[day.hours < NIGHT]
            rows.append(Row(controller, f"{each.meaning}, mean", each.unit, mean.mean()))
            rows.append(Row(controller, f"{each.meaning}, 0 to 6 h", each.unit, night.mean()))
        rows.append(Row(controller, "harvest of a day", "kg m-2", harvest[controller]))
    for agent in found.runs.trained:
        loss, paper = harvest[RULE_BASED] - harvest[agent], HARVEST_LOSS if agent in TABLE11_AGENTS else None
        rows.append(Row("harvest of a day", f"{RULE_BASED} less {agent}", "kg m-2", loss, paper=paper))
    note = "The paper gives one loss of harvest, 0.013 kg m-2, for both agents."
    return found.result("Climate and harvest", f"{PAPER}, figure 6 and section 4.5", rows, note)


POSITIONS = tuple(
    Shown(name, meaning, "-", name)
    for name, meaning in (
        ("boiler", "boiler valve"),
        ("co2_injection", "CO₂ injection"),
        ("roof_vent", "roof vent"),
        ("thermal_screen", "thermal screen"),
    )
)


def figure7(settings: Settings) -> Result:
    """Return the boiler, CO2 injection, roof vent and thermal screen."""
    found = average_days(settings, POSITIONS)
    rows = [
        Row(controller, f"{each.meaning}, mean position", each.unit, day.mean(each.recorded)[0].mean())
        for controller, day in found.days.items()
        for each in POSITIONS
    ]
    note = "The caption of the paper's figure says training windows, its text test windows."
    return found.result("Actuators", f"{PAPER}, figure 7 and section 4.5", rows, note)
