"""Figures 2 and 3 of CropGym: what the PPO agent does other than Ceres and SP, year by year and over the season."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from phytotron.agents.policy import Policy
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.single_dose import BETA, Practice
from phytotron.episodes.recording import record
from phytotron.evaluation.statistics.estimates import Numbers, median
from phytotron.papers.cropgym.experiments import agents
from phytotron.papers.cropgym.experiments.climates import northern_test
from phytotron.papers.cropgym.experiments.learned import RL, RL_SP, learned, training_note, typical
from phytotron.papers.cropgym.experiments.recipes import PPO
from phytotron.papers.cropgym.numbers import (
    ABOVE_BREAK_EVEN,
    APPLICATIONS,
    AUTHORS_DATA,
    AUTHORS_NOTE,
    CLOSER,
    DAYS,
    PAPER,
)
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import trained
from phytotron.weather.field_weather import FieldWeather

BREAK_EVEN = BETA / 1000.0  # t of grain per kg of nitrogen
PERCENTILES = (5.0, 25.0, 50.0, 75.0, 95.0)


def figure2(settings: Settings) -> Result:
    """Return points per test year; those of RL are medians over its runs."""
    agent, usual = trained(PPO, settings), agents.tuned(settings)
    test = northern_test(settings.weather).cut(settings.quick)
    settings.progress("Ceres, on each test season", 0.5)
    found = {agents.CERES: agents.in_hindsight(test.weather), agents.SP: agents.with_dose(test.weather, usual.dose)}
    settings.progress("RL, on each test season", 0.9)
    found[RL] = typical(learned(agent.policies, test.weather, found[agents.SP]))
    return Result(
        f"Ceres, SP and RL per test year; {test.described}",
        f"{PAPER}, figure 2; shares from the authors' results per year",
        share_rows(found),
        (
            f"Test: {test.described}.",
            usual.note,
            training_note(RL, agent),
            "A year's numbers of RL are medians over its runs.",
            AUTHORS_NOTE,
        ),
        agents.per_season(test.weather, found) | {"break_even": BREAK_EVEN},
        beside=AUTHORS_DATA,
    )


def share_rows(found: dict[str, Practice]) -> list[Row]:
    """Return shares of the years in which RL is closer to Ceres than SP is, and above the line of equal reward."""
    shares = []
    for quantity, _, of in agents.QUANTITIES[:2]:
        best, usual, ours = (np.asarray(of(found[name]), float) for name in (agents.CERES, agents.SP, RL))
        share = 100.0 * float(np.mean(np.abs(ours - best) < np.abs(usual - best)))
        shares.append(Row(RL, f"years closer to Ceres than SP is, {quantity}", "%", share, paper=CLOSER[quantity]))
    better = 100.0 * float(np.mean(found[RL].episode_return > found[agents.SP].episode_return))
    return [*shares, Row(RL_SP, "years above the break-even line", "%", better, paper=ABOVE_BREAK_EVEN)]


class WeeklySeries(NamedTuple):
    """Numbers (runs, seasons, weeks); after the harvest they are 0."""

    reward: Numbers  # g m-2
    dose: Numbers  # kg ha-1


def figure3(settings: Settings) -> Result:
    """Return cumulative reward and nitrogen by week: median over all runs and test seasons, and percentiles."""
    agent = trained(PPO, settings)
    test = northern_test(settings.weather).cut(settings.quick)
    settings.progress("RL, on each test season", 0.5)
    season = agents.growing_seasons(test.weather, agents.with_dose(test.weather, 0.0))
    found = weekly_series(agent.policies, test.weather)
    return Result(
        f"RL over the season; {test.described}",
        f"{PAPER}, figure 3 and section 3",
        (
            *agents.estimate_rows(
                RL, "applications of a season", "-", median((found.dose > 0.0).sum(axis=2)), APPLICATIONS
            ),
            *agents.estimate_rows(RL, "length of an episode", "d", median(season.days), DAYS),
            *agents.estimate_rows(RL, "day of the first application", "d", median(first_days(found)), None),
        ),
        (f"Test: {test.described}.", training_note(RL, agent), PERCENTILE_NOTE),
        series(found),
    )


def weekly_series(policies: Sequence[Policy], weather: FieldWeather) -> WeeklySeries:
    """Return the doses and rewards of each policy in each week of each season."""
    env = WheatNitrogen(weather=weather)
    dose = [channel for channel in env.channels if channel.name == "dose"]
    (part,) = record(env, policies, dose, chunk=env.episode_steps)
    of_all = (part.measures["return"], part.channels["dose"])
    return WeeklySeries(*(np.where(part.active, each, 0.0).astype(float) for each in of_all))


def first_days(found: WeeklySeries, interval: int = 7) -> Numbers:
    """Return the day of the year on which nitrogen first enters the soil; of seasons without any, the last."""
    given = found.dose > 0.0
    first = np.where(given.any(axis=2), given.argmax(axis=2), found.dose.shape[2] - 1)
    return np.asarray(interval * (first + 1) + 1, float)


def series(found: WeeklySeries, interval: int = 7) -> dict[str, Any]:
    """Return percentiles over all runs and seasons of the sums so far, after each week, and the mean dose of each."""
    weeks = found.dose.shape[2]

    def percentiles(each: Numbers) -> dict[str, list[float]]:
        sums = np.concatenate([np.zeros((*each.shape[:2], 1)), each.cumsum(axis=2)], axis=2)
        return {f"{p:g}": np.percentile(sums, p, axis=(0, 1)).tolist() for p in PERCENTILES}

    return {
        "day": [interval * (week + 1) for week in range(weeks + 1)],
        "cumulative reward": percentiles(found.reward),
        "nitrogen": percentiles(found.dose),
        "mean dose": found.dose.mean(axis=(0, 1)).tolist(),
        "pairs": int(np.prod(found.dose.shape[:2])),
    }


PERCENTILE_NOTE = (
    "Medians and percentiles are over all pairs of run and year; after the harvest sums stay what they are. "
    "The authors' results per year have 207.5 days in the median; the paper prints 208."
)
