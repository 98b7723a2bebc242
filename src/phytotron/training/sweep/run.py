"""Sweeps with Ray Tune, which decides where and when trials run; our run folders keep the results.

A trial trains in a folder of its own, as `phytotron train` does. A trial whose folder is finished is read and not run;
one that was interrupted, by a killed worker, a lost machine or a stop, continues from its last checkpoint.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phytotron.training.backends.rllib.session import ray_session
from phytotron.training.loop import train_or_resume
from phytotron.training.running import Say
from phytotron.training.setup import prepare
from phytotron.training.sweep.plan import Trial

try:
    from ray import tune
except ImportError as error:
    raise ImportError("Ray is not installed; pip install 'phytotron[rllib]' adds it") from error

MAX_FAILURES = 2  # of one trial, after which it is given up


def run_sweep(
    trials: Sequence[Trial],
    folder: Path,
    *,
    workers: int = 2,
    address: str | None = None,
    say: Say = lambda text: None,
) -> dict[str, str]:
    """Train all trials that are not finished, at most `workers` at once; return why trials failed, by name.

    On several machines, the folder has to be on a file system that all of them share.
    """
    left = [trial for trial in trials if not trial.finished()]
    say(f"{len(trials)} trials, of which {len(trials) - len(left)} are finished already")
    if not left:
        return {}
    os.environ.setdefault("RAY_CHDIR_TO_TRIAL_DIR", "0")  # so that relative paths in options hold in workers
    with ray_session(workers, address):
        tuner = tune.Tuner(
            tune.with_resources(train_trial, {"cpu": 1}),
            param_space={"trial": tune.grid_search(list(left))},
            tune_config=tune.TuneConfig(max_concurrent_trials=workers, trial_dirname_creator=_directory),
            run_config=tune.RunConfig(
                storage_path=str(folder.resolve() / "tune"),
                failure_config=tune.FailureConfig(max_failures=MAX_FAILURES),
                callbacks=[_TrialProgress(say, len(left))],
                verbose=0,
            ),
        )
        outcomes = tuner.fit()
    return {each.config["trial"].name: _last_line(each.error) for each in outcomes if each.error is not None}


def train_trial(config: dict[str, Any]) -> None:
    """Begin or resume a trial in a worker."""
    trial: Trial = config["trial"]
    outcome = train_or_resume(prepare(trial.environment, **trial.arguments), trial.folder)
    tune.report({"step": outcome.step})


class _TrialProgress(tune.Callback):  # type: ignore[misc]
    """Says which trials have ended."""

    def __init__(self, say: Say, count: int) -> None:
        self.say, self.count, self.done = say, count, 0

    def on_trial_complete(self, iteration: int, trials: Any, trial: Any, **info: Any) -> None:
        self.done += 1
        self.say(f"{self.done} of {self.count} trained: {trial.config['trial'].name}")

    def on_trial_recover(self, iteration: int, trials: Any, trial: Any, **info: Any) -> None:
        self.say(f"cut short, goes on from its last checkpoint: {trial.config['trial'].name}")


def _directory(trial: Any) -> str:
    return str(trial.trial_id)


def _last_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[-1]
