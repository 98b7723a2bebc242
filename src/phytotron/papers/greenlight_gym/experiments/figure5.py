"""Figure 5 of GreenLight-Gym: profit and time within bounds of the best agents and of the rule-based grower."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from phytotron.evaluation.statistics.comparison import confidence_interval, mann_whitney
from phytotron.papers.greenlight_gym.experiments.judged import QUANTITIES, WITHIN, Judged, Numbers, judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.greenlight_gym.numbers import FIGURE5, FIGURE5_P, PAPER
from phytotron.papers.result import Result, Row, Settings, finite

CONFIDENCE = 0.99
SHOWN = ("profit", *WITHIN)


def figure5(settings: Settings) -> Result:
    """On the test windows, with 99 % intervals and tests between controllers."""
    runs = the_runs(settings)
    found = judged(runs, rule_based=True)
    rows: list[Row] = []
    parts = [part for part in runs.windows.starts if part != VALIDATION]
    for part in parts:
        rows += controller_rows(part, found) + test_rows(part, found)
    drawn = runs.windows.largest_test
    return Result(
        "greenlight-gym/figure5",
        f"Best agents and rule-based grower, mean and 99 % interval; {drawn}: {runs.windows.described(drawn)}",
        f"{PAPER}, figure 5 and section 4.5",
        tuple(rows),
        (*runs.notes, *NOTES),
        {"controllers": {name: controller_series(name, drawn, found) for name in found.scores}, "part": drawn},
        settings.quick,
    )


def of_best(found: Judged, controller: str, quantity: str, part: str) -> Numbers:
    """One number per window, of the seed that was best on the validation windows."""
    return np.asarray(found.values(controller, quantity, part)[found.best(controller)])


def controller_rows(part: str, found: Judged) -> list[Row]:
    """Mean and half of the 99 % interval."""
    rows = []
    for name in found.scores:
        for quantity in SHOWN:
            values = of_best(found, name, quantity, part)
            label = f"{quantity} within bounds" if quantity in WITHIN else quantity
            paper, half = FIGURE5.get(name, {}).get(quantity, (None, None))
            ours = finite(values.mean())
            interval = confidence_interval(values, CONFIDENCE)
            rows.append(Row(f"{part}: {name}", label, QUANTITIES[quantity][1], ours, interval, paper, half))
    return rows


def test_rows(part: str, found: Judged) -> list[Row]:
    """Two-sided p that two controllers have the same profits."""
    rows = []
    for pair in combinations(found.scores, 2):
        first, second = (of_best(found, name, "profit", part) for name in pair)
        p = mann_whitney(first, second).p
        told = FIGURE5_P.get((pair[0], pair[1]))
        rows.append(Row(f"{part}: p of equal profits", f"{pair[0]} and {pair[1]}", "-", finite(p), paper=told))
    return rows


def controller_series(name: str, part: str, found: Judged) -> dict[str, Any]:
    series = {}
    for quantity in SHOWN:
        values = of_best(found, name, quantity, part)
        series[quantity] = {
            "mean": float(values.mean()),
            "interval": confidence_interval(values, CONFIDENCE),
            "windows": values.tolist(),
        }
    return series


NOTES = (
    "Intervals are for 99 % confidence, over windows. The agent of a reward is the seed with the highest mean return "
    "on the validation windows. p: Mann-Whitney's U, two-sided, of the profits per window.",
    "The paper's text gives other profits for figure 5 (additive 3.83, multiplicative 3.97) than its table 11 for the "
    "same windows (3.71 and 3.91).",
)
