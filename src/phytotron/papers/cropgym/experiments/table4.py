"""Table 4 of CropGym: cumulative reward, nitrogen and yield of the DQN agent, in both climates."""

from __future__ import annotations

from typing import Any

import jax

from phytotron.environments.wheat.single_dose import single_dose
from phytotron.papers.cropgym.experiments.agents import SP, agent_rows, per_season, tuned_dose
from phytotron.papers.cropgym.experiments.climates import northern_test, northern_training, southern_test
from phytotron.papers.cropgym.experiments.learned import RL, RL_SP, difference_rows, learned, training_note
from phytotron.papers.cropgym.experiments.recipes import DQN
from phytotron.papers.cropgym.experiments.table2 import NOTES
from phytotron.papers.cropgym.numbers import P_DQN_NORTH, P_DQN_SOUTH, PAPER, TABLE4_NORTH, TABLE4_SOUTH
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained

AGENT = "RL (DQN)"


def table4(settings: Settings) -> Result:
    """Medians over the test seasons of each climate, and differences from SP, with bootstrap intervals."""
    agent = trained(DQN, settings)
    rows: list[Row] = []
    notes: list[str] = []
    series: dict[str, Any] = {}
    with jax.enable_x64(True):
        settings.progress("standard practice, on the training seasons", 0.1)
        training = northern_training(settings.weather).cut(settings.quick)
        dose = tuned_dose(training)
    climates = (
        ("Northern climate", northern_test, TABLE4_NORTH, P_DQN_NORTH),
        ("Southern climate", southern_test, TABLE4_SOUTH, P_DQN_SOUTH),
    )
    for number, (climate, seasons, paper, shares) in enumerate(climates):
        settings.progress(f"DQN, {climate}", 0.4 + 0.3 * number)
        test = seasons(settings.weather).cut(settings.quick)
        with jax.enable_x64(True):
            usual = single_dose(test.weather, dose)
        found = learned(agent.policies, test.weather, usual)
        rows += agent_rows({AGENT: found}, {AGENT: paper[RL]}, f"{climate}: ")
        rows += difference_rows(f"{climate}: {AGENT} - {SP}", found, usual, paper[RL_SP], shares)
        series[climate] = per_season(test.weather, {AGENT: found, SP: usual})
        notes.append(f"{climate}: {test.described}.")
    return Result(
        "cropgym/table4",
        "DQN, median and 95 % interval",
        f"{PAPER}, table 4",
        tuple(rows),
        (
            *notes,
            f"Training, for SP: {training.described}; the best dose is {dose:.1f} kg/ha.",
            training_note(AGENT, agent),
            *NOTES,
        ),
        series,
        settings.quick,
    )
