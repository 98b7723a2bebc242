"""Table 3 of CropGym: Ceres, Standard Practice and RL in the southern climate, and how alike the climates are."""

from __future__ import annotations

import jax

from phytotron.papers.cropgym.experiments.agents import (
    CERES,
    growing_seasons,
    per_season,
    practices,
    season_rows,
    tuned,
)
from phytotron.papers.cropgym.experiments.climates import FEWEST, Seasons, even_years, northern_test, southern_test
from phytotron.papers.cropgym.experiments.learned import of_seasons, ppo_if_there, table_rows, with_learned
from phytotron.papers.cropgym.experiments.table2 import NOTES
from phytotron.papers.cropgym.numbers import P_SOUTH, PAPER, SEASON_SOUTH, SIMILARITY, TABLE3
from phytotron.papers.result import Result, Row, Settings
from phytotron.weather.climate.similarity import HALF, distances, monthly_climate, seasonal_lag, similarity


def table3(settings: Settings) -> Result:
    """Medians over the seasons of the southern climate; SP and RL are those of the northern training seasons."""
    agent, note = ppo_if_there(settings)
    usual = tuned(settings)
    with jax.enable_x64(True):  # generated weather depends on the precision it is drawn in
        test = southern_test(settings.weather)
    alike, told = compared(northern_test(settings.weather), test)
    test = test.cut(settings.quick)
    settings.progress("Ceres, on each southern season", 0.4)
    found = practices(test.weather, usual.dose)
    season = growing_seasons(test.weather, found[CERES])
    settings.progress("RL, on each southern season", 0.8)
    found = with_learned(found, agent, test.weather)
    rows = table_rows(found, TABLE3, P_SOUTH)
    same = even_years(test)
    partial = settings.weather is not None and FEWEST <= same.weather.seasons < test.weather.seasons
    if partial:
        chosen = [row for row, year in enumerate(test.weather.year) if int(year) % 2 == 0]
        even = {name: of_seasons(each, chosen) for name, each in found.items()}
        rows += table_rows(even, TABLE3, P_SOUTH, "even years only: ")
    return Result(
        f"Southern climate, median and 95 % interval; {test.described}",
        f"{PAPER}, table 3, figure 1 and section 3",
        (*rows, *season_rows("climate", season, SEASON_SOUTH), alike),
        (
            f"Test: {test.described}" + (f"; of these {same.weather.seasons} even ones." if partial else "."),
            usual.note,
            note,
            *(() if test.exact else (OTHER_WEATHER,)),
            told,
            *NOTES,
        ),
        per_season(test.weather, found) | {"standard_practice": usual.dose},
    )


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
