"""Self-contained HTML pages: about training runs and the baselines of their environments, and about one episode."""

import html
from collections.abc import Sequence
from pathlib import Path

from phytotron.core.files import write_text
from phytotron.core.presentation import Contender
from phytotron.core.version import __version__
from phytotron.evaluation.examination import Examination
from phytotron.report.account import run_account, verdict
from phytotron.report.figures import average_day_figure, course_figure, learning_figure, profile_figure, windows_figure
from phytotron.report.gathering import Chapter, Entry
from phytotron.report.plotting import GREEN
from phytotron.report.shares import shares_section
from phytotron.report.svg_chart import legend
from phytotron.report.tables import comparison_table, resources_table, scores_table, violations_table
from phytotron.report.words import name, number, percent, unit
from phytotron.report.zoom_plot import script, zoom_plot

Rows = Sequence[tuple[str, str, str]]

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .9rem .25rem 0; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } svg { max-width: 100%; height: auto; }
footer { color: #777; font-size: .85rem; margin-top: 2rem; }
h2 { font-size: 1.45rem; border-top: 2px solid #2f7d4f; padding-top: 1rem; margin-top: 3rem; }
h3 { font-size: 1.1rem; margin: 2.2rem 0 .4rem; } p { max-width: 46rem; margin: .5rem 0; } small { color: #555; }
.verdict { background: #f2f7f3; border-left: 4px solid #2f7d4f; padding: .7rem 1rem; max-width: 46rem; }
.verdict p { margin: .3rem 0; } nav a { margin-right: 1.2rem; } a { color: #2f6d45; }
.scroll { overflow-x: auto; margin: .6rem 0; } .grid { font-variant-numeric: tabular-nums; }
.grid th, .grid td { padding: .35rem 1.1rem .35rem 0; vertical-align: top; border-bottom: 1px solid #e6e6e6; }
.grid th { font-weight: 600; } .grid tbody th { font-weight: 400; min-width: 7rem; } .grid td { min-width: 5.5rem; }
.grid td, .grid small { white-space: nowrap; } .words td { white-space: normal; } .who { white-space: nowrap; }
.dot { display: inline-block; width: .7em; height: .7em; border-radius: 50%; margin-right: .4em; }
.bar { background: #eee; height: 7px; width: 7.5rem; margin-top: 3px; } .bar i { display: block; height: 7px; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: .6rem 1.4rem; }
figure { margin: 0; } .chart { width: 100%; display: block; font-size: 12px; } .chart text { fill: #444; }
.chart .t { font-size: 13px; font-weight: 600; fill: #222; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; max-width: none; } .legend svg { vertical-align: -1px; }
.zoom { border: 1px solid #ddd; border-radius: 6px; padding: .6rem; }
.zoom-bar { display: flex; flex-wrap: wrap; gap: .35rem; margin-bottom: .4rem; }
.zoom button, .zoom select { font: inherit; font-size: 14px; padding: .25rem .6rem; border: 1px solid #bbb;
  border-radius: 5px; background: #fff; color: #222; min-height: 34px; cursor: pointer; }
.zoom button[aria-pressed=false] { color: #888; background: #f3f3f3; border-style: dashed; }
.zoom .chip { font-size: 13px; } .key i { display: inline-block; width: 22px; margin-right: 6px; vertical-align: 4px; }
.zoom-read { font-size: 13px; color: #444; min-height: 2.9em; max-width: none; margin: .2rem 0; }
.zoom-canvas canvas { width: 100%; display: block; touch-action: pan-y; cursor: crosshair; }
details { margin: .5rem 0; } summary { cursor: pointer; } code { overflow-wrap: anywhere; }
@media (max-width: 500px) { body { margin: 1rem auto; padding: 0 .8rem; } .grid th, .grid td { padding-right: .8rem; } }
"""


def table(rows: Rows) -> str:
    """Name, value, unit."""
    cells = "".join(
        f'<tr><td>{html.escape(name)}</td><td class="number">{html.escape(value)}</td><td>{html.escape(unit)}</td></tr>'
        for name, value, unit in rows
    )
    return f"<table>{cells}</table>"


def page(title: str, sections: Sequence[tuple[str, str]], footer: str) -> str:
    """Sections are pairs of heading and HTML; those without a heading bring their own."""
    heads = [f"<h2>{html.escape(heading)}</h2>" if heading else "" for heading, _ in sections]
    body = "".join(f"<section>{head}{each[1]}</section>" for head, each in zip(heads, sections, strict=True))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>{body}"
        f"<footer>{html.escape(footer)}</footer><script>{script()}</script></body></html>\n"
    )


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
    early = "".join(f'<p class="verdict">{html.escape(text)}</p>' for text in found.endings)
    sections = [
        ("What it came to", f"<p>{html.escape(notes)}</p>{early}{table(summary_rows(contender, found))}"),
        ("Trajectories", zoom_plot(chapter)),
        ("Average day", average_day_figure(chapter)),
        ("Violations", violations_table(chapter)),
        ("Use of resources", resources_table(chapter)),
    ]
    title = f"{env.presentation.title}, {contender.label}, {label}"
    footer = f"Phytotron {__version__}. Weather: {env.weather_name or 'its own'}."
    write_text(path, page(title, [each for each in sections if each[1]], footer))
    return path


SCORES_NOTE = (
    "Means over all seeds and windows, with half of two 95 % intervals by Student's t: over seeds (of means over the "
    "windows: what training again would change) and over windows (of means over the seeds: what other weather "
    "would change). Rules and schedules have no seeds."
)
COMPARISON_NOTE = (
    "All on the same windows. The difference is taken window by window; its interval is over windows. The probability "
    "is that of one seed in one window against the other; its interval counts every seed once, since one that is lucky "
    "in a window tends to be so in the others. Mann-Whitney's test is two-sided over the windows, each with its mean "
    "over the seeds, and not corrected for the number of tests."
)
DAY_NOTE = (
    "Mean over all days, windows and seeds by time of day; the band is twice the standard error, every day counting as "
    "one observation. Grey dashes: bounds."
)
COURSE_NOTE = "Mean over the windows; the band is from the lowest to the highest seed."
VIOLATIONS_NOTE = "Share of all steps in which a constraint was violated, and by how much in those steps."


def write_run_page(chapters: Sequence[Chapter], path: Path, title: str = "") -> Path:
    """Write the page; its path."""
    write_text(path, run_page(chapters, title))
    return path


def run_page(chapters: Sequence[Chapter], title: str = "") -> str:
    """The text of the page."""
    title = title or "Trained controllers and their baselines"
    titles = enumerate(html.escape(chapter.subject.title) for chapter in chapters)
    links = "".join(f'<a href="#chapter-{n}">{each}</a>' for n, each in titles)
    summary = [("", f"<nav>{links}</nav>")] if len(chapters) > 1 else []
    sections = [*summary, *(("", _chapter(chapter, number)) for number, chapter in enumerate(chapters))]
    footer = (
        f"Phytotron {__version__}. This page needs no network: figures, data and the script that draws them are in it."
    )
    return page(title, sections, footer)


def _chapter(chapter: Chapter, number: int) -> str:
    """Sections are a heading, what is said before, and the content; those without content are left out."""
    subject = chapter.subject
    keys = legend([(entry.label, entry.colour, entry.dash) for entry in chapter.entries])
    against = chapter.baselines[0].label if chapter.baselines else ""
    tables = [comparison_table(chapter, measure) for measure in subject.headline] if against else []
    learning = learning_figure(chapter.environment, chapter.runs, subject.learning)
    sections = (
        ("What was run", "", run_account(chapter)),
        ("Scores", f"<p>{SCORES_NOTE}</p>", scores_table(chapter)),
        (f"Against {against}", f"<p>{COMPARISON_NOTE}</p>", "".join(tables)),
        ("Attainable share", "", shares_section(chapter)),
        ("Distribution of scores", keys, profile_figure(chapter) + windows_figure(chapter)),
        ("Learning", _learning_note(chapter), learning),
        ("Average day", f"<p>{DAY_NOTE}</p>{keys}", average_day_figure(chapter)),
        ("Course of an episode", f"<p>{COURSE_NOTE}</p>{keys}", course_figure(chapter)),
        ("Trajectories", _trajectory_note(chapter), zoom_plot(chapter)),
        ("Violations", f"<p>{VIOLATIONS_NOTE}</p>", violations_table(chapter)),
        ("Use of resources", "", resources_table(chapter)),
    )
    shown = [f"<h3>{html.escape(head)}</h3>{before}{content}" for head, before, content in sections if content]
    title = f'<h2 id="chapter-{number}">{html.escape(subject.title)}</h2>'
    return "".join([title, verdict(chapter), _early_ends(chapter), *shown])


def _early_ends(chapter: Chapter) -> str:
    """How many episodes of each controller ended early, and the first of them."""
    ended = [(entry.label, entry.examination.endings) for entry in chapter.entries if entry.examination.endings]
    texts = [f"{label}: {len(endings)} episodes ended early. {endings[0]}" for label, endings in ended]
    return "".join(f'<p class="verdict">{html.escape(text)}</p>' for text in texts)


def _learning_note(chapter: Chapter) -> str:
    judged = {line["weather"] for run in chapter.runs for line in run.lines if line["kind"] == "evaluation"}
    marks = f" Circles: evaluations without exploration on {', '.join(sorted(map(str, judged)))}." if judged else ""
    seeds = any(len(run.config["seeds"]) > 1 for run in chapter.runs)
    band = "Mean of the seeds, and the band from the lowest to the highest" if seeds else "The one seed"
    weather = f" on {chapter.training_weather}" if chapter.training_weather else ""
    text = f"{band}; episodes of training{weather}, with the exploration that goes with it.{marks}"
    keys = legend([(run.label, run.colour, "solid") for run in chapter.runs]) if len(chapter.runs) > 1 else ""
    return f"<p>{html.escape(text)}</p>{keys}"


def _trajectory_note(chapter: Chapter) -> str:
    found = chapter.entries[0].examination
    several = any(len(entry.contender.controllers) > 1 for entry in chapter.entries)
    which = "Windows to choose from" if len(found.shown) > 1 else f"One window, {found.scores.labels[found.shown[0]]}"
    seed = "; of several seeds the one of median return" if several else ""
    return f"<p>{html.escape(which + seed)}. Buttons switch quantities and controllers on and off.</p>"
