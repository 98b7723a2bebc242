"""Figures of a page: learning curves, distributions of scores, the average day, the curves of an episode."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.core.units import typeset
from phytotron.evaluation.examination import Examination
from phytotron.evaluation.statistics.comparison import performance_profile
from phytotron.report.gathering import Entry, Run, Section
from phytotron.report.svg_chart import Line, chart, panels
from phytotron.report.words import name
from phytotron.training.folder import Line as Metrics
from phytotron.training.listeners import shown_measures

DAY_POINTS, CURVE_POINTS = 48, 120  # of a curve
LEARNING_POINTS = 80  # of a curve; more lines of metrics are averaged
THRESHOLDS = 60  # of a performance profile
HOURS = [(float(hour), f"{hour}:00") for hour in range(0, 25, 6)]
FIRST_DAYS = [
    (float(date(2001, month, 1).timetuple().tm_yday - 1), f"1 {date(2001, month, 1):%b}") for month in range(1, 13)
]

Numbers = NDArray[np.float64]


def _spread_out(count: int, most: int) -> NDArray[np.intp]:
    """Return at most `most` of `count` indices, evenly spread."""
    return np.linspace(0, count - 1, min(most, count)).round().astype(int)


def _seeds_line(x: Numbers, values: Numbers, colour: str, dash: str = "solid") -> Line:
    """The mean of values (seeds, x), in a band from the lowest to the highest seed where there are several."""
    low, high = (values.min(axis=0), values.max(axis=0)) if len(values) > 1 else (None, None)
    return Line(x, values.mean(axis=0), colour, dash, low, high)


def average_day_figure(section: Section) -> str:
    """Return a panel per quantity: the mean over all days, windows and seeds, with twice the standard error.

    Dashed lines are bounds.
    """
    known = {each.name: each for entry in section.entries for each in entry.examination.channels}
    charts = []
    for each in section.presentation.day:
        quantity = known[each].quantity
        opening = known[each].group == "control" and quantity.unit == "-"  # from closed or off, 0, to 1
        bounds = (0.0, 1.0) if opening else (-np.inf, np.inf)
        lines = []
        for entry in section.entries:
            if entry.examination.day is None or each not in entry.examination.day.sums:
                continue
            day = entry.examination.day.pooled()
            chosen = _spread_out(day.hours.size, DAY_POINTS)
            mean, error = day.mean(each)[0][chosen], day.error(each)[0][chosen]
            x = np.where(day.count[0][chosen] > 0.0, day.hours[chosen], np.nan)  # short episodes end before midnight
            low, high = (np.clip(mean + side * error, *bounds) for side in (-2.0, 2.0))
            lines.append(Line(x, mean, entry.colour, entry.dash, low, high))
        if not lines:
            continue
        guides = section.presentation.bounds.get(each, ())
        title, unit_text = name(quantity.description), typeset(quantity.unit)
        charts.append(chart(title, lines, "time of day (UTC)", unit_text, HOURS, guides, bounds if opening else None))
    return panels(charts)


def times(env: Environment[Any, Any], found: Examination) -> tuple[Numbers, str]:
    """Return the ends of all steps on the time axis, and the label of that axis."""
    steps = next(iter(found.mean_curves.values())).shape[-1]
    timeline = env.presentation.timeline
    if timeline is None:
        return np.arange(1.0, steps + 1.0), "steps"
    days = timeline.first + timeline.interval * np.arange(steps, dtype=np.float64)
    return days, "date of decision" if timeline.calendar else "days"


def curves_figure(section: Section) -> str:
    """Return a panel per quantity: the mean over the windows, and the range from the lowest to the highest seed."""
    charts = []
    timeline = section.presentation.timeline
    ticks = FIRST_DAYS if timeline is not None and timeline.calendar else None
    for each, words, unit_text in section.curves:
        lines = []
        for entry in section.entries:
            if each not in entry.examination.mean_curves:  # a channel that its options do not have
                continue
            curve = entry.examination.mean_curves[each]
            x, label = times(section.environment, entry.examination)
            chosen = _spread_out(x.size, CURVE_POINTS)
            lines.append(_seeds_line(x[chosen], curve[:, chosen], entry.colour, entry.dash))
        charts.append(chart(words, lines, label, unit_text, ticks))
    return panels(charts)


def profile_figure(section: Section) -> str:
    """Draw, for headline measures that differ, the share of seeds and windows above each threshold.

    Reference: Agarwal et al. 2021.
    """
    bound = any(entry.competitor.bound for entry in section.entries) and len(section.scores.labels) > 1
    lines_note = "; lines are those that know what is to come" if bound else ""
    note = (
        "<p>Left to right: the share of all seeds and windows whose score is above the number on the axis, with a 95 % "
        "interval by bootstrap over seeds (which draws them anew in each window and so is rather too narrow); further "
        f"right is better. Below, every window by itself: one circle per seed{lines_note}.</p>"
    )
    charts = []
    for measure in section.presentation.headline:
        values = np.concatenate([np.ravel(entry.values(measure)) for entry in section.entries])
        low, high = float(values.min()), float(values.max())
        if low == high:
            continue
        margin = 0.03 * (high - low)
        thresholds = np.linspace(low - margin, high + margin, THRESHOLDS)
        lines = [_profile(entry, measure, thresholds) for entry in section.entries]
        unit_text = section.unit(measure)
        label = f"{name(measure)} [{unit_text}]" if unit_text else name(measure)
        charts.append(chart(f"share of {name(measure)}s above", lines, label, y_range=(0.0, 1.02)))
    return note + panels(charts) if charts else ""


def _profile(entry: Entry, measure: str, thresholds: Numbers) -> Line:
    table = entry.values(measure)
    if len(table) > 1:
        found = performance_profile(table, thresholds)
        return Line(thresholds, found.share, entry.colour, entry.dash, found.low, found.high)
    share = [float(np.mean(table > level)) for level in thresholds]
    return Line(thresholds, share, entry.colour, entry.dash)


def windows_figure(section: Section) -> str:
    """Return the scores of every window, in their order; a controller that knows the future is drawn as a line."""
    labels = section.scores.labels
    ticks = [(float(place), _short(label)) for place, label in enumerate(labels)]
    charts = []
    for measure in section.presentation.headline:
        lines = []
        places = np.arange(float(len(labels)))
        for number, entry in enumerate(section.entries):
            table = entry.values(measure)
            if entry.competitor.bound and len(labels) > 1:
                lines.append(Line(places, table[0], entry.colour, entry.dash))
                continue
            shift = 0.07 * (number - 0.5 * (len(section.entries) - 1))
            lines += [Line(places + shift, row, entry.colour, marks=True) for row in table]
        charts.append(chart(f"{name(measure)} by window", lines, "window", section.unit(measure), ticks))
    return panels(charts)


def _short(label: str) -> str:
    """Return the year of a season, or the month of a date."""
    parts = label.split()
    return parts[-1][:7] if parts else label


def learning_figure(section: Section) -> str:
    """Return panels of the return and the main measures during training, with the yardstick; empty before an episode
    has ended.
    """
    runs, yardstick = section.runs, section.baselines[:1]
    most = max((run.config["steps"] for run in runs), default=1)
    scale, word = (1e6, "million steps of each seed") if most >= 2e6 else (1e3, "thousand steps of each seed")
    charts = []
    for measure in ("return", *(section.presentation.learning or shown_measures(section.environment))):
        lines = [line for run in runs for line in _lines(run, measure, scale)]
        if lines:
            ends = np.array([min(np.min(each.x) for each in lines), max(np.max(each.x) for each in lines)])
            lines += [Line(ends, np.full(2, each.mean(measure)), each.colour, each.dash) for each in yardstick]
            charts.append(chart(name(measure), lines, word, section.unit(measure)))
    return panels(charts)


def _lines(run: Run, measure: str, scale: float) -> list[Line]:
    found = []
    steps, values = _binned(*_curve(run.lines, "training", measure))
    if steps.size:
        found.append(_seeds_line(steps / scale, values.T, run.colour))
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
    if steps.size <= LEARNING_POINTS:
        return steps, values
    parts = np.array_split(np.arange(steps.size), LEARNING_POINTS)
    return np.array([steps[part].mean() for part in parts]), np.array([values[part].mean(axis=0) for part in parts])
