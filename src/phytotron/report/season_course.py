"""How an episode goes on average: what has come together by each step or date."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.evaluation.examination import Examination
from phytotron.report.gathering import Chapter
from phytotron.report.svg_chart import Line, chart, panels
from phytotron.report.words import unit

POINTS = 120  # of a curve
MONTHS = [
    (float(date(2001, month, 1).timetuple().tm_yday - 1), f"1 {date(2001, month, 1):%b}") for month in range(1, 13)
]

Numbers = NDArray[np.float64]


def times(env: Environment[Any, Any], found: Examination) -> tuple[Numbers, str]:
    """The end of every step on the axis of time, and what that counts."""
    steps = next(iter(found.mean_course.values())).shape[-1]
    timeline = env.presentation.timeline
    if timeline is None:
        return np.arange(1.0, steps + 1.0), "steps"
    days = timeline.first + timeline.interval * np.arange(steps, dtype=np.float64)
    return days, "date of decision" if timeline.calendar else "days"


def course_figure(chapter: Chapter) -> str:
    """A panel per quantity: the mean over the windows, with the lowest and the highest seed."""
    charts = []
    timeline = chapter.subject.timeline
    ticks = MONTHS if timeline is not None and timeline.calendar else None
    for each, words, said in chapter.subject.course:
        lines = []
        for entry in chapter.entries:
            course = entry.examination.mean_course[each]
            x, label = times(chapter.environment, entry.examination)
            chosen = np.linspace(0, x.size - 1, min(POINTS, x.size)).round().astype(int)
            values = course[:, chosen]
            low, high = (values.min(axis=0), values.max(axis=0)) if len(values) > 1 else (None, None)
            lines.append(Line(x[chosen], values.mean(axis=0), entry.colour, entry.dash, low, high))
        charts.append(chart(words, lines, label, unit(said), ticks))
    return panels(charts)
