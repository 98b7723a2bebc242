"""The paper's windows of ten days for which there is weather, and those on which an agent was trained."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from pathlib import Path
from typing import NamedTuple

from phytotron.core.errors import PhytotronError
from phytotron.weather.archive import load_years, missing_years
from phytotron.weather.splits import SCHIPHOL, find_split

EMBEDDED = "schiphol"
VALIDATION, TEST = "validation", "test"
# name, split and part: the paper's own, and the test of those who have no weather before 2008
PARTS = (
    (VALIDATION, "greenlight_gym", "validation"),
    (TEST, "greenlight_gym", "test"),
    ("test with 2021-2024", "schiphol", "test"),
)
QUICK = 3  # windows of a part, for a first look


class Windows(NamedTuple):
    """Start dates of ten days each, by part of the paper's split."""

    series: str
    starts: dict[str, tuple[date, ...]]

    @property
    def order(self) -> list[date]:
        """All of them, by date."""
        return sorted({start for dates in self.starts.values() for start in dates})

    @property
    def largest_test(self) -> str:
        """The test part with the most windows."""
        tests = [part for part in self.starts if part != VALIDATION] or [TEST]
        return max(self.only(*tests).starts, key=lambda part: len(self.starts[part]))

    def only(self, *parts: str) -> Windows:
        """Return the windows of some parts, for each of which there has to be weather."""
        for part in parts:
            if part not in self.starts:
                kind = "years that the agents were trained on" if part == VALIDATION else "years they have not seen"
                raise PhytotronError(f"there is no weather for {part} windows: fetch Schiphol's of {kind}")
        return self._replace(starts={part: self.starts[part] for part in parts})

    def described(self, part: str) -> str:
        """Return the number of windows of a part and their years, in words."""
        years = sorted({start.year for start in self.starts[part]})
        return f"{len(self.starts[part])} windows of {years[0]}-{years[-1]}"

    def all_described(self) -> str:
        """Return the same of all parts."""
        return "; ".join(f"{part}: {self.described(part)}" for part in self.starts)


def windows_at_hand(folder: Path | None, quick: bool, trained_on: Collection[int] | None = None) -> Windows:
    """Return the windows of the paper whose weather is in the folder, or without one in the package.

    `trained_on`: the years that an agent has seen. As in the paper, validation is then on these years and the test on
    others, whatever years they are.
    """
    series = EMBEDDED if folder is None else SCHIPHOL
    starts: dict[str, tuple[date, ...]] = {}
    wanted: set[int] = set()
    for name, split, part in PARTS:
        dates = [start for windows in find_split(split).part(part) for start in windows.starts]
        years = {start.year for start in dates}
        wanted |= years
        absent = missing_years(series, sorted(years), folder)
        held = tuple(start for start in dates if start.year not in absent)
        if held and held not in starts.values():
            starts[name] = held
    if not starts:
        load_years(series, sorted(wanted), folder)  # says what is missing and how to get it
    if trained_on is not None:
        starts = by_training(starts, trained_on)
    return Windows(series, {name: _some(held) if quick else held for name, held in starts.items()})


def by_training(starts: dict[str, tuple[date, ...]], trained_on: Collection[int]) -> dict[str, tuple[date, ...]]:
    """Return validation on windows of the years of training, test on windows of other years only."""
    order = sorted({start for dates in starts.values() for start in dates})
    training = tuple(start for start in order if start.year in trained_on)
    unseen = tuple(start for start in order if start.year not in trained_on)
    found = {VALIDATION: training} if training else {}
    for part, dates in starts.items():
        kept = tuple(start for start in dates if start.year not in trained_on)
        if part != VALIDATION and kept and kept not in found.values():
            found[part] = kept
    return found if len(found) > 1 or not unseen else found | {TEST: unseen}


def _some(held: tuple[date, ...]) -> tuple[date, ...]:
    """Return the first of some dates, the last, and one between them."""
    return tuple(held[n] for n in sorted({round(share * (len(held) - 1) / (QUICK - 1)) for share in range(QUICK)}))
