"""Figure 5 of CropGym: PPO and DQN in the same test years, in both climates."""

from __future__ import annotations

from typing import Any

import numpy as np

from phytotron.evaluation.statistics.estimates import correlation
from phytotron.papers.cropgym.experiments.agents import QUANTITIES, estimate_rows, per_season, with_dose
from phytotron.papers.cropgym.experiments.climates import CLIMATES
from phytotron.papers.cropgym.experiments.learned import learned, training_note, typical
from phytotron.papers.cropgym.experiments.recipes import DQN, PPO
from phytotron.papers.cropgym.numbers import PAPER, PPO_AND_DQN
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained

NAMES = ("PPO", "DQN")


def figure5(settings: Settings) -> Result:
    """Reward, nitrogen and yield of every test year, medians over runs."""
    agents = {"PPO": trained(PPO, settings), "DQN": trained(DQN, settings)}
    series: dict[str, Any] = {}
    notes = []
    for climate, seasons in CLIMATES.items():
        settings.progress(climate, 0.5)
        test = seasons(settings.weather).cut(settings.quick)
        nothing = with_dose(test.weather, 0.0)
        found = {name: typical(learned(agent.policies, test.weather, nothing)) for name, agent in agents.items()}
        series[climate] = per_season(test.weather, found)
        notes.append(f"{climate}: {test.described}.")
    notes += [training_note(name, agent) for name, agent in agents.items()]
    return Result(
        f"PPO and DQN in the same {sum(len(each['season']) for each in series.values())} test years",
        f"{PAPER}, figure 5; numbers from the authors' results per year, {2 * 16} years",
        rows(series),
        (*notes, "A year's numbers are medians over the runs of an agent."),
        series,
    )


def rows(series: dict[str, Any]) -> list[Row]:
    """How alike the two agents are, quantity by quantity, over the years of both climates."""
    found = []
    for quantity, unit, _ in QUANTITIES:
        one, other = (np.concatenate([each["agents"][name][quantity] for each in series.values()]) for name in NAMES)
        alike, apart = PPO_AND_DQN[quantity]
        setting = f"PPO and DQN, {quantity}"
        found += estimate_rows(setting, "correlation", "-", correlation(one, other), alike)
        found.append(Row(setting, "absolute difference, median", unit, np.median(np.abs(other - one)), paper=apart))
    return found
