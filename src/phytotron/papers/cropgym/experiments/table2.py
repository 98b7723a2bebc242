"""Table 2 of CropGym: cumulative reward, nitrogen and yield of Ceres, Standard Practice and RL in the north."""

from __future__ import annotations

from phytotron.papers.cropgym.experiments.agents import (
    CERES,
    growing_seasons,
    in_hindsight,
    median_rows,
    per_season,
    practices,
    season_rows,
    tuned,
)
from phytotron.papers.cropgym.experiments.climates import northern_test, other_northern_tests
from phytotron.papers.cropgym.experiments.learned import ppo_if_there, table_rows, with_learned
from phytotron.papers.cropgym.numbers import P_NORTH, PAPER, SEASON_NORTH, TABLE2
from phytotron.papers.result import Result, Row, Settings


def table2(settings: Settings) -> Result:
    """Medians over the test seasons of the northern climate, with bootstrap intervals."""
    agent, note = ppo_if_there(settings)
    usual, test = tuned(settings), northern_test(settings.weather).cut(settings.quick)
    settings.progress("Ceres, on each test season", 0.5)
    found = practices(test.weather, usual.dose)
    season = growing_seasons(test.weather, found[CERES])
    elsewhere: list[Row] = []
    for other in other_northern_tests(settings.weather, test)[: 0 if settings.quick else None]:
        settings.progress(f"Ceres at {other.origin}", 0.8)
        elsewhere += median_rows(f"Ceres at {other.origin}", in_hindsight(other.weather), TABLE2[CERES])
    settings.progress("RL, on each test season", 0.9)
    found = with_learned(found, agent, test.weather)
    return Result(
        f"Northern climate, median and 95 % interval; {test.described}",
        f"{PAPER}, table 2 and section 3",
        (*table_rows(found, TABLE2, P_NORTH), *season_rows("climate", season, SEASON_NORTH), *elsewhere),
        (
            f"Test: {test.described}.",
            usual.note,
            note,
            *(() if test.exact and usual.training.exact else (OTHER_WEATHER,)),
            *NOTES,
        ),
        per_season(test.weather, found) | {"standard_practice": usual.dose},
    )


OTHER_WEATHER = (
    "The paper trains on odd years of 1990-2021 at (52, 5.5), (51.5, 5) and (52.5, 6) (N, E) of NASA POWER, and tests "
    "on even years at (52, 5.5). Which point and source of weather is used moves the median dose by tens of kg/ha."
)
NOTES = (
    "Medians are over all pairs of run and year. Intervals: 10 000 draws of as many years as there are, with "
    "replacement, each with a run of its own, and the percentiles of their medians. One-sided p: the share of these "
    "medians that are not above 0.",
    "One dose on 7 January, as in the paper's code; its text speaks of three dates for SP.",
)
