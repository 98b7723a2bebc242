"""Listeners of training: progress in a terminal, and metrics for TensorBoard (which needs the extra `tensorboard`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.training.folder import Line

SHOWN = 4  # measures
PLAIN_LINES = 20  # in a whole run


def shown_measures(environment: Environment[Any, Any]) -> tuple[str, ...]:
    """Return the measures that progress shows: the first one and all shares of time, or the first three without such
    shares.
    """
    names = [measure.quantity.name for measure in environment.measures]
    shares = [measure.quantity.name for measure in environment.measures if measure.mean]
    return tuple([*names[:1], *shares][:SHOWN] if shares else names[:3])


def summary(line: Line, names: Sequence[str]) -> str:
    """Return the means over the seeds of a line of metrics."""
    values = {"return": line["return"]} | {name: line["measures"].get(name, []) for name in names}
    parts = []
    for name, per_seed in values.items():
        numbers = [each for each in per_seed if each is not None]
        if numbers:
            parts.append(f"{name} {np.mean(numbers):.4g}")
    return "  ".join(parts)


class TrainingProgress:
    """A listener that shows progress in a terminal, for use in a `with` statement."""

    def __init__(self, console: Console, steps: int, measures: Sequence[str]) -> None:
        self.console, self.steps, self.measures = console, steps, measures
        self._printed = 0
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._known = ""
        if console.is_terminal:
            head, text = (TextColumn(f"{{task.{name}}}", markup=False) for name in ("description", "fields[text]"))
            self._bar = Progress(head, BarColumn(20), text, TimeRemainingColumn(), console=console, transient=True)

    def __enter__(self) -> TrainingProgress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("compiling", total=self.steps, text="")
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if text == "compiling" and self._bar is not None:
            self._bar.update(self._task, description=text)
        else:
            self.console.print(text, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def __call__(self, line: Line) -> None:
        if line["kind"] == "end":
            return
        done = min(line["step"], self.steps)
        head = f"{line['step']:,} of {max(self.steps, line['step']):,} steps"
        if line["kind"] == "training":
            self._known = summary(line, self.measures) or self._known
            text = f"{self._known}  {line['steps_per_second']:,.0f} steps/s".strip()
            if self._bar is not None:
                self._bar.update(self._task, description=head, completed=done, text=text)
                return
            part = done * PLAIN_LINES // self.steps
            if part > 0 and part != self._printed:
                self.say(f"{head}  {text}{self._left(line)}")
            self._printed = part  # falls back to 0 where seeds are trained one after the other
        else:
            self.say(f"{head}  {line['weather'] or 'evaluated'}: {summary(line, self.measures)}")

    def _left(self, line: Line) -> str:
        seconds = line["seconds"] * (self.steps - line["step"]) / line["step"]
        return f"  {max(seconds, 0.0):.0f} s left" if seconds > 0.0 else ""


class TensorBoard:
    """A listener that writes TensorBoard files, for use in a `with` statement: one folder per seed, with the same names
    in all.
    """

    def __init__(self, folder: Path, seeds: Sequence[int]) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            raise PhytotronError("--tensorboard needs tensorboardX: pip install 'phytotron[tensorboard]'") from None
        self.folder, self.seeds = folder, seeds
        self._kind: Any = SummaryWriter
        self._writers: dict[int, Any] = {}

    def __enter__(self) -> TensorBoard:
        return self

    def __exit__(self, *error: object) -> None:
        for writer in self._writers.values():
            writer.close()

    def __call__(self, line: Line) -> None:
        if line["kind"] == "end":
            return
        values: dict[str, Any] = {"return": line["return"], "length": line.get("length", [])}
        values |= line["measures"] | {f"losses/{name}": each for name, each in line.get("losses", {}).items()}
        for name, per_seed in values.items():
            for seed, value in zip(self.seeds, per_seed, strict=False):
                if value is not None:
                    self._writer(seed, line["step"]).add_scalar(f"{line['kind']}/{name}", value, line["step"])
        if line["kind"] == "training":
            # Where seeds are trained one after the other, only one of them has episodes.
            trained = [seed for seed, each in zip(self.seeds, line["episodes"], strict=False) if each is not None]
            first = self._writer(trained[0], line["step"])
            first.add_scalar("training/steps_per_second", line["steps_per_second"], line["step"])

    def _writer(self, seed: int, step: int) -> Any:
        """Return the writer of a seed; after a resumption, it hides what was written beyond the checkpoint."""
        if seed not in self._writers:
            self._writers[seed] = self._kind(str(self.folder / f"seed_{seed}"), purge_step=step)
        return self._writers[seed]
