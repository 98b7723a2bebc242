"""Table 10 of GreenLight-Gym: whether the returns of two seeds differ, by Mann-Whitney's U."""

from __future__ import annotations

from phytotron.evaluation.statistics.comparison import pairwise_mann_whitney
from phytotron.papers.greenlight_gym.experiments.judged import judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.greenlight_gym.numbers import PAPER, TABLE10, TABLE10_WINDOWS
from phytotron.papers.result import Result, Row, Settings

SIGNIFICANT = 0.05


def table10(settings: Settings) -> Result:
    """All pairs of seeds, on the validation windows."""
    runs = the_runs(settings).only(VALIDATION)
    found = judged(runs)
    rows: list[Row] = []
    series = {}
    for name in runs.trained:
        returns = found.values(name, "return", VALIDATION)
        paper = TABLE10.get(name, {})
        tests = pairwise_mann_whitney(returns)
        told = None if not paper else sum(p < SIGNIFICANT for _, p in paper.values())
        different = sum(test.p < SIGNIFICANT for test in tests)
        rows.append(Row(name, f"pairs with p < {SIGNIFICANT} of {len(tests)}", "-", float(different), paper=told))
        for test in tests:
            pair = test.first + 1, test.second + 1
            statistic, p = paper.get(pair, (None, None))
            comparable = statistic if returns.shape[1] == TABLE10_WINDOWS else None
            label = f"seeds {pair[0]} and {pair[1]}"
            rows.append(Row(name, f"U, {label}", "-", test.statistic, paper=comparable))
            rows.append(Row(name, f"p, {label}", "-", test.p, paper=p))
        series[name] = {"return": returns.tolist(), "tests": [test._asdict() for test in tests]}
    return Result(
        f"Mann-Whitney's U between seeds, returns on {runs.windows.described(VALIDATION)}",
        f"{PAPER}, table 10",
        rows,
        (*runs.notes, *NOTES),
        series,
    )


NOTES = (
    "Seeds are other random numbers than the paper's: single pairs cannot be compared, only how many of them differ. "
    f"U depends on the number of windows, so the paper's is shown beside ours only for its {TABLE10_WINDOWS}.",
)
