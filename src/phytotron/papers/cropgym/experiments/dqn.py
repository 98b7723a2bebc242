"""Table 4 and figure 5 of CropGym: the DQN agent in both climates, by itself and beside PPO in the same test years."""

from typing import Any

import numpy as np

from phytotron.evaluation.statistics.estimates import correlation
from phytotron.papers.attained import together
from phytotron.papers.cropgym.experiments import agents
from phytotron.papers.cropgym.experiments.climates import CLIMATES
from phytotron.papers.cropgym.experiments.learned import (
    RL,
    RL_SP,
    attained,
    difference_rows,
    learned,
    training_note,
    typical,
)
from phytotron.papers.cropgym.experiments.recipes import DQN, PPO
from phytotron.papers.cropgym.experiments.tables import NOTES
from phytotron.papers.cropgym.numbers import (
    AUTHORS_DATA,
    AUTHORS_NOTE,
    P_DQN_NORTH,
    P_DQN_SOUTH,
    PAPER,
    PPO_AND_DQN,
    TABLE4_NORTH,
    TABLE4_SOUTH,
)
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained

AGENT = "RL (DQN)"
PUBLISHED = ((TABLE4_NORTH, P_DQN_NORTH), (TABLE4_SOUTH, P_DQN_SOUTH))
AGENTS = ("PPO", "DQN")


def table4(settings: Settings) -> Result:
    """Return medians over the test seasons of each climate, and differences from SP, with bootstrap intervals."""
    agent, usual = trained(DQN, settings), agents.tuned(settings)
    rows: list[Row] = []
    notes: list[str] = []
    series: dict[str, Any] = {}
    for (climate, seasons), (paper, shares) in zip(CLIMATES.items(), PUBLISHED, strict=True):
        settings.progress(f"DQN, {climate}", 0.4 + 0.3 * len(series))
        test = seasons(settings.weather).cut(settings.quick)
        practice = agents.with_dose(test.weather, usual.dose)
        found = learned(agent.policies, test.weather, practice)
        rows += agents.agent_rows({AGENT: found}, {AGENT: paper[RL]}, f"{climate}: ")
        rows += difference_rows(f"{climate}: {AGENT} - {agents.SP}", found, practice, paper[RL_SP], shares)
        attainable, note = attained(AGENT, found, practice, test.weather, f"{climate}: ")
        rows += attainable
        series[climate] = agents.per_season(test.weather, {AGENT: found, agents.SP: practice})
        notes += [f"{climate}: {test.described}.", f"{climate}: {note}"]
    return Result(
        "DQN, median and 95 % interval",
        f"{PAPER}, table 4",
        together(rows),
        (*notes, usual.note, training_note(AGENT, agent), *NOTES),
        series,
    )


def figure5(settings: Settings) -> Result:
    """Return the reward, nitrogen and yield of every test year, medians over runs."""
    runs = {"PPO": trained(PPO, settings), "DQN": trained(DQN, settings)}
    series: dict[str, Any] = {}
    notes = []
    for climate, seasons in CLIMATES.items():
        settings.progress(climate, 0.5)
        test = seasons(settings.weather).cut(settings.quick)
        nothing = agents.with_dose(test.weather, 0.0)
        found = {name: typical(learned(agent.policies, test.weather, nothing)) for name, agent in runs.items()}
        series[climate] = agents.per_season(test.weather, found)
        notes.append(f"{climate}: {test.described}.")
    notes += [training_note(name, agent) for name, agent in runs.items()]
    return Result(
        f"PPO and DQN in the same {sum(len(each['season']) for each in series.values())} test years",
        f"{PAPER}, figure 5; numbers from the authors' results per year, {2 * 16} years",
        likeness_rows(series),
        (*notes, "A year's numbers are medians over the runs of an agent.", AUTHORS_NOTE),
        series,
        beside=AUTHORS_DATA,
    )


def likeness_rows(series: dict[str, Any]) -> list[Row]:
    """Return rows that compare the two agents, quantity by quantity, over the years of both climates."""
    found = []
    for quantity, unit, _ in agents.QUANTITIES:
        one, other = (np.concatenate([each["agents"][name][quantity] for each in series.values()]) for name in AGENTS)
        alike, apart = PPO_AND_DQN[quantity]
        setting = f"PPO and DQN, {quantity}"
        found += agents.estimate_rows(setting, "correlation", "-", correlation(one, other), alike)
        found.append(Row(setting, "absolute difference, median", unit, np.median(np.abs(other - one)), paper=apart))
    return found
