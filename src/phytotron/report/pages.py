"""Self-contained HTML pages: about training runs and the baselines of their environments, and about one episode.

Both begin with what is decided and the result in a sentence, then come pictures, then tables, and settings last.
"""

import html
from collections.abc import Sequence
from pathlib import Path

from phytotron.core.files import write_text
from phytotron.core.presentation import Contender
from phytotron.core.version import __version__
from phytotron.evaluation.examination import Examination
from phytotron.report.account import options_list, run_account
from phytotron.report.figures import average_day_figure, course_figure, learning_figure, profile_figure, windows_figure
from phytotron.report.gathering import POINTS, Chapter, Entry
from phytotron.report.glossary import glossary
from phytotron.report.html_page import Rows, csv_link, page, table
from phytotron.report.opening import decision, episode_result, in_more_words, remarks, verdict
from phytotron.report.plotting import GREEN
from phytotron.report.shares import shares_section
from phytotron.report.svg_chart import legend
from phytotron.report.tables import comparison_table, episodes_link, resources_table, scores_table, violations_table
from phytotron.report.words import name, number, percent, unit
from phytotron.report.zoom_plot import zoom_plot

ALONE = "This page needs no network: figures, data and the script that draws them are in it."


def summary_rows(contender: Contender, found: Examination) -> Rows:
    """Name, value and unit of what the episode came to."""
    said_of_return = unit(contender.environment.presentation.returns.unit) or POINTS
    rows = [("return", number(float(found.scores.values["return"].mean())), said_of_return)]
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
    early = "".join(f'<p class="verdict">{html.escape(text)}</p>' for text in found.endings)
    rows = summary_rows(contender, found)
    totals = table(rows, {"return": chapter.meaning("return")}) + csv_link("totals.csv", rows, "totals.csv")
    account = (
        f"{env.id}, {int(entry.mean('length'))} steps from {label}, under {contender.label} ({contender.note}). "
        f"Weather: {env.weather_name or 'its own'}. Compiled and run in {seconds:.1f} s."
    )
    sections = [
        ("", decision(chapter) + episode_result(chapter) + early + remarks(chapter)),
        ("Trajectories", zoom_plot(chapter)),
        ("What it came to", totals),
        ("Average day", _below(DAY_NOTE, average_day_figure(chapter))),
        ("Violations", _below(VIOLATIONS_NOTE, violations_table(chapter))),
        ("Use of resources", resources_table(chapter)),
        ("Words", glossary(chapter)),
        ("Settings", f"<p>{html.escape(account)}</p>{options_list(env)}"),
    ]
    title = f"{env.presentation.title}, {contender.label}, {label}"
    footer = f"Phytotron {__version__}. {ALONE}"
    write_text(path, page(title, [each for each in sections if each[1]], footer))
    return path


def _below(note: str, content: str) -> str:
    """A note and what it is about; nothing where there is nothing."""
    return content and f"<p>{note}</p>{content}"


SCORES_NOTE = (
    "Means over all seeds and windows, with half of two 95 % intervals by Student's t: over seeds (of means over the "
    "windows: what training again would change) and over windows (of means over the seeds: what other weather "
    "would change). Rules and schedules have no seeds."
)
COMPARISON_NOTE = (
    "All on the same windows. The difference is taken window by window, of means over the seeds; its interval and the "
    "two-sided p count a year once, since its windows share a season: p is the share of all choices of signs of the "
    "years' differences that give as much, not corrected for the number of tests (with n years at least 2 / 2ⁿ). The "
    "probability is that of one seed in one window against the other; its interval counts every seed once, since one "
    "that is lucky in a window tends to be so in the others."
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
    footer = f"Phytotron {__version__}. {ALONE}"
    return page(title, sections, footer)


def _chapter(chapter: Chapter, number: int) -> str:
    """Sections are a heading, what is said before, and the content; those without content are left out."""
    subject = chapter.subject
    keys = legend([(entry.label, entry.colour, entry.dash) for entry in chapter.entries])
    against = chapter.baselines[0].label if chapter.baselines else ""
    tables = [comparison_table(chapter, measure) for measure in subject.headline] if against else []
    pictures = (
        ("Course of an episode", f"<p>{COURSE_NOTE}</p>{keys}", course_figure(chapter)),
        ("In more words", "", in_more_words(chapter)),
        ("Learning", _learning_note(chapter), learning_figure(chapter)),
        ("Trajectories", _trajectory_note(chapter), zoom_plot(chapter)),
        ("Average day", f"<p>{DAY_NOTE}</p>{keys}", average_day_figure(chapter)),
        ("Distribution of scores", keys, profile_figure(chapter) + windows_figure(chapter)),
    )
    numbers = (
        ("Scores", f"<p>{SCORES_NOTE}</p>", scores_table(chapter) + f"<p>{episodes_link(chapter)}</p>"),
        (f"Against {against}", f"<p>{COMPARISON_NOTE}</p>", "".join(tables)),
        ("Attainable share", "", shares_section(chapter)),
        ("Violations", f"<p>{VIOLATIONS_NOTE}</p>", violations_table(chapter)),
        ("Use of resources", "", resources_table(chapter)),
        ("Words", "", glossary(chapter)),
        ("What was run", "", run_account(chapter)),
    )
    sections = (*pictures, *numbers)
    shown = [f"<h3>{html.escape(head)}</h3>{before}{content}" for head, before, content in sections if content]
    title = f'<h2 id="chapter-{number}">{html.escape(subject.title)}</h2>'
    begin = [title, decision(chapter), verdict(chapter), _early_ends(chapter), remarks(chapter)]
    return "".join([*begin, *shown])


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
    lines = [(run.label, run.colour, "solid") for run in chapter.runs]
    against = ""
    for entry in chapter.baselines[:1]:
        lines.append((entry.label, entry.colour, entry.dash))
        against = (
            f" {entry.dash.capitalize()}: mean of {entry.label} on {chapter.weather or 'the weather of the test'}."
        )
    text = f"{band}; episodes of training{weather}, with the exploration that goes with it.{marks}{against}"
    keys = legend(lines) if len(lines) > 1 else ""
    return f"<p>{html.escape(text)}</p>{keys}"


def _trajectory_note(chapter: Chapter) -> str:
    found = chapter.entries[0].examination
    several = any(len(entry.contender.controllers) > 1 for entry in chapter.entries)
    which = "Windows to choose from" if len(found.shown) > 1 else f"One window, {found.scores.labels[found.shown[0]]}"
    seed = "; of several seeds the one of median return" if several else ""
    return f"<p>{html.escape(which + seed)}. Buttons switch quantities and controllers on and off.</p>"
