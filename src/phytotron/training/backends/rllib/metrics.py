"""Metrics of RLlib as lines of ours: what episodes came to, counted where they are sampled, and the losses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from ray.rllib.callbacks.callbacks import RLlibCallback

from phytotron.core.environment import Environment
from phytotron.episodes.engine import measured, summed_up
from phytotron.training.folder import Line
from phytotron.training.running import training_line

PLACE = "phytotron"  # of our numbers among the metrics of the env runners
# What RLlib calls its losses, and what they are called here.
LOSSES = MappingProxyType(
    {
        "total_loss": "loss",
        "policy_loss": "policy_loss",
        "vf_loss": "value_loss",
        "entropy": "entropy",
        "mean_kl_loss": "divergence",
        "curr_kl_coeff": "kl_coefficient",
        "vf_explained_var": "explained_variance",
    }
)


class EpisodeTotals(RLlibCallback):  # type: ignore[misc]
    """Adds up return, length and measures of each episode; RLlib's own means are over a window of episodes."""

    def on_episode_step(self, *, episode: Any, env: Any, **rest: Any) -> None:
        """Add a step to its episode."""
        totals = episode.custom_data
        step = measured(env.environment, episode.get_rewards(-1), episode.get_infos(-1)) | {"length": 1.0}
        for name, value in step.items():
            totals[name] = totals.get(name, 0.0) + float(value)

    def on_episode_end(self, *, episode: Any, env: Any, metrics_logger: Any, **rest: Any) -> None:
        """Log what an episode came to."""
        totals = episode.custom_data
        for name, value in summed_up(env.environment, totals, totals["length"]).items():
            metrics_logger.log_value((PLACE, name), value, reduce="item_series")


def steps_of(result: Mapping[str, Any]) -> int:
    """Steps since training began."""
    return int(result["num_env_steps_sampled_lifetime"])


def line_of(
    result: Mapping[str, Any], environment: Environment[Any, Any], step: int, seconds: float, speed: float
) -> Line:
    """One iteration of RLlib as a line of metrics of a run with one seed."""
    found = result.get("env_runners", {}).get(PLACE, {})
    names = ("return", "length", *(measure.quantity.name for measure in environment.measures))
    tally = {"episodes": [len(found.get("return", ()))]} | {name: [np.sum(found.get(name, ()))] for name in names}
    learned = result.get("learners", {}).get("default_policy", {})
    losses = {ours: [learned[name]] for name, ours in LOSSES.items() if name in learned}
    return training_line(step, seconds, speed, tally, losses)
