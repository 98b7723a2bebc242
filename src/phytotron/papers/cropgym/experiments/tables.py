"""Tables 2 and 3 of CropGym: reward, nitrogen and yield of Ceres, Standard Practice and RL, in both climates."""

import jax

from phytotron.papers.attained import together
from phytotron.papers.cropgym import numbers
from phytotron.papers.cropgym.experiments import agents, climates
from phytotron.papers.cropgym.experiments.learned import (
    RL,
    attained,
    of_seasons,
    ppo_if_there,
    table_rows,
    with_learned,
)
from phytotron.papers.result import Result, Row, Settings
from phytotron.weather.climate.similarity import HALF, distances, monthly_climate, seasonal_lag, similarity


def table2(settings: Settings) -> Result:
    """Return medians over the test seasons of the northern climate, with bootstrap intervals."""
    agent, note = ppo_if_there(settings)
    usual, test = agents.tuned(settings), climates.northern_test(settings.weather).cut(settings.quick)
    settings.progress("Ceres, on each test season", 0.5)
    found = agents.practices(test.weather, usual.dose)
    season = agents.growing_seasons(test.weather, found[agents.CERES])
    elsewhere: list[Row] = []
    for other in climates.other_northern_tests(settings.weather, test)[: 0 if settings.quick else None]:
        settings.progress(f"Ceres at {other.origin}", 0.8)
        elsewhere += agents.median_rows(
            f"Ceres at {other.origin}", agents.in_hindsight(other.weather), numbers.TABLE2[agents.CERES]
        )
    settings.progress("RL, on each test season", 0.9)
    found = with_learned(found, agent, test.weather)
    shares, remark = attained(RL, found[RL], found[agents.SP], test.weather) if RL in found else ([], "")
    return Result(
        f"Northern climate, median and 95 % interval; {test.described}",
        f"{numbers.PAPER}, table 2 and section 3",
        (
            *together([*table_rows(found, numbers.TABLE2, numbers.P_NORTH), *shares]),
            *agents.season_rows("climate", season, numbers.SEASON_NORTH),
            *elsewhere,
        ),
        (
            f"Test: {test.described}.",
            usual.note,
            note,
            *(() if test.exact and usual.training.exact else (OTHER_NORTH,)),
            *NOTES,
            *([remark] if remark else []),
        ),
        agents.per_season(test.weather, found) | {"standard_practice": usual.dose},
    )


OTHER_NORTH = (
    "The paper trains on odd years of 1990-2021 at (52, 5.5), (51.5, 5) and (52.5, 6) (N, E) of NASA POWER, and tests "
    "on even years at (52, 5.5). Which point and source of weather is used moves the median dose by tens of kg/ha."
)
NOTES = (
    "Medians are over all pairs of run and year. Intervals: 10 000 draws of as many years as there are, with "
    "replacement, each with a run of its own, and the percentiles of their medians. One-sided p: the share of these "
    "medians that are not above 0.",
    "One dose on 7 January, as in the paper's code; its text speaks of three dates for SP.",
)


def table3(settings: Settings) -> Result:
    """Return medians over the seasons of the southern climate; SP and RL are those of the northern training seasons."""
    agent, note = ppo_if_there(settings)
    usual = agents.tuned(settings)
    with jax.enable_x64(True):  # generated weather depends on the precision it is drawn in
        test = climates.southern_test(settings.weather)
    alike, remark = compared(climates.northern_test(settings.weather), test)
    test = test.cut(settings.quick)
    settings.progress("Ceres, on each southern season", 0.4)
    found = agents.practices(test.weather, usual.dose)
    season = agents.growing_seasons(test.weather, found[agents.CERES])
    settings.progress("RL, on each southern season", 0.8)
    found = with_learned(found, agent, test.weather)
    rows = table_rows(found, numbers.TABLE3, numbers.P_SOUTH)
    shares, words = attained(RL, found[RL], found[agents.SP], test.weather) if RL in found else ([], "")
    same = climates.even_years(test)
    partial = settings.weather is not None and climates.FEWEST <= same.weather.seasons < test.weather.seasons
    if partial:
        chosen = [row for row, year in enumerate(test.weather.year) if int(year) % 2 == 0]
        even = {name: of_seasons(each, chosen) for name, each in found.items()}
        rows += table_rows(even, numbers.TABLE3, numbers.P_SOUTH, "even years only: ")
    return Result(
        f"Southern climate, median and 95 % interval; {test.described}",
        f"{numbers.PAPER}, table 3, figure 1 and section 3",
        (*together([*rows, *shares]), *agents.season_rows("climate", season, numbers.SEASON_SOUTH), alike),
        (
            f"Test: {test.described}" + (f"; of these {same.weather.seasons} even ones." if partial else "."),
            usual.note,
            note,
            *(() if test.exact else (OTHER_SOUTH,)),
            remark,
            *NOTES,
            *([words] if words else []),
        ),
        agents.per_season(test.weather, found) | {"standard_practice": usual.dose},
    )


def compared(north: climates.Seasons, south: climates.Seasons) -> tuple[Row, str]:
    """Return the similarity index beside the paper's, and what it is made of."""
    one, other = monthly_climate(north.weather), monthly_climate(south.weather)
    lag = seasonal_lag(one, other)
    index = similarity(one, other, lag=lag)
    warm, wet = distances(one, other, lag)
    remark = (
        f"Similarity of {north.origin.rpartition(', ')[0]} and {south.origin.rpartition(', ')[0]}: months differ by "
        f"{warm:.2f} °C and {wet:.1f} mm (root mean square), lag {lag}; the mean of k / (k + d) of both, with k of "
        f"{HALF[0]:g} °C and {HALF[1]:g} mm. The paper tells neither its climatology nor its years nor its k, and "
        f"{numbers.SIMILARITY} depends on all three."
    )
    return Row("climate", "CCAFS similarity to the north", "-", index, paper=numbers.SIMILARITY), remark


OTHER_SOUTH = (
    "The paper: NASA POWER at (48 N, 0 E), even years of 1990-2021. Whether a season is dry decides between no "
    "nitrogen and a full dose there, so that the median depends on which years are counted."
)
