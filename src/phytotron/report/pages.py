"""Self-contained HTML pages: about training runs and the baselines of their environments, and about one episode.

Both begin with what is decided and the result in a sentence; then come pictures, then tables, and settings last.
"""

import html
from collections.abc import Sequence
from pathlib import Path

from phytotron.core.files import write_text
from phytotron.core.presentation import Competitor
from phytotron.core.units import typeset
from phytotron.core.version import __version__
from phytotron.evaluation.examination import Examination
from phytotron.report.account import options_list, run_account
from phytotron.report.figures import average_day_figure, curves_figure, learning_figure, profile_figure, windows_figure
from phytotron.report.gathering import POINTS, Entry, Section
from phytotron.report.glossary import glossary
from phytotron.report.html_page import Rows, csv_link, page, table
from phytotron.report.opening import decision, episode_result, in_more_words, remarks, verdict
from phytotron.report.plotting import GREEN
from phytotron.report.shares import shares_section
from phytotron.report.svg_chart import legend
from phytotron.report.tables import comparison_table, episodes_link, resources_table, scores_table, violations_table
from phytotron.report.words import in_sentence, name, number, percent, weather_words
from phytotron.report.zoom_plot import windows_shown, zoom_plot

ALONE = "This page needs no network: figures, data and the script that draws them are in it."


def summary_rows(competitor: Competitor, found: Examination) -> Rows:
    """Return the totals of an episode as rows of name, value and unit."""
    return_unit = typeset(competitor.environment.presentation.returns.unit) or POINTS
    rows = [("return", number(float(found.scores.values["return"].mean())), return_unit)]
    for measure in competitor.environment.measures:
        value = float(found.scores.values[measure.quantity.name].mean())
        share = measure.mean and measure.quantity.unit == "-"
        digits = 0.0 if value.is_integer() else None  # counts have no decimals
        cells = (percent(value), "") if share else (number(value, digits), typeset(measure.quantity.unit))
        rows.append((name(measure.quantity.description), *cells))
    length, most = float(found.scores.values["length"].mean()), competitor.environment.episode_steps
    return rows if length == most else [*rows, (f"steps, of {most} at most", number(length, 0.0), "")]


def write_episode_page(competitor: Competitor, found: Examination, seconds: float, path: Path) -> Path:
    """Write the page about an episode and return its path."""
    env, label = competitor.environment, found.scores.labels[0]
    entry = Entry(competitor, found, GREEN, "solid")
    section = Section(env, (), (), (), (entry,), True)
    early = "".join(f'<p class="verdict">{html.escape(text)}</p>' for text in found.endings)
    rows = summary_rows(competitor, found)
    totals = table(rows, {"return": section.meaning("return")}) + csv_link("totals.csv", rows, "totals.csv")
    weather = weather_words(env.weather_name, env)
    account = (
        f"{env.id}, {int(entry.mean('length'))} steps from {label}, under {competitor.label} ({competitor.note}). "
        f"{f'On {weather}. ' if weather else ''}Compiled and run in {seconds:.1f} s."
    )
    sections = [
        ("", decision(section) + episode_result(section) + early + remarks(section)),
        ("Trajectories", zoom_plot(section)),
        ("Totals of the episode", totals),
        ("Average day", _below(DAY_NOTE, average_day_figure(section))),
        ("Violations", _below(VIOLATIONS_NOTE, violations_table(section))),
        ("Use of resources", resources_table(section)),
        ("Words", glossary(section)),
        ("Settings", f"<p>{html.escape(account)}</p>{options_list(env)}"),
    ]
    title = f"{env.presentation.title}, {competitor.label}, {label}"
    footer = f"Phytotron {__version__}. {ALONE}"
    write_text(path, page(title, [each for each in sections if each[1]], footer))
    return path


def _below(note: str, content: str) -> str:
    """Return content after a note about it; empty where the content is empty."""
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
CURVES_NOTE = "Mean over the windows; the band is from the lowest to the highest seed."
VIOLATIONS_NOTE = "Share of all steps in which a constraint was violated, and by how much in those steps."


def write_run_page(sections: Sequence[Section], path: Path, title: str = "") -> Path:
    """Write the page about training runs and return its path."""
    write_text(path, run_page(sections, title))
    return path


