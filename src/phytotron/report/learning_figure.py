"""Learning curves of runs: mean and spread over the seeds, evaluations marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.report.gathering import Run
from phytotron.report.svg_chart import Line, chart, panels
from phytotron.report.words import name, unit
from phytotron.training.folder import Line as Metrics
from phytotron.training.progress import shown_measures

POINTS = 80  # of a curve; more lines of metrics are averaged

Numbers = NDArray[np.float64]


def learning_figure(env: Environment[Any, Any], runs: Sequence[Run], measures: Sequence[str] = ()) -> str:
    """Panels for the return and the main measures; empty where no episode ended yet."""
    units = {"return": "-"} | {each.quantity.name: each.quantity.unit for each in env.measures}
    most = max((run.config["steps"] for run in runs), default=1)
    scale, word = (1e6, "million steps of each seed") if most >= 2e6 else (1e3, "thousand steps of each seed")
    charts = []
    for measure in ("return", *(measures or shown_measures(env))):
        lines = [line for run in runs for line in _lines(run, measure, scale)]
        if lines:
            charts.append(chart(name(measure), lines, word, unit(units[measure])))
    return panels(charts) if charts else ""


def _lines(run: Run, measure: str, scale: float) -> list[Line]:
    found = []
    steps, values = _binned(*_curve(run.lines, "training", measure))
    if steps.size:
        low, high = (values.min(axis=1), values.max(axis=1)) if values.shape[1] > 1 else (None, None)
        found.append(Line(steps / scale, values.mean(axis=1), run.colour, low=low, high=high))
    at, judged = _curve(run.lines, "evaluation", measure)
    if at.size:
        found.append(Line(at / scale, judged.mean(axis=1), run.colour, marks=True))
    return found


def _curve(lines: Sequence[Metrics], kind: str, measure: str) -> tuple[Numbers, Numbers]:
    """Steps and values (steps, seeds) of the lines in which every seed has a value."""
    rows = [
        (line["step"], line["return"] if measure == "return" else line["measures"].get(measure, [None]))
        for line in lines
        if line["kind"] == kind
    ]
    whole = [(step, values) for step, values in rows if all(value is not None for value in values)]
    return np.array([step for step, _ in whole], float), np.array([values for _, values in whole], float)


def _binned(steps: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    if steps.size <= POINTS:
        return steps, values
    parts = np.array_split(np.arange(steps.size), POINTS)
    return np.array([steps[part].mean() for part in parts]), np.array([values[part].mean(axis=0) for part in parts])
