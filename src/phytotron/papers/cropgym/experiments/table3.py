"""Table 3 of CropGym: Ceres, Standard Practice and RL in the southern climate, and how alike the climates are."""

from __future__ import annotations

import jax

from phytotron.environments.wheat.single_dose import Practice
from phytotron.papers.cropgym.experiments.agents import (
    CERES,
    SP,
    agent_rows,
    growing_seasons,
    per_season,
    practices,
    season_rows,
    tuned_dose,
)
from phytotron.papers.cropgym.experiments.climates import (
    FEWEST,
    Seasons,
    even_years,
    northern_test,
    northern_training,
    southern_test,
)
from phytotron.papers.cropgym.experiments.learned import (
    RL,
    RL_SP,
    beside,
    difference_rows,
    learned,
    of_seasons,
    ppo_if_there,
)
from phytotron.papers.cropgym.experiments.table2 import NOTES
from phytotron.papers.cropgym.numbers import P_SOUTH, PAPER, SEASON_SOUTH, SIMILARITY, TABLE3
from phytotron.papers.result import Result, Row, Settings
from phytotron.weather.climate.similarity import HALF, distances, monthly_climate, seasonal_lag, similarity


def table3(settings: Settings) -> Result:
    """Medians over the seasons of the southern climate; SP and RL are those of the northern training seasons."""
    agent, note = ppo_if_there(settings)
    folder, quick = settings.weather, settings.quick
    with jax.enable_x64(True):
        training, north, test = northern_training(folder).cut(quick), northern_test(folder), southern_test(folder)
        alike, told = compared(north, test)
        test = test.cut(quick)
        settings.progress("standard practice, on the northern training seasons", 0.1)
        dose = tuned_dose(training)
        settings.progress("Ceres, on each southern season", 0.4)
        found = practices(test.weather, dose)
        season = growing_seasons(test.weather, found[CERES])
    if agent is not None:
        settings.progress("RL, on each southern season", 0.8)
        found = beside(found, RL, learned(agent.policies, test.weather, found[SP]))
    rows = all_rows(found)
    same = even_years(test)
    partial = folder is not None and FEWEST <= same.weather.seasons < test.weather.seasons
    if partial:
        chosen = [row for row, year in enumerate(test.weather.year) if int(year) % 2 == 0]
        rows += all_rows({name: of_seasons(each, chosen) for name, each in found.items()}, "even years only: ")
    return Result(
        "cropgym/table3",
        f"Southern climate, median and 95 % interval; {test.described}",
        f"{PAPER}, table 3, figure 1 and section 3",
        (*rows, *season_rows("climate", season, SEASON_SOUTH), alike),
        (
            f"Test: {test.described}" + (f"; of these {same.weather.seasons} even ones." if partial else "."),
            f"Training, for SP: {training.described}; the best dose is {dose:.1f} kg/ha.",
            note,
            *(() if test.exact else (OTHER_WEATHER,)),
            told,
            *NOTES,
        ),
        per_season(test.weather, found) | {"standard_practice": dose},
        settings.quick,
    )


def all_rows(found: dict[str, Practice], prefix: str = "") -> list[Row]:
    """Those of every agent and, where it is there, of RL's difference from SP."""
    rows = agent_rows(found, TABLE3, prefix)
    if RL in found:
        rows += difference_rows(prefix + RL_SP, found[RL], found[SP], TABLE3[RL_SP], P_SOUTH)
    return rows


def compared(north: Seasons, south: Seasons) -> tuple[Row, str]:
    """The similarity index beside the paper's, and what it is made of."""
    one, other = monthly_climate(north.weather), monthly_climate(south.weather)
    lag = seasonal_lag(one, other)
    index = similarity(one, other, lag=lag)
    warm, wet = distances(one, other, lag)
    told = (
        f"Similarity of {north.origin.rpartition(', ')[0]} and {south.origin.rpartition(', ')[0]}: months differ by "
        f"{warm:.2f} °C and {wet:.1f} mm (root mean square), lag {lag}; the mean of k / (k + d) of both, with k of "
        f"{HALF[0]:g} °C and {HALF[1]:g} mm. The paper tells neither its climatology nor its years nor its k, and "
        f"{SIMILARITY} depends on all three."
    )
    return Row("climate", "CCAFS similarity to the north", "-", index, paper=SIMILARITY), told


OTHER_WEATHER = (
    "The paper: NASA POWER at (48 N, 0 E), even years of 1990-2021. Whether a season is dry decides between no "
    "nitrogen and a full dose there, so that the median depends on which years are counted."
)