def run_page(sections: Sequence[Section], title: str = "") -> str:
    """Return the text of the page about training runs."""
    title = title or "Trained controllers and their baselines"
    titles = enumerate(html.escape(section.presentation.title) for section in sections)
    links = "".join(f'<a href="#section-{n}">{each}</a>' for n, each in titles)
    summary = [("", f"<nav>{links}</nav>")] if len(sections) > 1 else []
    parts = [*summary, *(("", _section(section, number)) for number, section in enumerate(sections))]
    footer = f"Phytotron {__version__}. {ALONE}"
    return page(title, parts, footer)


def _section(section: Section, number: int) -> str:
    """Sections are a heading, an introduction, and the content; those without content are left out."""
    presentation = section.presentation
    keys = legend([(entry.label, entry.colour, entry.dash) for entry in section.entries])
    against = in_sentence(section.baselines[0].label) if section.baselines else ""
    tables = [comparison_table(section, measure) for measure in presentation.headline] if against else []
    pictures = (
        ("Over an episode", f"<p>{CURVES_NOTE}</p>{keys}", curves_figure(section)),
        ("In more words", "", in_more_words(section)),
        ("Learning", _learning_note(section), learning_figure(section)),
        ("Trajectories", _trajectory_note(section), zoom_plot(section)),
        ("Average day", f"<p>{DAY_NOTE}</p>{keys}", average_day_figure(section)),
        ("Distribution of scores", keys, profile_figure(section) + windows_figure(section)),
    )
    numbers = (
        ("Scores", f"<p>{SCORES_NOTE}</p>", scores_table(section) + f"<p>{episodes_link(section)}</p>"),
        (f"Against {against}", f"<p>{COMPARISON_NOTE}</p>", "".join(tables)),
        ("Attainable share", "", shares_section(section)),
        ("Violations", f"<p>{VIOLATIONS_NOTE}</p>", violations_table(section)),
        ("Use of resources", "", resources_table(section)),
        ("Words", "", glossary(section)),
        ("What was run", "", run_account(section)),
    )
    parts = (*pictures, *numbers)
    shown = [f"<h3>{html.escape(head)}</h3>{before}{content}" for head, before, content in parts if content]
    title = f'<h2 id="section-{number}">{html.escape(presentation.title)}</h2>'
    begin = [title, decision(section), verdict(section), _early_ends(section), remarks(section)]
    return "".join([*begin, *shown])


def _early_ends(section: Section) -> str:
    """Return paragraphs with the number of episodes of each controller that ended early, and the first of these."""
    ended = [(entry.label, entry.examination.endings) for entry in section.entries if entry.examination.endings]
    texts = [f"{label}: {len(endings)} episodes ended early. {endings[0]}" for label, endings in ended]
    return "".join(f'<p class="verdict">{html.escape(text)}</p>' for text in texts)


def _learning_note(section: Section) -> str:
    judged = {line["weather"] for run in section.runs for line in run.lines if line["kind"] == "evaluation"}
    marks = f" Circles: evaluations without exploration on {', '.join(sorted(map(str, judged)))}." if judged else ""
    seeds = any(len(run.config["seeds"]) > 1 for run in section.runs)
    band = "Mean of the seeds, and the band from the lowest to the highest" if seeds else "The one seed"
    trained_on = dict.fromkeys(each for each in section.training_weather if each is not None)
    weather = f" on {' and '.join(trained_on)}" if trained_on else ""
    lines = [(run.label, run.colour, "solid") for run in section.runs]
    against = ""
    for entry in section.baselines[:1]:
        lines.append((entry.label, entry.colour, entry.dash))
        on = f" on {section.weather}" if section.weather else ""
        against = f" {entry.dash.capitalize()}: mean of {entry.label}{on}."
    text = f"{band}; episodes of training{weather}, with the exploration that goes with it.{marks}{against}"
    keys = legend(lines) if len(lines) > 1 else ""
    return f"<p>{html.escape(text)}</p>{keys}"


def _trajectory_note(section: Section) -> str:
    shown, labels = windows_shown(section), section.scores.labels
    several = any(len(entry.competitor.controllers) > 1 for entry in section.entries)
    which = "Windows to choose from" if len(shown) > 1 else f"One window, {labels[shown[0]]}"
    seed = "; of several seeds the one of median return" if several else ""
    return f"<p>{html.escape(which + seed)}. Buttons switch quantities and controllers on and off.</p>"
