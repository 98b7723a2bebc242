"""Figure 3 of CropGym: what RL does over the season, and what it earns by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from phytotron.agents.policy import Policy
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.recording import record
from phytotron.evaluation.statistics.estimates import Numbers, median
from phytotron.papers.cropgym.experiments.agents import estimate_rows, growing_seasons, with_dose
from phytotron.papers.cropgym.experiments.climates import northern_test
from phytotron.papers.cropgym.experiments.learned import RL, training_note
from phytotron.papers.cropgym.experiments.recipes import PPO
from phytotron.papers.cropgym.numbers import APPLICATIONS, DAYS, PAPER
from phytotron.papers.result import Result, Settings
from phytotron.papers.trained import trained
from phytotron.weather.field_weather import FieldWeather

PERCENTILES = (5.0, 25.0, 50.0, 75.0, 95.0)


class Course(NamedTuple):
    """Numbers (runs, seasons, weeks); after the harvest they are 0."""

    reward: Numbers  # g m-2
    dose: Numbers  # kg ha-1


def figure3(settings: Settings) -> Result:
    """Cumulative reward and nitrogen week by week: the median over all runs and test seasons, and percentiles."""
    agent = trained(PPO, settings)
    test = northern_test(settings.weather).cut(settings.quick)
    settings.progress("RL, on each test season", 0.5)
    season = growing_seasons(test.weather, with_dose(test.weather, 0.0))
    found = courses(agent.policies, test.weather)
    return Result(
        f"RL over the season; {test.described}",
        f"{PAPER}, figure 3 and section 3",
        (
            *estimate_rows(RL, "applications of a season", "-", median((found.dose > 0.0).sum(axis=2)), APPLICATIONS),
            *estimate_rows(RL, "length of an episode", "d", median(season.days), DAYS),
            *estimate_rows(RL, "day of the first application", "d", median(first_days(found)), None),
        ),
        (f"Test: {test.described}.", training_note(RL, agent), NOTE),
        series(found),
    )


def courses(policies: Sequence[Policy], weather: FieldWeather) -> Course:
    """What each policy does and earns in each week of each season."""
    env = WheatNitrogen(weather=weather)
    dose = [channel for channel in env.channels if channel.name == "dose"]
    (part,) = record(env, policies, dose, chunk=env.episode_steps)
    of_all = (part.measures["return"], part.channels["dose"])
    return Course(*(np.where(part.active, each, 0.0).astype(float) for each in of_all))


def first_days(found: Course, interval: int = 7) -> Numbers:
    """Day of the year on which nitrogen first enters the soil; of seasons without any, the last."""
    given = found.dose > 0.0
    first = np.where(given.any(axis=2), given.argmax(axis=2), found.dose.shape[2] - 1)
    return np.asarray(interval * (first + 1) + 1, float)


def series(found: Course, interval: int = 7) -> dict[str, Any]:
    """Percentiles over all runs and seasons of the sums so far, after each week, and the mean dose of each."""
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


NOTE = (
    "Medians and percentiles are over all pairs of run and year; after the harvest sums stay what they are. "
    "The authors' results per year have 207.5 days in the median; the paper prints 208."
)
