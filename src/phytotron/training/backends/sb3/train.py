"""Training by Stable-Baselines3, in a folder like any other run: config, metrics, and policies in our format.

Seeds are trained one after the other. A stop keeps the seeds that are finished; the seed under way begins again, since
files from which Stable-Baselines3 could go on are pickles, and would not restore its environments.
"""

import json
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import stable_baselines3
import torch
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from phytotron.adapters.sb3 import SB3VecEnv
from phytotron.agents.policy import Policy
from phytotron.agents.policy_files import load_policy, read_about, save_policy
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.files import write_text
from phytotron.training import running
from phytotron.training.backends.sb3.export import export_policy
from phytotron.training.backends.sb3.metrics import Losses, Recorder, in_row, merged
from phytotron.training.backends.sb3.settings import arguments, normalisation, steps_per_update
from phytotron.training.backends.torch_threads import one_thread
from phytotron.training.folder import Line, RunFolder
from phytotron.training.running import Journal, Judge, Listener, Outcome, Say, Stop
from phytotron.training.setup import Setup


def make_model(agent: str, environment: Environment[Any, Any], settings: Mapping[str, Any], seed: int) -> Any:
    """Return PPO, DQN or SAC of Stable-Baselines3 with our settings, on our environments within `VecNormalize`."""
    chosen = arguments(agent, settings, environment)
    venv = VecNormalize(VecMonitor(SB3VecEnv(environment, settings["num_envs"])), **normalisation(settings))
    algorithm = getattr(stable_baselines3, agent.upper())
    model = algorithm("MlpPolicy", venv, seed=seed, device="cpu", **chosen)
    model.set_logger(Losses())
    venv.seed(seed * settings["num_envs"])  # so that no two seeds share an environment
    return model


def train_sb3(
    setup: Setup,
    folder: Path | str,
    *,
    listeners: Sequence[Listener] = (),
    say: Say = lambda text: None,
    resume: bool = False,
) -> Outcome:
    """Train all seeds of a run in its folder.

    Ctrl-C stops at the next step; with `resume` the seeds that are not finished are trained, from their beginning.
    """
    arguments(setup.config.agent, vars(setup.settings), setup.environment)  # refused before there is a folder
    with running.under_way(folder, setup.config, resume) as (run, stop):
        return _Run(setup, run, listeners, say).train(stop)


class _Run:
    def __init__(self, setup: Setup, folder: RunFolder, listeners: Sequence[Listener], say: Say) -> None:
        self.setup, self.config, self.folder = setup, setup.config, folder
        self.say = say
        self.journal = Journal(folder, listeners)
        self.seeds = self.config.seeds
        settings = vars(setup.settings)
        unit = steps_per_update(self.config.agent, settings)
        self.steps = -(-self.config.steps // unit) * unit
        self.interval = self.config.updates_per_chunk * unit * settings.get("rounds", 1)

    def train(self, stop: Stop) -> Outcome:
        """Train all seeds that are not finished, and return how training ended."""
        finished = {seed: about for seed in self.seeds if (about := self._finished(seed)) is not None}
        before = self.folder.lines()
        self._rewrite(finished)
        for number, seed in enumerate(self.seeds, 1):
            if seed in finished:
                self.say(f"seed {seed} has already been trained to its end, step {finished[seed]['steps']}")
                continue
            if stop():
                return self._end(0, "stopped", stop.signal)
            if any(line.get("seed") == seed for line in before):
                self.say(f"seed {seed} was not finished and begins again")
            self.say(f"training seed {seed}, {number} of {len(self.seeds)}")
            one = _Seed(self, seed, stop)
            reason = one.train()
            self.write_policy(one.policy(), seed, steps=one.step, ended=reason)
            if reason == "stopped":
                return self._end(one.step, reason, stop.signal)
            finished[seed] = {"steps": one.step, "ended": reason}
            self._rewrite(finished)
        early = all(about["ended"] == "early" for about in finished.values())
        return self._end(max(about["steps"] for about in finished.values()), "early" if early else "finished")

    def note(self, line: Line, seed: int) -> None:
        """Write a line of one seed, and tell it."""
        self.journal.note(in_row(line, self.seeds.index(seed), len(self.seeds)) | {"seed": seed})

    def write_policy(self, policy: Policy, seed: int, best: bool = False, **training: Any) -> None:
        """Write the policy of a seed; `training`: "steps", and how it "ended"."""
        about = running.policy_about(self.config, self.setup.environment, seed, **training)
        save_policy(self.folder.policy_path(seed, best), policy, about)

    def _end(self, step: int, reason: str, signal: int | None = None) -> Outcome:
        self.journal.end(step, reason)
        lines = [each for each in self.folder.lines() if each["kind"] == "training"]
        finished = max((each["seconds"] for each in lines if "seed" not in each), default=0.0)
        under_way = max((each["seconds"] for each in lines if "seed" in each), default=0.0)
        return Outcome(step, reason, finished + under_way, signal)

    def _finished(self, seed: int) -> dict[str, Any] | None:
        """Return what the policy file of a seed says about training; None where training was not completed."""
        path = self.folder.policy_path(seed)
        if not path.with_name(path.name + ".json").exists():
            return None
        try:
            load_policy(path)
        except PhytotronError as error:
            self.say(f"policy passed over: {error}")
            return None
        about: dict[str, Any] = read_about(path).get("training", {})
        return about if about.get("ended") in ("finished", "early") else None

    def _rewrite(self, finished: Collection[int]) -> None:
        """Rewrite the metrics with the merged lines of finished seeds alone."""
        kept = merged(self.folder.lines(), [row for row, seed in enumerate(self.seeds) if seed in finished])
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in kept)
        write_text(self.folder.metrics_path, text, durable=True)


