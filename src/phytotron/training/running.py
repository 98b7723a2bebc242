"""What training by any backend shares: a run under way in its folder, its lines of metrics, and how it ends."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from phytotron.agents.policy_files import describe_spaces
from phytotron.core.environment import Environment
from phytotron.training.config import RunConfig
from phytotron.training.folder import Line, RunFolder

SIGNALS = (signal.SIGINT, signal.SIGTERM)

Stop = Callable[[], bool]  # whether a stop was asked for


@contextlib.contextmanager
def stop_on_request() -> Iterator[Stop]:
    """Within the context, the first signal asks for a stop; a second one ends the process as usual."""
    before: dict[int, Any] = {}
    asked: list[int] = []

    def restore() -> None:
        while before:
            signal.signal(*before.popitem())

    def ask(number: int, frame: FrameType | None) -> None:
        asked.append(number)
        restore()

    if threading.current_thread() is threading.main_thread():
        before |= {each: signal.signal(each, ask) for each in SIGNALS}
    try:
        yield lambda: bool(asked)
    finally:
        restore()


CHECKPOINT_SECONDS = 60.0  # between checkpoints, where nothing else is asked for
LOWER = "Train in a new folder with a lower learning_rate or max_gradient_norm"  # where numbers are not finite

Listener = Callable[[Line], None]  # told every line of the metrics
Say = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """How training ended: "finished", "stopped" or "early"."""

    step: int
    reason: str
    seconds: float


@contextlib.contextmanager
def under_way(folder: Path | str, config: RunConfig, resume: bool) -> Iterator[tuple[RunFolder, Stop]]:
    """Begin a run in a new folder, or go on with the one in it; no other process trains in it meanwhile.

    Ctrl-C within the context is a request to stop.
    """
    run = RunFolder(folder)
    if resume:
        run.check_same(config.as_dict())
    else:
        run.create(config.as_dict())
    with run.locked(), stop_on_request() as stop:
        yield run, stop


class Journal:
    """Writes lines of metrics, counts them and tells them."""

    def __init__(self, folder: RunFolder, listeners: Sequence[Listener]) -> None:
        self.folder, self.listeners = folder, listeners
        self.lines = 0

    def note(self, line: Line) -> None:
        """Write a line, and tell it."""
        self.folder.append(line)
        self.lines += 1
        for listener in self.listeners:
            listener(line)

    def end(self, step: int, reason: str) -> None:
        """Write how training ended, unless that is written already."""
        line = {"kind": "end", "step": step, "reason": reason}
        if self.folder.lines()[-1:] != [line]:
            self.note(line)


def training_line(
    step: int,
    seconds: float,
    speed: float,
    tally: Mapping[str, Iterable[float]],
    losses: Mapping[str, Iterable[float]],
) -> Line:
    """What training came to since the line before, in lists with one value per seed.

    `tally` has the number of "episodes" that ended, and sums over these of "return", "length" and all measures. Of
    seeds in which none ended, means are None.
    """
    episodes = [int(count) for count in tally["episodes"]]
    means = {
        name: [float(each / count) if count else None for each, count in zip(sums, episodes, strict=True)]
        for name, sums in tally.items()
        if name != "episodes"
    }
    return {
        "kind": "training",
        "step": step,
        "seconds": round(seconds, 3),
        "steps_per_second": round(speed, 1),
        "episodes": episodes,
        "return": means.pop("return"),
        "length": means.pop("length"),
        "measures": means,
        "losses": {name: [float(each) for each in values] for name, values in losses.items()},
    }


def policy_about(config: RunConfig, environment: Environment[Any, Any], seed: int, **training: Any) -> dict[str, Any]:
    """What the file of a policy says about it; `training`: "steps" and the like."""
    known = {"agent": config.agent, "backend": config.backend, "preset": config.preset}
    return {
        "environment": {"id": config.environment, "options": dict(config.options)},
        **describe_spaces(environment),
        "training": {**known, "seed": seed, **training},
    }
