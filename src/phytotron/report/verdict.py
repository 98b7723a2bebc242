"""What came out, in plain words."""

from __future__ import annotations

import html

from phytotron.report.gathering import Chapter, Entry
from phytotron.report.tables import compare
from phytotron.report.words import name, number


def verdict(chapter: Chapter) -> str:
    """A box with one paragraph per trained agent, whether or not it did well."""
    weather = f" of {chapter.weather}" if chapter.weather else ""
    unseen = chapter.weather is not None and chapter.weather != chapter.training_weather
    said = [f"On {len(chapter.scores.labels)} {'unseen ' if unseen else ''}windows{weather}:"]
    said += [" ".join(_sentences(chapter, entry)) for entry in chapter.trained]
    if not chapter.same_task:
        said.append("The runs were trained with different options of the environment; their returns may not compare.")
    notes = [f"<b>{html.escape(each.label)}</b>: {html.escape(each.contender.note)}" for each in chapter.entries]
    box = "".join(f"<p>{html.escape(each)}</p>" for each in said)
    return f'<div class="verdict">{box}</div><p>{"; ".join(notes)}.</p>'


def _sentences(chapter: Chapter, entry: Entry) -> list[str]:
    said = [_against(chapter, entry)] if chapter.baselines else []
    for measure in chapter.subject.headline:
        others = ", ".join(f"{other.label} {number(other.mean(measure))}" for other in chapter.baselines)
        mine = f"{number(entry.mean(measure))} {chapter.unit(measure)}".rstrip()
        said.append(f"Its {name(measure)} was {mine}{f' ({others})' if others else ''}.")
    return said


def _against(chapter: Chapter, entry: Entry) -> str:
    """More or less than the yardstick, and whether that is more than the spread of the windows."""
    yardstick, measure = chapter.baselines[0], chapter.subject.decisive
    mine, theirs = entry.values(measure), yardstick.values(measure)
    found = compare(mine, theirs)
    base = float(abs(theirs.mean()))
    share = f" ({100.0 * abs(found.difference) / base:.0f} %)" if abs(found.difference) < 2.0 * base else ""
    way, word = ("more", "better") if found.difference > 0.0 else ("less", "worse")
    clear = found.half is None or abs(found.difference) > found.half
    sure = "" if clear else f"; with {mine.shape[1]} windows so different from each other that may be chance"
    amount = f"{number(abs(found.difference))} {chapter.unit(measure)}".rstrip()
    return f"{entry.label} did {word} than {yardstick.label}: {amount}{share} {way} {name(measure)}{sure}."