class _Seed:
    """Training of one seed."""

    def __init__(self, run: _Run, seed: int, stop: Stop) -> None:
        self.run, self.seed = run, seed
        config, environment, judged_in = run.config, run.setup.environment, run.setup.evaluation_environment
        self.model = make_model(config.agent, environment, vars(run.setup.settings), seed)
        self.recorder = Recorder(environment, run.interval, stop, self._report)
        self.judge = None if judged_in is None else Judge(config.evaluation, judged_in, [None])
        self.at = 0  # step of the last line
        self.seconds = 0.0
        self.began = time.perf_counter()

    @property
    def step(self) -> int:
        """The last that was learned from, or at which it was stopped."""
        return int(self.model.num_timesteps) if self.recorder.stopped else self.at

    def policy(self) -> Policy:
        self._check_finite()
        return export_policy(self.model)

    def train(self) -> str:
        """Train the agent of this seed, and return why training ended."""
        self.began = time.perf_counter()
        try:
            with one_thread():
                self.model.learn(self.run.steps, self.recorder, log_interval=None)
        except ValueError:
            self._check_finite()  # PyTorch's distributions refuse what is not finite
            raise
        finally:
            self.model.env.close()
        if self.recorder.stopped:
            return "stopped"
        return "early" if self.judge is not None and self.judge.enough else "finished"

    def _report(self, step: int, episode_sums: dict[str, float]) -> bool:
        before = self.at
        seconds = time.perf_counter() - self.began
        self.seconds += seconds
        self.at = step
        self._check_finite()
        sums, losses = (
            {name: [each] for name, each in one.items()} for one in (episode_sums, self.model.logger.take())
        )
        self.run.note(running.training_line(step, self.seconds, (step - before) / seconds, sums, losses), self.seed)
        if self.judge is not None and self.judge.due(before, step, step >= self.run.steps):
            policy = self.policy()
            self.run.note(self.judge.evaluate(jax.tree.map(lambda leaf: leaf[None], policy), step), self.seed)
            if self.judge.improved:
                self.run.write_policy(policy, self.seed, best=True, steps=step)
        self.began = time.perf_counter()
        return self.judge is None or not self.judge.enough

    def _check_finite(self) -> None:
        if not all(bool(torch.isfinite(each).all()) for each in self.model.policy.parameters()):
            raise PhytotronError(
                f"training of seed {self.seed} gave parameters that are not finite by step {self.model.num_timesteps}; "
                f"finished seeds are kept. {running.NOT_FINITE}"
            )
