"""What came out, in plain words."""

from __future__ import annotations

import html

from phytotron.report.gathering import Chapter, Entry
from phytotron.report.tables import compare
from phytotron.report.words import name, number, unit


def verdict(chapter: Chapter) -> str:
    """A box with one paragraph per trained agent, whether or not it did well."""
    scores = chapter.entries[0].examination.scores
    weather = f" of {chapter.weather}" if chapter.weather else ""
    unseen = chapter.weather is not None and chapter.weather != chapter.training_weather
    where = f"On {len(scores.labels)} {'unseen ' if unseen else ''}windows{weather}"
    parts = [f"<p>{html.escape(where)}:</p>"]
    for entry in chapter.trained:
        parts.append(f"<p>{html.escape(' '.join(_sentences(chapter, entry)))}</p>")
    notes = [f"<b>{html.escape(each.label)}</b>: {html.escape(each.contender.note)}" for each in chapter.entries]
    warning = ""
    if not chapter.same_task:
        warning = (
            "<p>The runs were trained with different options of the environment; their returns may not compare.</p>"
        )
    return f'<div class="verdict">{"".join(parts)}{warning}</div><p>{"; ".join(notes)}.</p>'


def _sentences(chapter: Chapter, entry: Entry) -> list[str]:
    said = [_against(chapter, entry)] if chapter.baselines else []
    for measure in chapter.subject.headline:
        ending = unit(entry.examination.scores.units.get(measure, "-"))
        ending = f" {ending}" if ending else ""
        mine = float(entry.examination.scores.values[measure].mean())
        others = []
        for other in chapter.baselines:
            theirs = float(other.examination.scores.values[measure].mean())
            others.append(f"{other.label} {number(theirs)}")
        tail = f" ({', '.join(others)})" if others else ""
        said.append(f"Its {name(measure)} was {number(mine)}{ending}{tail}.")
    return said


def _against(chapter: Chapter, entry: Entry) -> str:
    """More or less than the yardstick, and whether that is more than the spread of the weather."""
    yardstick = chapter.baselines[0]
    measure = chapter.subject.headline[-1] if "profit" in chapter.subject.headline else "return"
    mine, theirs = (each.examination.scores.values[measure] for each in (entry, yardstick))
    found = compare(mine, theirs)
    base = float(abs(theirs.mean()))
    share = f" ({100.0 * abs(found.difference) / base:.0f} %)" if abs(found.difference) < 2.0 * base else ""
    way = "more" if found.difference > 0.0 else "less"
    sure = ""
    if found.half is not None:
        clear = abs(found.difference) > found.half
        sure = "" if clear else f"; with {mine.shape[1]} windows so different from each other that may be chance"
    amount = f"{number(abs(found.difference))} {unit(entry.examination.scores.units.get(measure, '-'))}".rstrip()
    word = "better" if way == "more" else "worse"
    return f"{entry.label} did {word} than {yardstick.label}: {amount}{share} {way} {name(measure)}{sure}."
