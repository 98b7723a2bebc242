"""Training by PPO of Ray RLlib, in a folder like any other run: config, metrics, and RLlib's own checkpoints.

Workers sample with our batches of environments; the learner is in this process. `resume` goes on from the last
checkpoint with its weights, optimiser and counts; the episodes under way are not part of it and begin anew.
"""

import json
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.connectors.env_to_module import MeanStdFilter
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

from phytotron.adapters.rllib import VECTORISED, register
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.files import write_text
from phytotron.core.tensor_files import read_json
from phytotron.episodes.engine import measured, summed_up
from phytotron.training import running
from phytotron.training.backends.rllib.session import ray_session
from phytotron.training.backends.torch_threads import one_thread
from phytotron.training.folder import Line, RunFolder
from phytotron.training.running import Journal, Listener, Outcome, Say, Stop, training_line
from phytotron.training.setup import FOLDER, Setup

PLACE = "phytotron"  # of our numbers among the metrics of the env runners
# What RLlib calls its losses, and what they are called here.
LOSSES: Mapping[str, str] = {
    "total_loss": "loss",
    "policy_loss": "policy_loss",
    "vf_loss": "value_loss",
    "entropy": "entropy",
    "mean_kl_loss": "divergence",
    "curr_kl_coeff": "kl_coefficient",
    "vf_explained_var": "explained_variance",
}
ABOUT = "phytotron.json"  # beside RLlib's files in a checkpoint
KEPT = 2  # checkpoints
Config = Mapping[str, Any]


class EpisodeTotals(RLlibCallback):  # type: ignore[misc]
    """Adds up return, length and measures of each episode; RLlib's own means are over a window of episodes."""

    def on_episode_step(self, *, episode: Any, env: Any, **rest: Any) -> None:
        """Add a step to its episode."""
        totals = episode.custom_data
        step = measured(env.environment, episode.get_rewards(-1), episode.get_infos(-1)) | {"length": 1.0}
        for name, value in step.items():
            totals[name] = totals.get(name, 0.0) + float(value)

    def on_episode_end(self, *, episode: Any, env: Any, metrics_logger: Any, **rest: Any) -> None:
        """Log return, length and measures of an episode."""
        totals = episode.custom_data
        for name, value in summed_up(env.environment, totals, totals["length"]).items():
            metrics_logger.log_value((PLACE, name), value, reduce="item_series")


def line_of(
    result: Mapping[str, Any], environment: Environment[Any, Any], step: int, seconds: float, speed: float
) -> Line:
    """Return one iteration of RLlib as a line of metrics of a run with one seed."""
    found = result.get("env_runners", {}).get(PLACE, {})
    names = ("return", "length", *(measure.quantity.name for measure in environment.measures))
    episode_sums = {"episodes": [len(found.get("return", ()))]} | {
        name: [np.sum(found.get(name, ()))] for name in names
    }
    learned = result.get("learners", {}).get("default_policy", {})
    losses = {ours: [learned[name]] for name, ours in LOSSES.items() if name in learned}
    return training_line(step, seconds, speed, episode_sums, losses)


def algorithm_config(
    env_id: str, env_config: Config, settings: Config, *, seed: int | None = None, workers: int = 2
) -> PPOConfig:
    """Return the configuration of RLlib's PPO on our batches; `settings`: the fields of `RLlibSettings`."""
    register(env_id)
    normaliser = (lambda *about, **more: MeanStdFilter()) if settings["normalise_observations"] else None
    model = DefaultModelConfig(
        fcnet_hiddens=list(settings["hidden"]),
        fcnet_activation=settings["activation"],
        use_lstm=settings["lstm"],
        lstm_cell_size=settings["lstm_size"],
        max_seq_len=settings["max_sequence"],
    )
    return (
        PPOConfig()
        .environment(env_id, env_config=dict(env_config))
        .env_runners(
            num_env_runners=workers,
            num_envs_per_env_runner=settings["num_envs"],
            gym_env_vectorize_mode=VECTORISED,
            env_to_module_connector=normaliser,
        )
        .training(
            train_batch_size_per_learner=settings["batch"],
            minibatch_size=settings["minibatch"],
            num_epochs=settings["epochs"],
            gamma=settings["discount"],
            lambda_=settings["gae_lambda"],
            clip_param=settings["clip"],
            vf_clip_param=settings["value_clip"],
            kl_coeff=settings["kl_coefficient"],
            kl_target=settings["kl_target"],
            entropy_coeff=settings["entropy"],
            vf_loss_coeff=settings["value_weight"],
            lr=settings["learning_rate"],
            grad_clip=settings["max_gradient_norm"],
        )
        .rl_module(model_config=model)
        .callbacks(EpisodeTotals)
        .debugging(seed=seed, log_level="ERROR")
    )


