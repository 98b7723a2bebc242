"""Our settings translated to those of Stable-Baselines3; settings that it does not have are refused by name."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete
from phytotron.training.presets import make_settings

ACTIVATIONS: Mapping[str, Any] = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU, "silu": torch.nn.SiLU}
# Settings that have a counterpart; `rounds` and `steps` only say how long, `target_entropy_share` is for discrete SAC.
COMMON = """num_envs discount learning_rate activation steps
    normalise_observations clip_observation normalise_rewards clip_reward"""
OFF_POLICY = f"""{COMMON} train_frequency gradient_steps rounds learning_starts buffer batch tau target_update hidden"""
EXPRESSED: Mapping[str, str] = {
    "ppo": f"""{COMMON} rollout minibatch epochs gae_lambda clip value_clip entropy value_weight learning_rate_end
        max_gradient_norm actor critic orthogonal initial_log_std""",
    "dqn": f"""{OFF_POLICY} max_gradient_norm initial_epsilon final_epsilon exploration_fraction""",
    "sac": f"""{OFF_POLICY} entropy automatic target_entropy target_entropy_share""",
}
NEUTRAL: Mapping[str, Any] = {"double": False}  # of the others, where that is not their default

Settings = Mapping[str, Any]


def check_settings(agent: str, settings: Settings, environment: Environment[Any, Any]) -> None:
    """Refuse agents, settings and spaces that Stable-Baselines3 does not support."""
    if agent not in EXPRESSED:
        raise PhytotronError(
            f"the backend sb3 trains {', '.join(EXPRESSED)}, not {agent}; choose one of them, or the backend jax"
        )
    for name, default in vars(make_settings(agent)).items():
        value = NEUTRAL.get(name, default)
        if name not in EXPRESSED[agent].split() and settings[name] != value:
            raise PhytotronError(
                f"Stable-Baselines3's {agent.upper()} has nothing like {name} = {settings[name]!r}; "
                f"set {name}={json.dumps(value)}, or train with the backend jax"
            )
    space = environment.action_space
    if isinstance(space, Discrete):
        if agent == "sac":
            raise PhytotronError("Stable-Baselines3's SAC has no discrete actions; train with dqn, ppo or backend jax")
    elif not np.all(np.isfinite([space.low, space.high])):
        raise PhytotronError(f"an agent needs finite bounds of its actions, not {space.low} to {space.high}")


def steps_per_update(agent: str, settings: Settings) -> int:
    """Return the number of steps of all environments between two updates."""
    return int(settings["num_envs"] * settings["rollout" if agent == "ppo" else "train_frequency"])


def normalisation(settings: Settings) -> dict[str, Any]:
    """Return the arguments of `VecNormalize`."""
    return {
        "norm_obs": settings["normalise_observations"],
        "norm_reward": settings["normalise_rewards"],
        "clip_obs": settings["clip_observation"],
        "clip_reward": settings["clip_reward"],
        "gamma": settings["discount"],
    }


def arguments(agent: str, settings: Settings, environment: Environment[Any, Any]) -> dict[str, Any]:
    """Return the arguments of the algorithm, other than policy, environment and seed."""
    check_settings(agent, settings, environment)
    return {"ppo": _ppo, "dqn": _dqn, "sac": _sac}[agent](settings)


def _ppo(s: Settings) -> dict[str, Any]:
    return {
        "n_steps": s["rollout"],
        "batch_size": s["minibatch"],
        "n_epochs": s["epochs"],
        "gamma": s["discount"],
        "gae_lambda": s["gae_lambda"],
        "clip_range": s["clip"],
        "clip_range_vf": s["value_clip"],
        "ent_coef": s["entropy"],
        "vf_coef": s["value_weight"],
        "learning_rate": _rate(s["learning_rate"], s["learning_rate_end"]),
        "max_grad_norm": s["max_gradient_norm"],
        "policy_kwargs": {
            "net_arch": {"pi": list(s["actor"]), "vf": list(s["critic"])},
            "activation_fn": ACTIVATIONS[s["activation"]],
            "ortho_init": s["orthogonal"],
            "log_std_init": s["initial_log_std"],
        },
    }


def _rate(first: float, last: float | None) -> float | Callable[[float], float]:
    """A constant, or a straight line in the steps, of which Stable-Baselines3 gives the share that is left."""
    return first if last is None else lambda left: last + (first - last) * left


def _off_policy(s: Settings) -> dict[str, Any]:
    each_step = s["num_envs"]
    return {
        "learning_rate": s["learning_rate"],
        "buffer_size": min(s["buffer"], -(-s["steps"] // each_step) * each_step),  # more is never filled
        "learning_starts": s["learning_starts"],
        "batch_size": s["batch"],
        "tau": s["tau"],
        "gamma": s["discount"],
        "train_freq": s["train_frequency"],
        "gradient_steps": s["gradient_steps"],
        "target_update_interval": s["target_update"],
        "policy_kwargs": {"net_arch": list(s["hidden"]), "activation_fn": ACTIVATIONS[s["activation"]]},
    }


def _dqn(s: Settings) -> dict[str, Any]:
    limit = s["max_gradient_norm"]
    return _off_policy(s) | {
        "max_grad_norm": float("inf") if limit is None else limit,
        "exploration_initial_eps": s["initial_epsilon"],
        "exploration_final_eps": s["final_epsilon"],
        "exploration_fraction": s["exploration_fraction"],
    }


def _sac(s: Settings) -> dict[str, Any]:
    return _off_policy(s) | {
        "ent_coef": f"auto_{s['entropy']}" if s["automatic"] else s["entropy"],
        "target_entropy": "auto" if s["target_entropy"] is None else s["target_entropy"],
    }
