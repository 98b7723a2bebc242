"""What a reproduced table or figure comes to: the paper's numbers beside ours."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


def silent(what: str, share: float) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Settings:
    """How an experiment is to be run."""

    weather: Path | None = None  # folder of weather files; None: what comes with the package
    quick: bool = False  # fewer cases, and less training, for a first look
    progress: Callable[[str, float], None] = silent  # told what is being done, and the share that is done
    train: bool = False  # train agents here, instead of taking those that come with the package
    runs: Path = Path("runs")  # where they are trained


@dataclass(frozen=True)
class Row:
    """One number of ours beside that of the paper, if it gives one; intervals are half widths, of 95 % unless said."""

    setting: str
    quantity: str
    unit: str
    ours: float | None  # None: no finite number came out
    interval: float | None = None
    paper: float | None = None
    paper_interval: float | None = None

    @property
    def difference(self) -> float | None:
        return None if self.ours is None or self.paper is None else self.ours - self.paper

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self) | {"difference": self.difference}


@dataclass(frozen=True)
class Result:
    """A reproduced table or figure; `series` are the curves of a figure by name."""

    name: str
    title: str
    source: str  # of the paper's numbers
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    series: dict[str, Any] = field(default_factory=dict)
    quick: bool = False

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        fields = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        return fields | {"rows": [row.as_dict() for row in self.rows], "notes": list(self.notes)}


def finite(value: float) -> float | None:
    """A number, or None where it is not finite."""
    return float(value) if math.isfinite(value) else None