def train_rllib(
    setup: Setup,
    folder: Path | str,
    *,
    workers: int = 2,
    address: str | None = None,
    listeners: Sequence[Listener] = (),
    say: Say = lambda text: None,
    resume: bool = False,
) -> Outcome:
    """Train a run in its folder.

    Ctrl-C finishes the iteration, writes a checkpoint and returns. When a run is resumed, the number of workers and the
    address of a Ray cluster may differ.
    """
    with running.under_way(folder, setup.config, resume) as (run, stop), one_thread(), ray_session(workers, address):
        training = _Training(setup, run, workers, listeners, say)
        try:
            return training.run(stop)
        finally:
            training.algorithm.stop()


def restore(algorithm: Any, checkpoint: Path) -> None:
    """Load the state of a checkpoint into an algorithm. A checkpoint is a folder of pickles: load only those that you
    trust.

    RLlib restores the learner, but leaves the runners with their old weights, because their count of updates is not
    behind; without a count, they take the weights of the learner.
    """
    algorithm.restore_from_path(checkpoint.resolve())
    weights = {COMPONENT_RL_MODULE: algorithm.learner_group.get_weights()}
    algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.set_state(weights))


class _Training:
    def __init__(self, setup: Setup, folder: RunFolder, workers: int, listeners: Sequence[Listener], say: Say) -> None:
        self.setup, self.folder, self.say = setup, folder, say
        self.journal = Journal(folder, listeners)
        config = setup.config
        options = {name: Path(value) if name == FOLDER else value for name, value in config.options.items()}
        chosen = algorithm_config(config.environment, options, config.settings, seed=config.seeds[0], workers=workers)
        say("starting workers")
        self.algorithm = chosen.build_algo()
        self.step, self.seconds = 0, 0.0
        self.saved_at, self.saved_time = -1, time.monotonic()

    def run(self, stop: Stop) -> Outcome:
        self._restore()
        reason = self._ended(stop())
        while reason is None:
            self._iterate()
            reason = self._ended(stop())
            if reason is None and time.monotonic() - self.saved_time > running.CHECKPOINT_SECONDS:
                self._save()
        if self.step > self.saved_at:
            self._save()
        self.journal.end(self.step, reason)
        return Outcome(self.step, reason, self.seconds, stop.signal)

    def _ended(self, interrupted: bool) -> str | None:
        if self.step >= self.setup.config.steps:
            return "finished"
        return "stopped" if interrupted else None

    def _iterate(self) -> None:
        before = self.step
        began = time.perf_counter()
        result = self.algorithm.train()
        seconds = time.perf_counter() - began
        self.step = int(result["num_env_steps_sampled_lifetime"])
        self.seconds += seconds
        line = line_of(result, self.setup.environment, self.step, self.seconds, (self.step - before) / seconds)
        if not np.all(np.isfinite(list(line["losses"].values()))):
            raise PhytotronError(
                f"training gave losses that are not finite between steps {before} and {self.step}. {running.NOT_FINITE}"
            )
        self.journal.note(line)

    # Checkpoints

    def _save(self) -> None:
        """Write a checkpoint, whole or not at all: it gets its name when all of it is written."""
        self.folder.sync_metrics()
        self.folder.checkpoints.mkdir(exist_ok=True)
        place = self.folder.checkpoints / f"step_{self.step:012d}"
        unfinished = place.with_name(place.name + ".part")
        for old in (place, unfinished):
            shutil.rmtree(old, ignore_errors=True)
        self.algorithm.save_to_path(unfinished.resolve())
        about = {"step": self.step, "seconds": self.seconds, "lines": self.journal.lines}
        write_text(unfinished / ABOUT, json.dumps(about) + "\n", durable=True)
        unfinished.rename(place)
        self.saved_at, self.saved_time = self.step, time.monotonic()
        for old in list_checkpoints(self.folder)[:-KEPT]:
            shutil.rmtree(old)

    def _restore(self) -> None:
        """Restore the last checkpoint, and cut the metrics back to it."""
        found = list_checkpoints(self.folder)
        if found:
            about = read_json(found[-1] / ABOUT, "checkpoint", "remove this checkpoint to go on from the one before it")
            restore(self.algorithm, found[-1])
            self.step, self.seconds, self.journal.lines = about["step"], about["seconds"], about["lines"]
            self.saved_at = self.step
            self.say(f"going on from step {self.step}")
        finished = self.step >= self.setup.config.steps
        self.folder.keep_lines(self.journal.lines + finished)  # the last line of a finished run says so


def list_checkpoints(folder: RunFolder) -> list[Path]:
    """Return RLlib's checkpoints in a run, oldest first."""
    return sorted(each for each in folder.checkpoints.glob("step_*") if each.suffix != ".part")
