"""Figure 5 of GreenLight-Gym: profit and time within bounds of the best agents and of the rule-based grower."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from phytotron.evaluation.statistics.comparison import confidence_interval, mann_whitney
from phytotron.papers.greenlight_gym.experiments.judged import QUANTITIES, SHOWN, Judged, judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.greenlight_gym.numbers import FIGURE5, FIGURE5_P, PAPER
from phytotron.papers.result import Result, Row, Settings, mean_row

CONFIDENCE = 0.99


def figure5(settings: Settings) -> Result:
    """On the test windows, with 99 % intervals and tests between controllers."""
    runs = the_runs(settings)
    found = judged(runs, rule_based=True)
    parts = [part for part in runs.windows.starts if part != VALIDATION]
    drawn = runs.windows.largest_test
    return Result(
        f"Best agents and rule-based grower, mean and 99 % interval; {drawn}: {runs.windows.described(drawn)}",
        f"{PAPER}, figure 5 and section 4.5",
        [row for part in parts for row in (*controller_rows(part, found), *test_rows(part, found))],
        (*runs.notes, *NOTES),
        {"controllers": {name: controller_series(name, drawn, found) for name in found.scores}, "part": drawn},
    )


def controller_rows(part: str, found: Judged) -> list[Row]:
    """Mean and half of the 99 % interval."""
    rows = []
    for name in found.scores:
        for quantity in SHOWN:
            shown, values = QUANTITIES[quantity], found.of_best(name, quantity, part)
            paper, half = FIGURE5.get(name, {}).get(quantity, (None, None))
            rows.append(mean_row(f"{part}: {name}", shown.label, shown.unit, values, paper, half, CONFIDENCE))
    return rows


def test_rows(part: str, found: Judged) -> list[Row]:
    """Two-sided p that two controllers have the same profits."""
    rows = []
    for one, other in combinations(found.scores, 2):
        p = mann_whitney(*(found.of_best(name, "profit", part) for name in (one, other))).p
        told = FIGURE5_P.get((one, other))
        rows.append(Row(f"{part}: p of equal profits", f"{one} and {other}", "-", p, paper=told))
    return rows


def controller_series(name: str, part: str, found: Judged) -> dict[str, Any]:
    """By quantity: mean, half of the 99 % interval, and the number of every window."""
    series = {}
    for quantity in SHOWN:
        values = found.of_best(name, quantity, part)
        half = confidence_interval(values, CONFIDENCE)
        series[quantity] = {"mean": float(values.mean()), "interval": half, "windows": values.tolist()}
    return series


NOTES = (
    "Intervals are for 99 % confidence, over windows. The agent of a reward is the seed with the highest mean return "
    "on the validation windows. p: Mann-Whitney's U, two-sided, of the profits per window.",
    "The paper's text gives other profits for figure 5 (additive 3.83, multiplicative 3.97) than its table 11 for the "
    "same windows (3.71 and 3.91).",
)
