"""Training by Stable-Baselines3, in a folder like any other run: config, metrics, and policies in our format.

Seeds are trained one after the other. A stop keeps the seeds that are finished; the seed under way begins again, since
files from which Stable-Baselines3 could go on are pickles, and would not restore its environments.
"""

from __future__ import annotations

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
from phytotron.training.backends.sb3.export import export_policy
from phytotron.training.backends.sb3.metrics import Losses, Recorder, in_row, merged
from phytotron.training.backends.sb3.settings import arguments, normalisation, steps_per_update
from phytotron.training.config import EvaluationPlan
from phytotron.training.folder import Line, RunFolder
from phytotron.training.judging import Judge
from phytotron.training.presets import make_settings
from phytotron.training.running import (
    LOWER,
    Config,
    Journal,
    Listener,
    Outcome,
    Say,
    Stop,
    policy_about,
    training_line,
    under_way,
)
from phytotron.training.setup import make_environment


def make_model(agent: str, environment: Environment[Any, Any], settings: Mapping[str, Any], seed: int) -> Any:
    """PPO, DQN or SAC of Stable-Baselines3 with our settings, on our environments, which `VecNormalize` wraps."""
    chosen = arguments(agent, settings, environment)
    venv = VecNormalize(VecMonitor(SB3VecEnv(environment, settings["num_envs"])), **normalisation(settings))
    algorithm = getattr(stable_baselines3, agent.upper())
    model = algorithm("MlpPolicy", venv, seed=seed, device="cpu", **chosen)
    model.set_logger(Losses())
    venv.seed(seed * settings["num_envs"])  # so that no two seeds share an environment
    return model


def train_sb3(
    config: Config,
    folder: Path | str,
    *,
    listeners: Sequence[Listener] = (),
    say: Say = lambda text: None,
    resume: bool = False,
) -> Outcome:
    """Train all seeds of a run in its folder; `config` is what `RunConfig.as_dict` gives.

    Ctrl-C stops at the next step; with `resume` the seeds that are not finished are trained, from their beginning.
    """
    told = {**config, "versions": {**config["versions"], **_versions()}}
    environment = make_environment(config["environment"]["id"], config["environment"]["options"])
    settings = vars(make_settings(config["agent"], **config["settings"]))
    arguments(config["agent"], settings, environment)  # refused before there is a folder
    with under_way(folder, told, resume) as (run, stop):
        return _Run(told, settings, environment, run, listeners, say).train(stop)


class _Run:
    def __init__(
        self,
        config: Config,
        settings: Mapping[str, Any],
        environment: Environment[Any, Any],
        folder: RunFolder,
        listeners: Sequence[Listener],
        say: Say,
    ) -> None:
        self.config, self.settings, self.environment, self.folder = config, settings, environment, folder
        self.journal, self.say = Journal(folder, listeners), say
        self.seeds: list[int] = config["seeds"]
        unit = steps_per_update(config["agent"], settings)
        self.steps = -(-config["steps"] // unit) * unit
        self.interval = config["updates_per_chunk"] * unit * settings.get("rounds", 1)
        self.plan = EvaluationPlan(**config["evaluation"])
        self.judged_in = None
        if self.plan.every:
            self.judged_in = environment if self.plan.weather is None else environment.on(self.plan.weather)

    def train(self, stop: Stop) -> Outcome:
        """All seeds that are not finished."""
        finished = {seed: about for seed in self.seeds if (about := self._finished(seed)) is not None}
        before = self.folder.lines()
        self._rewrite(finished)
        for number, seed in enumerate(self.seeds, 1):
            if seed in finished:
                self.say(f"seed {seed} has already been trained to its end, step {finished[seed]['steps']}")
                continue
            if stop():
                return self._end(0, "stopped")
            if any(line.get("seed") == seed for line in before):
                self.say(f"seed {seed} was not finished and begins again")
            self.say(f"training seed {seed}, {number} of {len(self.seeds)}")
            one = _Seed(self, seed, stop)
            reason = one.train()
            self.write_policy(one.policy(), seed, steps=one.step, ended=reason)
            if reason == "stopped":
                return self._end(one.step, reason)
            finished[seed] = {"steps": one.step, "ended": reason}
            self._rewrite(finished)
        early = all(about["ended"] == "early" for about in finished.values())
        return self._end(max(about["steps"] for about in finished.values()), "early" if early else "finished")

    def note(self, line: Line, seed: int) -> None:
        """Write a line of one seed, and tell it."""
        self.journal.note(in_row(line, self.seeds.index(seed), len(self.seeds)) | {"seed": seed})

    def write_policy(self, policy: Policy, seed: int, best: bool = False, **training: Any) -> None:
        """Write the policy of a seed; `training`: "steps", and how it "ended"."""
        about = policy_about(self.config, self.environment, seed, **training)
        save_policy(self.folder.policy_path(seed, best), policy, about)

    def _end(self, step: int, reason: str) -> Outcome:
        self.journal.end(step, reason)
        lines = [each for each in self.folder.lines() if each["kind"] == "training"]
        finished = max((each["seconds"] for each in lines if "seed" not in each), default=0.0)
        under_way = max((each["seconds"] for each in lines if "seed" in each), default=0.0)
        return Outcome(step, reason, finished + under_way)

    def _finished(self, seed: int) -> dict[str, Any] | None:
        """What the policy of a seed says about its training, if that came to its end."""
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
        """The metrics with the lines of finished seeds alone, merged."""
        kept = merged(self.folder.lines(), [row for row, seed in enumerate(self.seeds) if seed in finished])
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in kept)
        write_text(self.folder.metrics_path, text, durable=True)


class _Seed:
    """Training of one seed."""

    def __init__(self, run: _Run, seed: int, stop: Stop) -> None:
        self.run, self.seed = run, seed
        self.model = make_model(run.config["agent"], run.environment, run.settings, seed)
        self.recorder = Recorder(run.environment, run.interval, stop, self._report)
        self.judge = None if run.judged_in is None else Judge(run.plan, run.judged_in, [None])
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
        """Why it ended."""
        self.began = time.perf_counter()
        try:
            self.model.learn(self.run.steps, self.recorder, log_interval=None)
        except ValueError:
            self._check_finite()  # PyTorch's distributions refuse what is not finite
            raise
        finally:
            self.model.env.close()
        if self.recorder.stopped:
            return "stopped"
        return "early" if self.judge is not None and self.judge.enough else "finished"

    def _report(self, step: int, tally: dict[str, float]) -> bool:
        seconds, before = time.perf_counter() - self.began, self.at
        self.seconds += seconds
        self.at = step
        self._check_finite()
        sums, losses = ({name: [each] for name, each in one.items()} for one in (tally, self.model.logger.take()))
        self.run.note(training_line(step, self.seconds, (step - before) / seconds, sums, losses), self.seed)
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
                f"finished seeds are kept. {LOWER}"
            )


def _versions() -> dict[str, str]:
    return {"stable-baselines3": stable_baselines3.__version__, "torch": torch.__version__}
