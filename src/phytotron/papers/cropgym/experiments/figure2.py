"""Figure 2 of CropGym: every test year's reward and nitrogen against those of Ceres, and what RL does other than SP."""

from __future__ import annotations

import numpy as np

from phytotron.environments.wheat.single_dose import BETA, Practice
from phytotron.papers.cropgym.experiments.agents import (
    CERES,
    QUANTITIES,
    SP,
    in_hindsight,
    per_season,
    tuned,
    with_dose,
)
from phytotron.papers.cropgym.experiments.climates import northern_test
from phytotron.papers.cropgym.experiments.learned import RL, RL_SP, learned, training_note, typical
from phytotron.papers.cropgym.experiments.recipes import PPO
from phytotron.papers.cropgym.numbers import ABOVE_BREAK_EVEN, CLOSER, PAPER
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained

BREAK_EVEN = BETA / 1000.0  # t of grain per kg of nitrogen


def figure2(settings: Settings) -> Result:
    """Points per test year; those of RL are medians over its runs."""
    agent, usual = trained(PPO, settings), tuned(settings)
    test = northern_test(settings.weather).cut(settings.quick)
    settings.progress("Ceres, on each test season", 0.5)
    found = {CERES: in_hindsight(test.weather), SP: with_dose(test.weather, usual.dose)}
    settings.progress("RL, on each test season", 0.9)
    found[RL] = typical(learned(agent.policies, test.weather, found[SP]))
    return Result(
        f"Ceres, SP and RL per test year; {test.described}",
        f"{PAPER}, figure 2; shares from the authors' results per year",
        rows(found),
        (
            f"Test: {test.described}.",
            usual.note,
            training_note(RL, agent),
            "A year's numbers of RL are medians over its runs.",
        ),
        per_season(test.weather, found) | {"break_even": BREAK_EVEN},
    )


def rows(found: dict[str, Practice]) -> list[Row]:
    """Shares of the years in which RL is closer to Ceres than SP is, and above the line of equal reward."""
    shares = []
    for quantity, _, of in QUANTITIES[:2]:
        best, usual, ours = (np.asarray(of(found[name]), float) for name in (CERES, SP, RL))
        share = 100.0 * float(np.mean(np.abs(ours - best) < np.abs(usual - best)))
        shares.append(Row(RL, f"years closer to Ceres than SP is, {quantity}", "%", share, paper=CLOSER[quantity]))
    better = 100.0 * float(np.mean(found[RL].episode_return > found[SP].episode_return))
    return [*shares, Row(RL_SP, "years above the break-even line", "%", better, paper=ABOVE_BREAK_EVEN)]
