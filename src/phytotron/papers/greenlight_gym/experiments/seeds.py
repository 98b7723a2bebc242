"""Figure 3 and table 10 of GreenLight-Gym: how training went, and how the seeds differ on the validation windows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.evaluation.statistics.comparison import confidence_interval, pairwise_mann_whitney
from phytotron.evaluation.statistics.learning_curves import coefficient_of_variation, convergence_rate
from phytotron.evaluation.statistics.paired import paired_test
from phytotron.papers.greenlight_gym import numbers
from phytotron.papers.greenlight_gym.experiments.judged import QUANTITIES, SHOWN, Judged, judged, the_runs
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION
from phytotron.papers.result import Result, Row, Settings
from phytotron.papers.trained import MILLION, Trained

EPISODES = 100  # that the learning curve is averaged over
EARLY = 0.25  # share of training that is not "late": 10 of 40 million steps

Numbers = NDArray[np.float64]
Curve = tuple[Numbers, Numbers]  # steps (points,), returns (seeds, points)
SIGNIFICANT = 0.05


def figure3(settings: Settings) -> Result:
    """Return learning curves, convergence rates and coefficients of variation; and return, profit and time within
    bounds by seed.
    """
    runs = the_runs(settings).only(VALIDATION)
    curves = {name: learning_curve(run) for name, run in runs.trained.items()}
    found = judged(runs)
    rows: list[Row] = []
    series: dict[str, Any] = {"training": {}, "seeds": {}, "windows": [str(day) for day in runs.windows.order]}
    for name, curve in curves.items():
        rows += curve_rows(name, curve) + seed_rows(name, found)
        series["training"][name] = training_series(curve)
        series["seeds"][name] = seed_series(name, found)
    rows += distance_rows(curves)
    return Result(
        f"Training of the agents, and their seeds on {runs.windows.described(VALIDATION)}",
        f"{numbers.PAPER}, figure 3 and section 4.3",
        rows,
        (*runs.notes, *NOTES),
        series,
    )


def learning_curve(run: Trained, episodes: int = EPISODES) -> Curve:
    """Return the mean return over the last episodes, at least so many where there are, from the first on that all seeds
    ended.
    """
    lines = [line for line in run.lines if line["kind"] == "training"]
    steps = np.asarray([line["step"] for line in lines], float)
    ended = np.asarray([line["episodes"] for line in lines], float)
    means = np.asarray([[np.nan if each is None else each for each in line["return"]] for line in lines], float)
    totals = np.where(ended > 0, ended * np.nan_to_num(means), 0.0)
    points = [point for point in range(len(lines)) if np.all(ended[: point + 1].sum(axis=0) > 0)]
    curve = np.full((len(points), means.shape[1]), np.nan)
    for row, point in enumerate(points):
        for seed in range(means.shape[1]):
            back = np.cumsum(ended[point::-1, seed])
            first = point - min(int(np.searchsorted(back, episodes)), point)
            curve[row, seed] = totals[first : point + 1, seed].sum() / ended[first : point + 1, seed].sum()
    return steps[points], curve.T


def curve_rows(name: str, curve: Curve) -> list[Row]:
    """Return rows with the paper's statements on the learning curve of its rewards."""
    steps, returns = curve
    if len(steps) < 2 or len(returns) < 2:
        return []
    mean = returns.mean(axis=0)
    late = steps >= EARLY * steps[-1]
    increase = 100.0 * (mean[-1] / mean[late][0] - 1.0)
    variation = 100.0 * coefficient_of_variation(returns)[late].max()
    setting = f"{name}: training"
    printed = (numbers.LATE_INCREASE, numbers.LATE_VARIATION) if name in numbers.SEED_RANGES else (None, None)
    return [
        Row(setting, "return at the end", "-", mean[-1]),
        Row(setting, "increase over the last three quarters", "%", increase, paper=printed[0]),
        Row(setting, "largest coefficient of variation in these", "%", variation, paper=printed[1]),
    ]


def distance_rows(curves: dict[str, Curve]) -> list[Row]:
    """Return by how much the return of the additive reward is below that of the multiplicative one."""
    rows = []
    for share, paper in numbers.ADDITIVE_BELOW.items():
        at = []
        for name in numbers.SEED_RANGES:
            steps, returns = curves[name]
            if len(steps):
                at.append(float(np.interp(share * steps[-1], steps, returns.mean(axis=0))))
        if len(at) == 2 and at[1] != 0.0:
            what = "at the end of training" if share == 1.0 else f"after {100.0 * share:g} % of training"
            rows.append(Row("additive below multiplicative", what, "%", 100.0 * (1.0 - at[0] / at[1]), paper=paper))
    return rows


