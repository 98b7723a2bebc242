"""Figure 2 of GreenLight-Gym: what the control interval does to execution time, profit and time within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from phytotron.environments.greenhouse.reward import CONSTRAINTS
from phytotron.evaluation.statistics.comparison import confidence_interval
from phytotron.papers.greenlight_gym.experiments import interval_sweep as sweeps
from phytotron.papers.greenlight_gym.experiments.interval_sweep import DEFAULT, RK4, YEAR, Numbers, Sweep
from phytotron.papers.greenlight_gym.numbers import (
    FIGURE2_PROFIT_FALL,
    FIGURE2_PROFIT_SMALL,
    FIGURE2_WITHIN_FALL,
    PAPER,
)
from phytotron.papers.result import Result, Row, Settings, mean_row

INTERVALS = (2, 4, 8, 16, 30, 60, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2400, 3600)  # s
CHECKED = (2, 60, 120, 300, 900, 3600)  # s, also with RK4
CODE_INTERVALS = (2, 300, 900, 1800, 3600)  # s, for the task of the published code
QUICK_INTERVALS, QUICK_CHECKED = (2, 30, 300, 900, 3600), (300,)


def figure2(settings: Settings) -> Result:
    """Sweep the control interval with the default solver, check with RK4, measure times."""
    intervals = QUICK_INTERVALS if settings.quick else INTERVALS
    checked, coded = (QUICK_CHECKED, ()) if settings.quick else (CHECKED, CODE_INTERVALS)
    done, all_of_it = 0, len(intervals) * (2 + len(RK4)) + 2 * len(checked) + len(coded)

    def told(what: str) -> None:
        nonlocal done
        done += 1
        settings.progress(what, done / all_of_it)

    def swept(task: sweeps.Task, intervals: Sequence[int], numerics: sweeps.Numerics) -> Sweep:
        label = f"{numerics.label}, control interval"
        return sweeps.sweep(task, intervals, numerics, lambda each: told(f"{label} {each} s"))

    with jax.enable_x64(True):
        text = sweeps.task(settings.quick)
        seconds: dict[str, list[float]] = {}
        for numerics in (DEFAULT, *RK4):
            seconds[numerics.label] = []
            for interval in intervals:
                seconds[numerics.label].append(sweeps.execution_seconds(text, interval, numerics))
                told(f"{numerics.label}, time with control interval {interval} s")
        ours = swept(text, intervals, DEFAULT)
        code = swept(sweeps.task(settings.quick, code=True), coded, DEFAULT) if coded else None
        checks = {numerics.label: swept(text, checked, numerics) for numerics in RK4[1:]}
    return Result(
        f"The control interval, {len(text.days)} start dates of {YEAR}, ten days, rule-based grower",
        f"{PAPER}, figure 2 and section 4.2",
        (
            *change_rows("paper's text", ours),
            *(change_rows("published code", code) if code else ()),
            *time_rows(seconds, intervals),
            *check_rows(ours, checks),
        ),
        (*NOTES, *unstable(checks)),
        curves(ours, seconds, intervals),
    )


def change_rows(variant: str, found: Sweep) -> list[Row]:
    """The statements of section 4.2 beside ours: changes of means over the start dates."""
    limit, small = FIGURE2_PROFIT_SMALL
    profit = {interval: values.mean() for interval, values in found.change(found.profit).items()}
    setting = f"{variant}: largest change against 2 s"
    rows = [Row(setting, "profit", "%", _largest(profit.values()), paper=FIGURE2_PROFIT_FALL)]
    for constraint, published in FIGURE2_WITHIN_FALL.items():
        change = [values.mean() for values in found.change(found.within[constraint]).values()]
        rows.append(Row(setting, f"{constraint} within bounds", "%", min(change), paper=published))
    below = _largest(change for interval, change in profit.items() if interval < limit)
    return [*rows, Row(setting, f"profit, intervals below {limit} s", "%", below, paper=small)]


def _largest(changes: Any) -> float:
    return float(max(changes, key=abs))


def time_rows(seconds: dict[str, list[float]], intervals: Sequence[int]) -> list[Row]:
    """Execution time at the control interval of the paper."""
    at = list(intervals).index(300)
    return [Row("ten days at 300 s, one greenhouse", label, "s", values[at]) for label, values in seconds.items()]


def check_rows(ours: Sweep, checks: dict[str, Sweep]) -> list[Row]:
    """Profit of RK4 beside that of the default solver."""
    rows = []
    for label, check in checks.items():
        for interval, profit in check.profit.items():
            rows.append(mean_row(f"mean profit at {interval} s", label, "€ m-2", profit))
    for interval in next(iter(checks.values())).profit:
        profit = ours.profit[interval]
        rows.append(Row(f"mean profit at {interval} s", DEFAULT.label, "€ m-2", profit.mean()))
    return sorted(rows, key=lambda row: int(row.setting.split()[-2]))


def unstable(checks: dict[str, Sweep]) -> list[str]:
    """Where a step of RK4 was too long."""
    told = []
    for label, check in checks.items():
        lost = {interval: int(np.sum(~np.isfinite(profit))) for interval, profit in check.profit.items()}
        where = ", ".join(f"{count} of {len(check.profit[each])} at {each} s" for each, count in lost.items() if count)
        told.append(f"Unstable runs with {label}: {where or 'none'}.")
    return told


def curves(ours: Sweep, seconds: dict[str, list[float]], intervals: Sequence[int]) -> dict[str, Any]:
    """What the figure shows: means, and 95 % intervals over the start dates."""

    def curve(series: dict[int, Numbers]) -> dict[str, list[float]]:
        change = ours.change(series)
        return {
            "mean": [float(change[interval].mean()) for interval in intervals],
            "interval": [confidence_interval(change[interval]) for interval in intervals],
        }

    return {
        "control_interval": list(intervals),
        "seconds": seconds,
        "profit": curve(ours.profit),
        "within": {name: curve(ours.within[name]) for name in CONSTRAINTS},
    }


NOTES = (
    f"Weather of Schiphol {YEAR}, which comes with the package; the paper's is of 2000.",
    f"Times are those of one greenhouse in float64 on this machine, measured over {sweeps.TIMED_SECONDS // 3600} h and "
    "scaled to ten days, without compilation. The paper reports no numbers but a factor of ten over Matlab.",
    "Changes are means over the start dates, with the default solver; the paper says below 1 % for intervals below "
    "400 s. The published code adds 1.5 °C to the outdoor temperature and has another NIR balance.",
    "The paper found RK4 with h = 2 s unstable for control intervals above 100 s.",
)
