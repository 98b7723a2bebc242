"""How scores are distributed: performance profiles, and scores window by window."""

from __future__ import annotations

import numpy as np

from phytotron.evaluation.statistics.comparison import performance_profile
from phytotron.report.gathering import Chapter, Entry
from phytotron.report.svg_chart import Line, chart, panels
from phytotron.report.words import name

THRESHOLDS = 60


def profile_figure(chapter: Chapter) -> str:
    """For every headline measure: the share of seeds and windows above each threshold (Agarwal et al. 2021)."""
    note = (
        "<p>Left to right: the share of all seeds and windows whose score is above the number on the axis, with a 95 % "
        "interval by bootstrap over seeds (which draws them anew in each window and so is rather too narrow); further "
        "right is better. Below, every window by itself: one circle per seed.</p>"
    )
    charts = []
    for measure in chapter.subject.headline:
        values = np.concatenate([np.ravel(entry.values(measure)) for entry in chapter.entries])
        low, high = float(values.min()), float(values.max())
        margin = 0.03 * max(high - low, 1e-6)
        thresholds = np.linspace(low - margin, high + margin, THRESHOLDS)
        lines = [_profile(entry, measure, thresholds) for entry in chapter.entries]
        said = chapter.unit(measure)
        label = f"{name(measure)} [{said}]" if said else name(measure)
        charts.append(chart(f"share of {name(measure)}s above", lines, label, y_range=(0.0, 1.02)))
    return note + panels(charts)


def _profile(entry: Entry, measure: str, thresholds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Line:
    table = entry.values(measure)
    if len(table) > 1:
        found = performance_profile(table, thresholds)
        return Line(thresholds, found.share, entry.colour, entry.dash, found.low, found.high)
    share = [float(np.mean(table > level)) for level in thresholds]
    return Line(thresholds, share, entry.colour, entry.dash)


def windows_figure(chapter: Chapter) -> str:
    """Scores of every window, in their order."""
    labels = chapter.scores.labels
    ticks = [(float(place), _short(label)) for place, label in enumerate(labels)]
    charts = []
    for measure in chapter.subject.headline:
        lines = []
        places = np.arange(float(len(labels)))
        for number, entry in enumerate(chapter.entries):
            table = entry.values(measure)
            shift = 0.07 * (number - 0.5 * (len(chapter.entries) - 1))
            lines += [Line(places + shift, row, entry.colour, marks=True) for row in table]
        charts.append(chart(f"{name(measure)} by window", lines, "window", chapter.unit(measure), ticks))
    return panels(charts)


def _short(label: str) -> str:
    """The year of a season, the month of a date."""
    parts = label.split()
    return parts[-1][:7] if parts else label