def seed_rows(name: str, found: Judged) -> list[Row]:
    """Return the lowest and the highest seed."""
    rows = []
    for quantity, shown in QUANTITIES.items():
        means = found.values(name, quantity, VALIDATION).mean(axis=1)
        printed = numbers.SEED_RANGES.get(name, {}).get(quantity, (None, None))
        for which, ours, paper in zip(("lowest", "highest"), (means.min(), means.max()), printed, strict=True):
            rows.append(Row(f"{name}: validation", f"{shown.label}, {which} seed", shown.unit, ours, paper=paper))
    return rows


def training_series(curve: Curve) -> dict[str, list[float]]:
    """Return panels a to c."""
    steps, returns = curve
    spread = returns.std(axis=0, ddof=1) if len(returns) > 1 else np.zeros(len(steps))
    series = {"steps": steps, "mean": returns.mean(axis=0), "deviation": spread}
    if len(steps) > 1:
        series["rate"] = MILLION * convergence_rate(steps, returns)
    if len(returns) > 1 and len(steps):
        series["variation"] = coefficient_of_variation(returns)
    return {name: values.tolist() for name, values in series.items()}


def seed_series(name: str, found: Judged) -> dict[str, Any]:
    """Return panels d to f: the return of every window, and means with half widths of 95 % intervals."""
    series: dict[str, Any] = {"return": found.values(name, "return", VALIDATION).tolist()}
    for quantity in SHOWN:
        values = found.values(name, quantity, VALIDATION)
        halves = [confidence_interval(each) for each in values]
        series[quantity] = {"mean": values.mean(axis=1).tolist(), "interval": halves}
    return series


NOTES = (
    f"The learning curve is the mean return of the last {EPISODES} episodes (or of more, where more ended at once), "
    "with the noise of exploration; the convergence rate is its gradient, the coefficient of variation that of a "
    "sample over seeds.",
    "The curve begins when the first whole episodes end: the more environments there are, the later.",
    "The paper gives the increase as around 3 % and the variation as below 2 %.",
)


def table10(settings: Settings) -> Result:
    """Return all pairs of seeds, on the validation windows."""
    runs = the_runs(settings).only(VALIDATION)
    found = judged(runs)
    rows: list[Row] = []
    series = {}
    for name in runs.trained:
        returns = found.values(name, "return", VALIDATION)
        paper = numbers.TABLE10.get(name, {})
        tests = pairwise_mann_whitney(returns)
        printed = None if not paper else sum(p < SIGNIFICANT for _, p in paper.values())
        different = sum(test.p < SIGNIFICANT for test in tests)
        rows.append(Row(name, f"pairs with p < {SIGNIFICANT} of {len(tests)}", "-", float(different), paper=printed))
        years = [start.year for start in runs.windows.starts[VALIDATION]]
        paired = [paired_test(returns[test.first], returns[test.second], years).p for test in tests]
        if None not in paired:
            count = sum(p is not None and p < SIGNIFICANT for p in paired)
            rows.append(Row(name, f"pairs with p < {SIGNIFICANT} of {len(tests)}, paired, by year", "-", float(count)))
        for test in tests:
            pair = test.first + 1, test.second + 1
            statistic, p = paper.get(pair, (None, None))
            comparable = statistic if returns.shape[1] == numbers.TABLE10_WINDOWS else None
            label = f"seeds {pair[0]} and {pair[1]}"
            rows.append(Row(name, f"U, {label}", "-", test.statistic, paper=comparable))
            rows.append(Row(name, f"p, {label}", "-", test.p, paper=p))
        series[name] = {"return": returns.tolist(), "tests": [test._asdict() for test in tests]}
    return Result(
        f"Mann-Whitney's U between seeds, returns on {runs.windows.described(VALIDATION)}",
        f"{numbers.PAPER}, table 10",
        rows,
        (*runs.notes, *PAIR_NOTES),
        series,
    )


PAIR_NOTES = (
    "Table 10 tests as the paper does, by Mann-Whitney's U over the windows of two seeds, though these are the same "
    "windows; the row of paired tests takes differences window by window and counts a year once.",
    "Seeds are other random numbers than the paper's: single pairs cannot be compared, only how many of them differ. "
    f"U depends on the number of windows, so the paper's is shown beside ours only for its {numbers.TABLE10_WINDOWS}.",
)
