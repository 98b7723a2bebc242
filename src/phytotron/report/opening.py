"""The first part of a page: what is decided in the task, the result in a sentence, and remarks needed to judge it."""

import html
from typing import Any

from phytotron.core.environment import Environment
from phytotron.core.spaces import Discrete
from phytotron.report.gathering import Entry, Section
from phytotron.report.glossary import term
from phytotron.report.html_page import explained
from phytotron.report.shares import share_sentence
from phytotron.report.tables import compare
from phytotron.report.words import every, in_sentence, name, number, sentence, with_code

NO_BREAK = "\N{NO-BREAK SPACE}"  # a number and its unit stay on one line


def decision(section: Section) -> str:
    """Return a paragraph on what the controller decides, how often, and what it is judged by."""
    presentation, measure = section.presentation, section.presentation.decisive
    rhythm = "At every step" if presentation.timeline is None else every(presentation.timeline.interval)
    decided = html.escape(sentence(f"{rhythm} the controller decides {decides(section.environment)}."))
    counts = explained(html.escape(name(measure)), section.meaning(measure))
    also = explained("return", section.meaning("return"))
    learned = f"; agents learn to raise the {also}" if measure != "return" and section.trained else ""
    return f'<p class="lead">{decided} What counts is the {counts} in {_unit_words(section, measure)}{learned}.</p>'


def _unit_words(section: Section, measure: str) -> str:
    return html.escape(section.unit(measure) or "its own measure")


def decides(env: Environment[Any, Any]) -> str:
    """Return the decision of a controller in words: those of the task, or else the descriptions of its actions."""
    if env.presentation.decides:
        return env.presentation.decides
    if isinstance(env.action_space, Discrete):
        return f"which of its {env.action_space.n} actions to take"
    described = [each.description for each in env.fields.get("action", ())]
    return ", ".join(described) or "its action"


def remarks(section: Section) -> str:
    """Return remarks for the reader, such as on inputs without a price; empty where there are none."""
    return "".join(f'<p class="aside">{html.escape(sentence(each))}</p>' for each in section.presentation.notes)


def episode_result(section: Section) -> str:
    """Return the result of one episode, in a sentence."""
    entry, measures = section.entries[0], section.presentation.headline
    first = section.presentation.decisive
    ordered = [first, *(each for each in measures if each != first)]
    parts = [f"a {name(each)} of {_amount(section, each, entry.mean(each))}" for each in ordered]
    text = f"{_episode(section)}, {in_sentence(entry.label)} reached {' and '.join(parts)}."
    return f'<div class="verdict"><p>{html.escape(text)}</p></div>'


def _episode(section: Section) -> str:
    """Return the episode in words, such as "In 10 days from 2010-03-01"."""
    label, timeline = section.scores.labels[0], section.presentation.timeline
    if timeline is None:
        return f"From {label}"
    days = round(timeline.interval * section.entries[0].mean("length"), 2)
    if timeline.calendar:
        return f"In the {'season' if timeline.steps_per_day is None else 'episode'} {label}"
    return f"In {days:g} {'day' if days == 1 else 'days'} from {label}"


def verdict(section: Section) -> str:
    """Return a box with one sentence per trained agent, whether or not it did well."""
    weather = f" of {section.weather}" if section.weather else ""
    unseen = section.weather is not None and section.weather not in section.training_weather
    count = len(section.scores.labels)
    windows = term("window" if count == 1 else "windows", "window")
    where = f"On {count} {'unseen ' if unseen else ''}{windows}{html.escape(weather)}"
    sentences = [f"{where}, {html.escape(_result(section, entry))}" for entry in section.trained]
    if not section.same_task:
        sentences.append(
            "The runs were trained with different options of the environment; their returns may not compare."
        )
    return f'<div class="verdict">{"".join(f"<p>{each}</p>" for each in sentences)}</div>'


def in_more_words(section: Section) -> str:
    """Return, for every agent, its main measures beside those of the baselines, and an explanation of each baseline."""
    paragraphs = "".join(f"<p>{html.escape(' '.join(_sentences(section, entry)))}</p>" for entry in section.trained)
    notes = [f"<b>{html.escape(each.label)}</b>: {with_code(each.competitor.note)}" for each in section.entries]
    return f"{paragraphs}<p>{'; '.join(notes)}.</p>"


def _amount(section: Section, measure: str, value: float) -> str:
    return f"{number(value)} {section.unit(measure)}".rstrip().replace(" ", NO_BREAK)


def _sentences(section: Section, entry: Entry) -> list[str]:
    sentences = []
    for measure in section.presentation.headline:
        others = ", ".join(f"{other.label} {number(other.mean(measure))}" for other in section.baselines)
        mine = _amount(section, measure, entry.mean(measure))
        sentences.append(f"The {name(measure)} of {entry.label} was {mine}{f' ({others})' if others else ''}.")
    return [*sentences, share_sentence(section, entry)]


def _result(section: Section, entry: Entry) -> str:
    """Return a sentence that compares a result with the yardstick and with the spread of the windows."""
    measure = section.presentation.decisive
    if not section.baselines:
        return f"{entry.label} reached a {name(measure)} of {_amount(section, measure, entry.mean(measure))}."
    yardstick = section.baselines[0]
    mine, theirs = entry.values(measure), yardstick.values(measure)
    difference, half, _, years = compare(mine, theirs, section.scores.labels).paired
    base = float(abs(theirs.mean()))
    share = f" ({100.0 * abs(difference) / base:.0f} %)" if abs(difference) < 2.0 * base else ""
    way, word = ("more", "better") if difference > 0.0 else ("less", "worse")
    windows = f"{mine.shape[1]} windows" + (f" of {years} years" if years < mine.shape[1] else "")
    sure = ""
    if half is None:
        which = "one window" if mine.shape[1] == 1 else "windows of one year"
        sure = f"; with {which}, it cannot be said whether this is chance"
    elif abs(difference) <= half:
        sure = f"; the {windows} differ so much from each other that this may be chance"
    amount = _amount(section, measure, abs(difference))
    result = f"{in_sentence(entry.label)} did {word} than {in_sentence(yardstick.label)}"
    return f"{result}: {amount}{share} {way} {name(measure)}{sure}."
