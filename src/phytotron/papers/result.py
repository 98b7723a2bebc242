"""The result of a reproduced table or figure: the paper's numbers beside ours."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.evaluation.statistics.comparison import confidence_interval
from phytotron.evaluation.statistics.estimates import CONFIDENCE


@dataclass(frozen=True)
class Settings:
    """The settings of an experiment."""

    weather: Path | None = None  # folder of weather files; None: what comes with the package
    quick: bool = False  # fewer cases, and less training, for a first look
    progress: Callable[[str, float], None] = lambda what, share: None  # called with what is done, and the share of it
    train: bool = False  # train agents here, instead of taking those that come with the package
    runs: Path = Path("runs")  # where they are trained

    def job(self, what: str, number: int, jobs: int) -> Callable[[int, int], None]:
        """Return a listener for job `number` of `jobs`, counted from 0, to be called with the steps done and in all."""
        self.progress(f"{what}: compiling", number / jobs)
        return lambda done, steps: self.progress(what, (number + done / steps) / jobs)


@dataclass(frozen=True)
class Row:
    """One number of ours beside that of the paper, if it gives one; intervals are half widths, of 95 % unless stated.

    Numbers of ours that are not finite become None.
    """

    setting: str
    quantity: str
    unit: str
    ours: float | None
    interval: float | None = None
    paper: float | None = None
    paper_interval: float | None = None

    def __post_init__(self) -> None:
        for name in ("ours", "interval"):
            value = getattr(self, name)
            finite = value is not None and math.isfinite(value)
            object.__setattr__(self, name, float(value) if finite else None)

    @property
    def difference(self) -> float | None:
        """Ours less the paper's number, where both are there."""
        return None if self.ours is None or self.paper is None else self.ours - self.paper

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return dataclasses.asdict(self) | {"difference": self.difference}


def mean_row(
    setting: str,
    quantity: str,
    unit: str,
    values: Any,
    paper: float | None = None,
    paper_interval: float | None = None,
    confidence: float = CONFIDENCE,
) -> Row:
    """Return a row of the mean of some values, with the half width of its interval by Student's t."""
    sample = np.asarray(values)
    half = confidence_interval(sample, confidence)
    return Row(setting, quantity, unit, float(sample.mean()), half, paper, paper_interval)


@dataclass(frozen=True)
class Result:
    """A reproduced table or figure; `series` are the curves of a figure by name.

    `name` and `quick` are those of the experiment and its settings, which the registry fills in.
    """

    title: str
    source: str  # of the paper's numbers
    rows: Sequence[Row]
    notes: Sequence[str] = ()
    series: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    quick: bool = False
    beside: str = "paper"  # heading of the numbers beside ours: where they are not printed there, what they are from

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return dataclasses.asdict(self) | {"rows": [row.as_dict() for row in self.rows]}
