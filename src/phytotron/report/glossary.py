"""Explanations of the technical words on pages: as tooltips, and in a list."""

import html
from collections.abc import Mapping

from phytotron.report.gathering import Section
from phytotron.report.html_page import explained
from phytotron.report.words import heading, name

TERMS: Mapping[str, str] = {
    "window": "one episode: a start date and the weather that follows it",
    "seed": "one of several trainings of the same agent, which differ by chance alone",
    "baseline": "a controller that does not learn, to compare with",
    "interquartile mean": "mean of the middle half of all scores, which single lucky or unlucky ones do not move",
    "paired p": "probability of a difference as large as this, window by window and year by year, by chance alone; "
    "below 0.05 is usually called significant",
    "attainable share": "gain over the baseline, as a share of what the best plan gains that knows all weather to come",
    "violation": "a time step in which a quantity was outside its bounds",
}


def term(text: str, known: str = "") -> str:
    """Return HTML of a term, or of a text about a known term, with its meaning as a tooltip."""
    return explained(html.escape(text), TERMS[known or text])


def measure_heading(section: Section, measure: str) -> str:
    """Return HTML of the name of a measure with its unit, and with its meaning as a tooltip."""
    return explained(html.escape(name(measure)), section.meaning(measure)) + heading("", section.unit(measure))


def glossary(section: Section) -> str:
    """Return a list of all terms and measures of a section, which opens with a click."""
    own = {name(each): section.meaning(each) for each in ("return", *section.scores.names)}
    terms = dict(TERMS) if section.runs else {each: TERMS[each] for each in ("violation",)}
    entries = "".join(
        f"<dt>{html.escape(each)}</dt><dd>{html.escape(meaning)}</dd>" for each, meaning in (own | terms).items()
    )
    return f"<details><summary>What the words mean</summary><dl>{entries}</dl></details>"
