"""Series of some windows in a chart that can be zoomed: data as JSON, drawn by a small script without dependencies."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.core.presentation import Channel, Timeline
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
    """Return the data of the script. Its "common" part does not depend on the controller, and is drawn once.

    Episodes and channels may differ between controllers, as where runs have other options: what one lacks is left out.
    """
    presentation = section.presentation
    recorded = _recorded(section.entries)
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
        "windows": [_window(section, window, described) for window in windows_shown(section)],
    }


def windows_shown(section: Section) -> tuple[int, ...]:
    """Return the windows whose series are kept of all entries."""
    kept = [entry.examination.shown for entry in section.entries]
    return tuple(window for window in kept[0] if all(window in each for each in kept))


def _recorded(entries: Sequence[Entry]) -> list[Channel]:
    """Return the channels of all entries that are drawn, each name once."""
    found: dict[str, Channel] = {}
    for entry in entries:
        for each in entry.examination.channels:
            if each.group != "time":
                found.setdefault(each.name, each)
    return list(found.values())


def _window(section: Section, window: int, described: Sequence[dict[str, Any]]) -> dict[str, Any]:
    label = section.scores.labels[window]
    longest = max(section.entries, key=_steps)
    x, _ = times(section.environment, longest.examination)
    returns = [_series(entry, "sum of return", window, x.size) for entry in section.entries]
    played = np.any(np.isfinite(returns), axis=0)
    x = x[: int(played.sum())]
    timeline = section.presentation.timeline
    every = shown_every(x.size, POINTS_ALONE if len(section.entries) == 1 else POINTS, timeline)
    if timeline is not None and timeline.at_start:
        x = x - timeline.interval
    series = {}
    for each in described:
        recorded = [entry for entry in section.entries if each["name"] in entry.examination.series]
        entries = (max(recorded, key=_steps),) if each["common"] else section.entries
        rows = [_series(entry, each["name"], window, x.size)[::every] for entry in entries]
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


def _steps(entry: Entry) -> int:
    """Return the number of steps of the series of an entry."""
    return int(entry.examination.series["sum of return"].shape[-1])


def _series(entry: Entry, channel: str, window: int, steps: int) -> Any:
    """Return the first steps of a series, NaN where its episodes are shorter and where it was not recorded."""
    found = entry.examination
    series = np.full(steps, np.nan)
    if channel in found.series:
        values = found.series[channel][median_row(entry), found.shown.index(window)][:steps]
        series[: values.size] = values
    return series


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
