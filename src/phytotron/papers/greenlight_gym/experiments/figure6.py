"""Figure 6 of GreenLight-Gym: the average day of climate and harvest on the test windows."""

from __future__ import annotations

from phytotron.papers.greenlight_gym.experiments.average_days import Shown, average_days
from phytotron.papers.greenlight_gym.experiments.judged import RULE_BASED
from phytotron.papers.greenlight_gym.numbers import HARVEST_LOSS, PAPER, TABLE11_AGENTS
from phytotron.papers.result import Result, Row, Settings

NIGHT = 6  # h, from midnight
HARVEST = "sum of harvest"
CLIMATE = (
    Shown("temperature", "air temperature", "°C", "air_temperature"),
    Shown("co2", "CO₂", "ppm", "co2"),
    Shown("humidity", "relative humidity", "%", "humidity"),
    Shown("harvest", "cumulative harvest", "kg m-2", HARVEST),
)


def figure6(settings: Settings) -> Result:
    """Air temperature, CO2, relative humidity and harvest."""
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
