"""The page of one episode under one controller: what it came to, and how it went."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from phytotron.core.files import write_text
from phytotron.core.presentation import Contender
from phytotron.core.version import __version__
from phytotron.evaluation.examination import Examination
from phytotron.report.average_day import average_day_figure
from phytotron.report.gathering import Chapter, Entry
from phytotron.report.page import page, table
from phytotron.report.plotting import GREEN
from phytotron.report.run_page import STYLE
from phytotron.report.tables import resources_table, violations_table
from phytotron.report.words import name, number, percent, unit
from phytotron.report.zoom_plot import script, zoom_plot

Rows = Sequence[tuple[str, str, str]]


def summary_rows(contender: Contender, found: Examination) -> Rows:
    """Name, value and unit of what the episode came to."""
    rows = [("return", number(float(found.scores.values["return"].mean())), "")]
    for measure in contender.environment.measures:
        value = float(found.scores.values[measure.quantity.name].mean())
        share = measure.mean and measure.quantity.unit == "-"
        digits = 0.0 if value.is_integer() else None  # counts have no decimals
        said = (percent(value), "") if share else (number(value, digits), unit(measure.quantity.unit))
        rows.append((name(measure.quantity.description), *said))
    return rows


def write_episode_page(contender: Contender, found: Examination, seconds: float, path: Path) -> Path:
    """Write the page; its path."""
    env, label = contender.environment, found.scores.labels[0]
    entry = Entry(contender, found, GREEN, "solid")
    chapter = Chapter(env, None, (), (), (entry,), True)
    steps = int(entry.mean("length"))
    notes = (
        f"{env.id}, {steps} steps from {label}, under {contender.label} ({contender.note}). "
        f"Compiled and run in {seconds:.1f} s."
    )
    sections = [
        ("What it came to", f"<p>{html.escape(notes)}</p>{table(summary_rows(contender, found))}"),
        ("Trajectories", zoom_plot(chapter)),
        ("Average day", average_day_figure(chapter)),
        ("Violations", violations_table(chapter)),
        ("Use of resources", resources_table(chapter)),
    ]
    title = f"{env.presentation.title}, {contender.label}, {label}"
    footer = f"Phytotron {__version__}. Weather: {env.weather_name or 'its own'}."
    write_text(path, page(title, [each for each in sections if each[1]], footer, STYLE, script()))
    return path
