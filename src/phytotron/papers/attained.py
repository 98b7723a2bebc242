"""Rows of a paper's table for what is attainable in hindsight, where plans are at hand; no paper has such numbers."""

from collections.abc import Iterable, Sequence

import numpy as np

from phytotron.evaluation.attainable import Attainable, Share
from phytotron.papers.result import Row

PERCENT = 100.0


def share_rows(setting: str, shares: dict[str, Share], over_seeds: bool = False) -> list[Row]:
    """Return shares of the oracle's gain over a baseline, by measure, with the interval over windows or over seeds."""
    rows = []
    for name, share in shares.items():
        half = share.over_seeds if over_seeds else share.over_windows
        if np.isfinite(share.value):
            interval = None if half is None else PERCENT * half
            rows.append(Row(setting, f"attainable share of {name}", "%", PERCENT * share.value, interval))
    return rows


def together(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of a setting one after the other, settings in the order in which they first come."""
    by_setting: dict[str, list[Row]] = {}
    for row in rows:
        by_setting.setdefault(row.setting, []).append(row)
    return [row for group in by_setting.values() for row in group]


def share_note(known: int, windows: int, baseline: str) -> str:
    """Return a note on the meaning of the shares of a table, and on the number of windows for which they are known."""
    if not known:
        return "What is attainable in hindsight is not known for these windows: no plans for them are at hand."
    on = "" if known == windows else f", on the {known} of {windows} windows that plans are at hand for"
    return (
        f"Attainable share: what is gained over {baseline}, of what the best plan in hindsight (oracle) gains over "
        f"it{on}; of means, not of medians."
    )


def on_part(ceiling: Attainable | None, labels: Sequence[object]) -> Attainable | None:
    """Return the attainable values of some windows; None where they are not known."""
    return None if ceiling is None else ceiling.only([str(label) for label in labels])
