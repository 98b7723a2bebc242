"""The average day of some channels, as figures 6 and 7 of GreenLight-Gym have it."""

from __future__ import annotations

import numpy as np

from phytotron.report.gathering import Chapter
from phytotron.report.svg_chart import Line, chart, panels
from phytotron.report.words import name, unit

POINTS = 48  # of a curve
HOURS = [(float(hour), f"{hour}:00") for hour in range(0, 25, 6)]


def average_day_figure(chapter: Chapter) -> str:
    """A panel per quantity: mean over all days, windows and seeds, and twice the standard error; dashed: bounds."""
    known = {each.name: each for each in chapter.entries[0].examination.channels}
    charts = []
    for each in chapter.subject.day:
        quantity = known[each].quantity
        opening = known[each].group == "control" and quantity.unit == "-"  # from closed or off, 0, to 1
        bounds = (0.0, 1.0) if opening else (-np.inf, np.inf)
        lines = []
        for entry in chapter.entries:
            if entry.examination.day is None or each not in entry.examination.day.sums:
                continue
            day = entry.examination.day.pooled()
            chosen = np.linspace(0, day.hours.size - 1, min(POINTS, day.hours.size)).round().astype(int)
            mean, error = day.mean(each)[0][chosen], day.error(each)[0][chosen]
            x = np.where(day.count[0][chosen] > 0.0, day.hours[chosen], np.nan)  # short episodes end before midnight
            low, high = (np.clip(mean + side * error, *bounds) for side in (-2.0, 2.0))
            lines.append(Line(x, mean, entry.colour, entry.dash, low, high))
        if not lines:
            continue
        guides = chapter.subject.bounds.get(each, ())
        title, said = name(quantity.description), unit(quantity.unit)
        charts.append(chart(title, lines, "time of day (UTC)", said, HOURS, guides, bounds if opening else None))
    return panels(charts) if charts else ""
