"""Table 2 of CropGym, the rows of Ceres and Standard Practice: cumulative reward, nitrogen and yield in the north."""

from __future__ import annotations

import jax

from phytotron.evaluation.wheat_baselines import ceres
from phytotron.papers.cropgym.agents import (
    CERES,
    agent_rows,
    growing_seasons,
    median_rows,
    per_season,
    practices,
    season_rows,
    tuned_dose,
)
from phytotron.papers.cropgym.climates import northern_test, northern_training, other_northern_tests
from phytotron.papers.cropgym.paper_numbers import PAPER, SEASON_NORTH, TABLE2
from phytotron.papers.result import Result, Row, Settings


def table2(settings: Settings) -> Result:
    """Medians over the test seasons of the northern climate, with bootstrap intervals."""
    with jax.enable_x64(True):
        training = northern_training(settings.weather).cut(settings.quick)
        test = northern_test(settings.weather).cut(settings.quick)
        settings.progress("standard practice, on the training seasons", 0.1)
        dose = tuned_dose(training)
        settings.progress("Ceres, on each test season", 0.5)
        found = practices(test.weather, dose)
        season = growing_seasons(test.weather, found[CERES])
        elsewhere: list[Row] = []
        for other in other_northern_tests(settings.weather, test)[: 0 if settings.quick else None]:
            settings.progress(f"Ceres at {other.origin}", 0.8)
            elsewhere += median_rows(f"Ceres at {other.origin}", ceres(other.weather), TABLE2[CERES])
    return Result(
        "cropgym/table2",
        f"Northern climate, median and 95 % interval; {test.described}",
        f"{PAPER}, table 2 and section 3",
        (*agent_rows(found, TABLE2), *season_rows("climate", season, SEASON_NORTH), *elsewhere),
        (
            f"Test: {test.described}.",
            f"Training, for SP: {training.described}; the best dose is {dose:.1f} kg/ha.",
            *(() if test.exact and training.exact else (OTHER_WEATHER,)),
            *NOTES,
        ),
        per_season(test.weather, found) | {"standard_practice": dose},
        settings.quick,
    )


OTHER_WEATHER = (
    "The paper trains on odd years of 1990-2021 at (52, 5.5), (51.5, 5) and (52.5, 6) (N, E) of NASA POWER, and tests "
    "on even years at (52, 5.5). Which point and source of weather is used moves the median dose by tens of kg/ha."
)
NOTES = (
    "Intervals: 10 000 draws of as many years as there are, with replacement, and the percentiles of their medians.",
    "One dose on 7 January, as in the paper's code; its text speaks of three dates for SP.",
)
