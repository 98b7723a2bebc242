"""Metrics of RLlib as lines of ours: what episodes came to, counted where they are sampled, and the losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from ray.rllib.callbacks.callbacks import RLlibCallback

from phytotron.core.environment import Measure
from phytotron.training.folder import Line

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
        totals = episode.custom_data
        info = episode.get_infos(-1)
        step = {"return": float(episode.get_rewards(-1)), "length": 1.0}
        step |= {measure.quantity.name: float(measure.of(info)) for measure in env.environment.measures}
        for name, value in step.items():
            totals[name] = totals.get(name, 0.0) + value

    def on_episode_end(self, *, episode: Any, env: Any, metrics_logger: Any, **rest: Any) -> None:
        totals = episode.custom_data
        means = {measure.quantity.name for measure in env.environment.measures if measure.mean}
        for name, total in totals.items():
            value = total / totals["length"] if name in means else total
            metrics_logger.log_value((PLACE, name), value, reduce="item_series")


def steps_of(result: Mapping[str, Any]) -> int:
    """Steps since training began."""
    return int(result["num_env_steps_sampled_lifetime"])


def training_line(
    result: Mapping[str, Any], measures: Sequence[Measure], step: int, seconds: float, speed: float
) -> Line:
    """One iteration of RLlib as a line of metrics of a run with one seed."""
    found = result.get("env_runners", {}).get(PLACE, {})
    names = ("return", "length", *(measure.quantity.name for measure in measures))
    means: dict[str, list[float | None]] = {
        name: [float(np.mean(found[name])) if len(found.get(name, ())) else None] for name in names
    }
    learned = result.get("learners", {}).get("default_policy", {})
    return {
        "kind": "training",
        "step": step,
        "seconds": round(seconds, 3),
        "steps_per_second": round(speed, 1),
        "episodes": [len(found.get("return", ()))],
        "return": means.pop("return"),
        "length": means.pop("length"),
        "measures": means,
        "losses": {ours: [float(learned[name])] for name, ours in LOSSES.items() if name in learned},
    }
