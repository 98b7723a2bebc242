"""Table 4 of CropGym: cumulative reward, nitrogen and yield of the DQN agent, in both climates."""

from __future__ import annotations

from typing import Any

from phytotron.papers.cropgym.experiments.agents import SP, agent_rows, per_season, tuned, with_dose
from phytotron.papers.cropgym.experiments.climates import CLIMATES
from phytotron.papers.cropgym.experiments.learned import RL, RL_SP, difference_rows, learned, training_note
from phytotron.papers.cropgym.experiments.recipes import DQN
from phytotron.papers.cropgym.experiments.table2 import NOTES
from phytotron.papers.cropgym.numbers import P_DQN_NORTH, P_DQN_SOUTH, PAPER, TABLE4_NORTH, TABLE4_SOUTH
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained

AGENT = "RL (DQN)"
PUBLISHED = ((TABLE4_NORTH, P_DQN_NORTH), (TABLE4_SOUTH, P_DQN_SOUTH))


def table4(settings: Settings) -> Result:
    """Medians over the test seasons of each climate, and differences from SP, with bootstrap intervals."""
    agent, usual = trained(DQN, settings), tuned(settings)
    rows: list[Row] = []
    notes: list[str] = []
    series: dict[str, Any] = {}
    for (climate, seasons), (paper, shares) in zip(CLIMATES.items(), PUBLISHED, strict=True):
        settings.progress(f"DQN, {climate}", 0.4 + 0.3 * len(notes))
        test = seasons(settings.weather).cut(settings.quick)
        practice = with_dose(test.weather, usual.dose)
        found = learned(agent.policies, test.weather, practice)
        rows += agent_rows({AGENT: found}, {AGENT: paper[RL]}, f"{climate}: ")
        rows += difference_rows(f"{climate}: {AGENT} - {SP}", found, practice, paper[RL_SP], shares)
        series[climate] = per_season(test.weather, {AGENT: found, SP: practice})
        notes.append(f"{climate}: {test.described}.")
    return Result(
        "DQN, median and 95 % interval",
        f"{PAPER}, table 4",
        rows,
        (*notes, usual.note, training_note(AGENT, agent), *NOTES),
        series,
    )
