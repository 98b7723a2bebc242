"""The output of `phytotron evaluate`: scores with intervals, attainable shares, and the files that were written."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape
from rich.table import Table

from phytotron.cli.console import fixed, line, output
from phytotron.cli.reproduce import decimals

if TYPE_CHECKING:
    from phytotron.core.environment import Environment
    from phytotron.evaluation.attainable import Attainable
    from phytotron.evaluation.scores import Scores


@dataclass(frozen=True)
class Evaluation:
    """The scores of a controller, what was attainable on the same windows, and where both are kept."""

    environment: Environment[Any, Any]
    about: Mapping[str, Any]  # written beside the scores
    scores: Scores
    ceiling: Attainable | None
    target: Path | None  # of the scores, without suffix
    files: Mapping[str, str]  # of data, by kind

    def as_dict(self) -> dict[str, Any]:
        """Return everything as one JSON object."""
        found = {**self.about, "windows": len(self.scores.labels), "rows": self.scores.rows}
        found["measures"] = summary(self.scores)
        if self.ceiling is not None:
            found["attainable"] = self.ceiling.shares_as_dict(self.scores)
        if self.target is not None:
            found["written"] = f"{self.target.resolve()}.npz"
        early = ended_early(self.environment, self.scores)
        return {**found, **self.files, **({"ended_early": early} if early else {})}

    def show(self, duration: str) -> None:
        """Print the scores as a table, and what a reader must know about them."""
        from phytotron.report.words import weather_words

        env = self.environment
        title = (self.about["environment"]["id"], self.about["controller"], weather_words(env.weather_name, env))
        output.print(score_table(self.scores, ", ".join(filter(None, title)), self.ceiling))
        line(duration)
        early = ended_early(env, self.scores)
        if early:
            line(f"\n{early}")
        if self.ceiling is not None:
            line(f"\n{share_words(self.ceiling, len(self.scores.labels))}")

    def show_files(self) -> None:
        """Print the paths of the files that were written."""
        if self.target is not None:
            line(f"\nWritten to {self.target}.npz and .json")
        for kind, file in self.files.items():
            line(f"\nWritten: {file} ({kind})")


def ended_early(env: Environment[Any, Any], scores: Scores) -> str:
    """Return in words how many episodes ended too early; empty where none did, or where a task ends by itself."""
    from phytotron.episodes.engine import has_reasons

    short = scores.values["length"] < env.episode_steps
    if not (has_reasons(env) and short.any()):
        return ""
    row, window = np.argwhere(short)[0]
    length, label = int(scores.values["length"][row, window]), scores.labels[window]
    ended = f"{short.sum()} of {short.size} episodes ended early, that of {label} after {length} of {env.episode_steps}"
    if not env.starts().labels:
        return f"{ended} steps"
    command = f"phytotron run {env.id} --start {shlex.quote(label)}"
    return f"{ended} steps; `{command}` with the same options says why"


def summary(scores: Scores) -> dict[str, dict[str, Any]]:
    """Return, for every measure, the mean and the half-widths of its 95 % intervals over windows and over seeds.

    The half-width is None where there are too few of them.
    """
    from phytotron.evaluation.statistics.comparison import confidence_interval

    found = {}
    for name, values in scores.values.items():
        over_windows, over_seeds = values.mean(axis=0), values.mean(axis=1)
        found[name] = {
            "mean": float(values.mean()),
            "over_windows": confidence_interval(over_windows) if len(over_windows) > 1 else None,
            "over_seeds": confidence_interval(over_seeds) if len(over_seeds) > 1 else None,
            "per_row": over_seeds.tolist(),
            "unit": scores.units.get(name, "-"),
        }
    return found


def score_table(scores: Scores, title: str, ceiling: Attainable | None = None) -> Table:
    """Return a table of means with intervals, and with the attainable share where it is known."""
    from phytotron.core.units import typeset

    table = Table(title=escape(title), title_justify="left")
    table.add_column("measure")
    intervals = {"over_windows": f"± over {len(scores.labels)} windows", "over_seeds": f"± over {scores.rows} seeds"}
    counts = {"over_windows": len(scores.labels), "over_seeds": scores.rows}
    intervals = {by: words for by, words in intervals.items() if counts[by] > 1}
    for heading in ("mean", *intervals.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for name, found in summary(scores).items():
        digits = decimals(found["mean"]) if found["mean"] else 1
        cells = (fixed(found[what], digits) for what in ("mean", *intervals))
        table.add_row(escape(name), *cells, escape(typeset(found["unit"])))
    table.add_section()
    for name, share in ({} if ceiling is None else ceiling.shares(scores)).items():
        numbers = (share.value, *(getattr(share, by) for by in intervals))
        cells = (fixed(None if each is None else 100.0 * each, 0) for each in numbers)
        table.add_row(escape(f"share of {name}"), *cells, "%")
    return table


def share_words(ceiling: Attainable, windows: int) -> str:
    """Return a note that explains the shares in a table."""
    known, baseline = len(ceiling.labels), ceiling.baseline
    text = f"Share: the gain over {baseline}, as a share of the gain of the best plan in hindsight"
    text += "" if known == windows else f", on the {known} of {windows} windows that have plans"
    empty = [name for name in ceiling.decisive if np.mean(ceiling.pair(name)[0]) >= np.mean(ceiling.pair(name)[1])]
    return text + (f"; the oracle's {' and '.join(empty)} is not above that of {baseline}." if empty else ".")
