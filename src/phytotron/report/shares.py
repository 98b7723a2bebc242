"""Attained shares in words and as a table by window: how much of the gain that is possible in hindsight an agent
achieves.
"""

import html

import numpy as np

from phytotron.evaluation.attainable import Attainable, Share
from phytotron.report.gathering import Entry, Section
from phytotron.report.glossary import term
from phytotron.report.tables import entry_key, grid
from phytotron.report.words import in_sentence, name

NOTE = (
    "What is gained over {baseline}, of what the oracle gains over it, which is the best plan that was found for each "
    "window with all of its weather known. Means are shares of the means over windows and seeds; their interval over "
    "windows is by Student's t of the deviations from the share. A dash: the oracle is no better there than {baseline}."
)


def share_sentence(section: Section, entry: Entry) -> str:
    """Return a sentence on the share of each measure that an agent attains; empty where shares are not known."""
    if section.ceiling is None:
        return ""
    found = section.ceiling.shares(entry.examination.scores)
    known = {measure: share for measure, share in found.items() if np.isfinite(share.value)}
    parts = [f"{_in_words(share)} of the {name(measure)}" for measure, share in known.items()]
    gains = f"that the best plan in hindsight gains over {in_sentence(section.ceiling.baseline)}{_part(section)}"
    return f"It attains {' and '.join(parts)} {gains}." if parts else ""


def shares_section(section: Section) -> str:
    """Return a table for every measure: means, and every window after a click; empty where shares are not known."""
    ceiling = section.ceiling
    if ceiling is None:
        return ""
    shown = [entry for entry in section.entries if entry.label != ceiling.baseline]
    note = NOTE.format(baseline=ceiling.baseline) + (f" Known{_part(section)}." if _part(section) else "")
    return f"<p>{html.escape(note)}</p>" + "".join(_tables(ceiling, measure, shown) for measure in ceiling.decisive)


def _tables(ceiling: Attainable, measure: str, shown: list[Entry]) -> str:
    shares = [ceiling.share(entry.examination.scores, measure) for entry in shown]
    head = [term(f"share of {name(measure)}", "attainable share"), *map(entry_key, shown)]
    means = grid(head, [["mean", *map(_cell, shares)]], file=f"attainable_{measure}.csv")
    by_window = [each.per_window.mean(axis=0) for each in shares]
    rows = [[html.escape(label), *(_percent(each[n]) for each in by_window)] for n, label in enumerate(ceiling.labels)]
    return f"{means}<details><summary>Every window</summary>{grid(head, rows)}</details>"


def _part(section: Section) -> str:
    """Return in words the windows on which shares are known; empty where these are all."""
    known, every = len(section.ceiling.labels) if section.ceiling else 0, len(section.scores.labels)
    return "" if known == every else f" on the {known} of {every} windows that have plans"


def _in_words(share: Share) -> str:
    half = "" if share.over_windows is None else f" (± {100.0 * share.over_windows:.0f} over windows)"
    return f"{_percent(share.value)}{half}" if share.value > 0.0 else f"none ({_percent(share.value)})"


def _cell(share: Share) -> str:
    parts = [f"<b>{_percent(share.value)}</b>"]
    for half, words in ((share.over_seeds, "seeds"), (share.over_windows, "windows")):
        if half is not None and np.isfinite(share.value):
            parts.append(f"<small>± {100.0 * half:.0f} {words}</small>")
    return "<br>".join(parts)


def _percent(share: float) -> str:
    """Return a share in percent, without decimals; a dash where there is none."""
    return f"{100.0 * share:.0f} %".replace("-", "−") if np.isfinite(share) else "–"
