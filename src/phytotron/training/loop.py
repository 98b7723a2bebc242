"""Training in a folder: chunk after chunk of updates, with metrics, checkpoints, evaluations and policies.

After any stop - Ctrl-C, a crash, a power cut - `resume` goes on from the last good checkpoint. On one machine and one
version of JAX the result is, bit by bit on the CPU, that of a run without a stop.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.agents.base import Agent
from phytotron.agents.policy_files import save_policy
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.training import running
from phytotron.training.checkpoints import load_checkpoint, save_checkpoint
from phytotron.training.config import RunConfig
from phytotron.training.folder import RunFolder
from phytotron.training.judging import Judge
from phytotron.training.running import Journal, Listener, Outcome, Say, Stop
from phytotron.training.setup import Setup
from phytotron.training.updates import Chunk, Updates, one_of


def train(
    agent: Agent,
    folder: Path | str,
    config: RunConfig,
    evaluation_environment: Environment[Any, Any] | None = None,
    listeners: Sequence[Listener] = (),
    say: Say = lambda text: None,
    resume: bool = False,
    checkpoint_every: int | None = None,
) -> Outcome:
    """Train all seeds of a run in its folder; with `resume`, from where it stopped.

    Checkpoints are written once a minute, or after every `checkpoint_every` chunks. Ctrl-C finishes the chunk, writes a
    checkpoint and the policies, and returns.
    """
    judge = None
    if evaluation_environment is not None and config.evaluation.every:
        judge = Judge(config.evaluation, evaluation_environment, [None] * len(config.seeds))
    with running.under_way(folder, config, resume) as (run, stop):
        return _Training(agent, run, config, judge, Journal(run, listeners), say, checkpoint_every).run(stop)


def train_or_resume(setup: Setup, folder: Path, **told: Any) -> Outcome:
    """Begin what was set up in a new folder, or go on with it where it stopped; `told`: `listeners` and `say`."""
    resume = RunFolder(folder).config_path.exists()
    return train(setup.agent, folder, setup.config, setup.evaluation_environment, resume=resume, **told)


@dataclass
class _Training:
    agent: Agent
    folder: RunFolder
    config: RunConfig
    judge: Judge | None
    journal: Journal
    say: Say
    checkpoint_every: int | None

    def __post_init__(self) -> None:
        self.updates = Updates(self.agent, self.config.seeds)
        self.total = -(-self.config.steps // self.agent.steps_per_update)
        self.done, self.seconds = 0, 0.0  # updates, and the time that they took
        self.saved_at, self.saved_time, self.chunks = -1, time.monotonic(), 0

    @property
    def step(self) -> int:
        return self.done * self.agent.steps_per_update

    def run(self, stop: Stop) -> Outcome:
        state = self._restored()
        reason = self._ended(False)
        if reason is not None:
            self.say(f"{self.folder.path} has already been trained to its end, step {self.step}")
        else:
            self.say("compiling")
            self.updates.compile(state)
        while reason is None:
            state = self._chunk(state)
            reason = self._ended(stop())
            if reason is not None or self._checkpoint_due():
                self._checkpoint(state)
        self._write_policies(state)
        self.journal.end(self.step, reason)
        return Outcome(self.step, reason, self.seconds)

    def _restored(self) -> Any:
        """The state to go on from, with metrics cut back to it."""
        found = load_checkpoint(self.folder.checkpoints, self.updates.template(), self.say)
        if found is None:
            self.folder.keep_lines(0)
            return self.updates.start()
        state, about = found
        self.done, self.seconds, self.journal.lines = about["updates"], about["seconds"], about["lines"]
        if self.judge is not None and about.get("judge"):
            self.judge.remember(about["judge"])
        finished = self._ended(False)
        self.folder.keep_lines(self.journal.lines + (finished is not None))  # the last line of a finished run says so
        self.saved_at = self.done
        self.say(f"going on from step {self.step}")
        return state

    def _ended(self, interrupted: bool) -> str | None:
        if self.done >= self.total:
            return "finished"
        if self.judge is not None and self.judge.enough:
            return "early"
        return "stopped" if interrupted else None

    def _chunk(self, state: Any) -> Any:
        """Some updates, their line of metrics, and an evaluation where one is due."""
        before = self.step
        count = min(self.config.updates_per_chunk, self.total - self.done)
        began = time.perf_counter()
        state, chunk = self.updates.advance(state, count)
        seconds = time.perf_counter() - began
        self.done += count
        self.seconds += seconds
        self.chunks += 1
        self._check_finite(chunk, before)
        speed = (self.step - before) * len(self.config.seeds) / seconds
        self.journal.note(running.training_line(self.step, self.seconds, speed, chunk.tally, chunk.losses))
        if self.judge is not None and self.judge.due(before, self.step, self.done >= self.total):
            policies = self.updates.policies(state)
            self.journal.note(self.judge.evaluate(policies, self.step))
            for row in self.judge.improved:
                self._write_policy(policies, row, best=True)
        return state

    def _check_finite(self, chunk: Chunk, before: int) -> None:
        if np.all(chunk.finite):
            return
        seeds = [seed for seed, good in zip(self.config.seeds, chunk.finite, strict=True) if not good]
        step = self.saved_at * self.agent.steps_per_update
        kept = "there is no checkpoint yet" if step < 0 else f"the last good checkpoint is that of step {step}"
        raise PhytotronError(
            f"training of seed {', '.join(map(str, seeds))} gave losses, returns or parameters that are not finite "
            f"between steps {before} and {self.step}; {kept}. {running.LOWER}"
        )

    def _checkpoint_due(self) -> bool:
        if self.checkpoint_every is not None:
            return self.chunks % self.checkpoint_every == 0
        return time.monotonic() - self.saved_time > running.CHECKPOINT_SECONDS

    def _checkpoint(self, state: Any) -> None:
        self.folder.sync_metrics()
        about = {
            "updates": self.done,
            "seconds": self.seconds,
            "lines": self.journal.lines,
            "judge": None if self.judge is None else self.judge.memory(),
        }
        save_checkpoint(self.folder.checkpoints, self.step, state, about)
        self.saved_at, self.saved_time = self.done, time.monotonic()

    def _write_policies(self, state: Any) -> None:
        policies = self.updates.policies(state)
        for row in range(len(self.config.seeds)):
            self._write_policy(policies, row)

    def _write_policy(self, policies: Any, row: int, best: bool = False) -> None:
        seed = self.config.seeds[row]
        about = running.policy_about(self.config, self.agent.environment, seed, steps=self.step)
        save_policy(self.folder.policy_path(seed, best), one_of(policies, row), about)
