"""Series of some windows in a chart that can be zoomed: data as JSON, drawn by a small script without dependencies."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.core.presentation import Timeline
from phytotron.core.units import typeset
from phytotron.report.figures import times
from phytotron.report.gathering import Entry, Section
from phytotron.report.words import name

POINTS = 1440  # of a series
POINTS_ALONE = 8784  # of a series where one controller is shown: the hours of a year
DIGITS = 4


def zoom_plot(section: Section) -> str:
    """Return the chart with its data; of several seeds, the one with the median return is shown."""
    text = json.dumps(zoom_data(section), allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    safe = text.replace("<", "\\u003c")  # no tag can end the script
    return f'<div class="zoom"><script type="application/json">{safe}</script></div>'


def zoom_data(section: Section) -> dict[str, Any]:
    """Return the data of the script. Its "common" part does not depend on the controller, and is drawn once."""
    presentation = section.presentation
    first = section.entries[0].examination
    recorded = [each for each in first.channels if each.group != "time"]
    texts = [name(each.quantity.description) for each in recorded]
    described = [
        {
            "name": each.name,
            "label": text if texts.count(text) == 1 else f"{text} ({name(each.name)})",
            "unit": typeset(each.quantity.unit),
            "common": each.group == "weather",
            "hidden": each.name not in presentation.zoomed,
        }
        for each, text in zip(recorded, texts, strict=True)
    ]
    known = {each.name for each in recorded}
    always = (("sum of return", "return so far", section.unit("return")),)
    sums = {each: (words, unit_text) for each, words, unit_text in (*always, *section.curves) if each not in known}
    for each, (words, unit_text) in sums.items():
        described.append({"name": each, "label": words, "unit": unit_text, "common": False, "hidden": True})
    timeline = presentation.timeline
    return {
        "clock": timeline is not None and timeline.steps_per_day is not None,
        "controllers": [{"label": e.label, "colour": e.colour, "dash": e.dash} for e in section.entries],
        "channels": described,
        "windows": [_window(section, place, window, described) for place, window in enumerate(first.shown)],
    }


def _window(section: Section, place: int, window: int, described: Sequence[dict[str, Any]]) -> dict[str, Any]:
    label = section.scores.labels[window]
    x, _ = times(section.environment, section.entries[0].examination)
    played = np.any([np.isfinite(_series(entry, "sum of return", place)) for entry in section.entries], axis=0)
    x = x[: int(played.sum())]
    timeline = section.presentation.timeline
    every = shown_every(x.size, POINTS_ALONE if len(section.entries) == 1 else POINTS, timeline)
    if timeline is not None and timeline.at_start:
        x = x - timeline.interval
    series = {}
    for each in described:
        entries = section.entries[:1] if each["common"] else section.entries
        rows = [_series(entry, each["name"], place)[: x.size : every] for entry in entries]
        series[each["name"]] = [[_plain(value) for value in row] for row in rows]
    return {
        "label": label,
        "origin": _origin(section, label),
        "x": [_plain(value, 7) for value in x[::every]],
        "series": series,
    }


def shown_every(steps: int, points: int, timeline: Timeline | None) -> int:
    """Return the number of steps from one point that is shown to the next.

    A whole number of points makes a day, so that every day shows the same hours.
    """
    least = -(-steps // points)
    daily = None if timeline is None else timeline.steps_per_day
    if daily is None or least > daily:
        return least
    return next(n for n in range(max(least, 1), daily + 1) if daily % n == 0)


def _series(entry: Entry, channel: str, place: int) -> Any:
    return entry.examination.series[channel][median_row(entry), place]


def median_row(entry: Entry) -> int:
    """Return the row of the seed whose mean return is the median of all, or just below it."""
    means = entry.values("return").mean(axis=1)
    return int(np.argsort(means)[(len(means) - 1) // 2])


def _origin(section: Section, label: str) -> str | None:
    """The day that is 0 on the axis of time."""
    timeline = section.presentation.timeline
    origin = None if timeline is None else timeline.origin(label)
    return None if origin is None else str(origin.astype("datetime64[D]"))


def _plain(value: float, digits: int = DIGITS) -> float | int | None:
    if not np.isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() else rounded
