"""Common parts of training with any backend: the run in its folder, its metrics, its evaluations and its end."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from phytotron.agents.policy_files import describe_spaces
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.signals import ending_signals
from phytotron.evaluation.scores import evaluate_stacked
from phytotron.training.config import EvaluationPlan, RunConfig
from phytotron.training.folder import Line, RunFolder

CHECKPOINT_SECONDS = 60.0  # between checkpoints, where nothing else is asked for
NOT_FINITE = (
    "Run `phytotron check` on the environment first; if it finds nothing, train again with a lower "
    "learning_rate or max_gradient_norm"
)  # what to do where numbers are not

Listener = Callable[[Line], None]  # called with every line of the metrics
Say = Callable[[str], None]


@dataclass
class Stop:
    """A request to stop, and the signal that caused it."""

    signal: int | None = None

    def __call__(self) -> bool:
        """Return whether a stop was requested."""
        return self.signal is not None


@contextlib.contextmanager
def stop_on_request() -> Iterator[Stop]:
    """Catch signals within the context: the first requests a stop; a second one ends the process as usual."""
    before: dict[int, Any] = {}
    stop = Stop()

    def restore() -> None:
        while before:
            signal.signal(*before.popitem())

    def ask(number: int, frame: FrameType | None) -> None:
        stop.signal = number
        restore()

    if threading.current_thread() is threading.main_thread():
        before |= {each: signal.signal(each, ask) for each in ending_signals()}
    try:
        yield stop
    finally:
        restore()


@dataclass(frozen=True)
class Outcome:
    """The end of training: at which step, after how long, and why ("finished", "stopped" or "early")."""

    step: int
    reason: str
    seconds: float
    signal: int | None = None  # the number of the one that stopped it


@contextlib.contextmanager
def under_way(folder: Path | str, config: RunConfig, resume: bool) -> Iterator[tuple[RunFolder, Stop]]:
    """Begin a run in a new folder, or resume the one in it; other processes are kept from training in it.

    Within the context, Ctrl-C and the other signals that end a process are requests to stop. After an error in a new
    run that has nothing to go on from, the folder is emptied, so that the corrected command can use it.
    """
    run = RunFolder(folder)
    if resume:
        run.check_same(config.as_dict())
    else:
        run.create(config.as_dict())
    with run.locked(), stop_on_request() as stop:
        run.remove_leftovers()
        try:
            yield run, stop
        except Exception as error:
            if not resume and _came_to_nothing(run):
                lines = len(run.lines())
                run.remove_beginning()
                if lines and isinstance(error, PhytotronError):
                    error.args = (f"{error}; {folder} is empty again, without the metrics so far",)
            raise


def _came_to_nothing(run: RunFolder) -> bool:
    """Return whether a run has neither a checkpoint nor a policy, and metrics of less than a minute of training."""
    trained = max((line["seconds"] for line in run.lines() if line["kind"] == "training"), default=0.0)
    return not (run.has_results or trained >= CHECKPOINT_SECONDS)


class Journal:
    """Writes lines of metrics, counts them, and passes them to the listeners."""

    def __init__(self, folder: RunFolder, listeners: Sequence[Listener]) -> None:
        self.folder, self.listeners = folder, listeners
        self.lines = 0

    def note(self, line: Line) -> None:
        """Write a line and pass it to the listeners."""
        self.folder.append(line)
        self.lines += 1
        for listener in self.listeners:
            listener(line)

    def end(self, step: int, reason: str) -> None:
        """Write how training ended, unless that has been written."""
        line = {"kind": "end", "step": step, "reason": reason}
        if self.folder.lines()[-1:] != [line]:
            self.note(line)


def training_line(
    step: int,
    seconds: float,
    speed: float,
    episode_sums: Mapping[str, Iterable[float]],
    losses: Mapping[str, Iterable[float]],
) -> Line:
    """Return a line of the metrics about training since the line before, in lists with one value per seed.

    `episode_sums` has the number of "episodes" that ended, and the sums over these of "return", "length" and all
    measures. Means are None for seeds in which no episode ended, and for measures that were undefined in one.
    """
    episodes = [int(count) for count in episode_sums["episodes"]]
    means = {
        name: [_finite(float(each / count)) if count else None for each, count in zip(sums, episodes, strict=True)]
        for name, sums in episode_sums.items()
        if name != "episodes"
    }
    if not np.all(np.isfinite(list(episode_sums["return"]))):
        raise PhytotronError(f"a return in training up to step {step} is not finite. {NOT_FINITE}")
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
    """Return the description that is stored with a policy; `training`: further entries about training, such
    as "steps".
    """
    known = {"agent": config.agent, "backend": config.backend, "preset": config.preset}
    return {
        "environment": {"id": config.environment, "options": dict(config.options)},
        **describe_spaces(environment),
        "training": {**known, "seed": seed, **training},
    }


def _finite(value: float) -> float | None:
    """Return a number, or None where it is undefined, as JSON has no such number."""
    return value if np.isfinite(value) else None


@dataclass
class Judge:
    """Evaluates the policies of all seeds at regular intervals, and remembers the best."""

    plan: EvaluationPlan
    environment: Environment[Any, Any]
    best: list[float | None]  # mean return of each seed
    best_mean: float | None = None  # over seeds
    waited: int = 0  # evaluations since it improved
    improved: list[int] = field(default_factory=list)  # rows, in the last evaluation

    def due(self, before: int, now: int, last: bool) -> bool:
        """Return whether an evaluation is due between two steps."""
        return last or now // self.plan.every > before // self.plan.every

    @property
    def enough(self) -> bool:
        """Return whether nothing has improved for as many evaluations as the plan allows."""
        return self.plan.patience is not None and self.waited >= self.plan.patience

    def evaluate(self, policies: Any, step: int) -> Line:
        """Evaluate stacked policies on the evaluation weather, and return a line for the metrics."""
        scores = evaluate_stacked(self.environment, policies, episodes=self.plan.episodes)
        means = {name: each.tolist() for name, each in scores.means().items()}
        returns: Sequence[float] = means["return"]
        if not np.all(np.isfinite(returns)):
            problem = f"the returns {returns} of the evaluation at step {step} are not all finite"
            raise PhytotronError(f"{problem}. {NOT_FINITE}")
        self._note(returns)
        measures = {name: [_finite(each) for each in means[name]] for name in scores.names}
        weather = self.plan.weather
        return {"kind": "evaluation", "step": step, "weather": weather, "return": returns, "measures": measures}

    def _note(self, returns: Sequence[float]) -> None:
        pairs = list(enumerate(zip(returns, self.best, strict=True)))
        self.improved = [row for row, (now, best) in pairs if best is None or now > best]
        for row in self.improved:
            self.best[row] = float(returns[row])
        mean = float(np.mean(returns))
        if self.best_mean is None or mean > self.best_mean + self.plan.improvement:
            self.best_mean, self.waited = mean, 0
        else:
            self.waited += 1

    def memory(self) -> dict[str, Any]:
        """Return the part of its state that a checkpoint holds."""
        return {"best": self.best, "best_mean": self.best_mean, "waited": self.waited}

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore its state from a checkpoint."""
        self.best = list(memory["best"])
        self.best_mean = memory["best_mean"]
        self.waited = int(memory["waited"])
