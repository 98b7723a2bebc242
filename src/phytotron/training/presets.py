"""Agents by name, and settings of theirs that belong together."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phytotron.agents import AGENTS
from phytotron.agents.base import Agent
from phytotron.core.environment import Environment
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.training import off_policy_presets

GREENHOUSE, WHEAT = "phytotron/Greenhouse-v0", "phytotron/WheatNitrogen-v0"


@dataclass(frozen=True)
class Preset:
    """Settings that differ from the defaults of an agent, and the options of the environment that go with them."""

    description: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    environment: str | None = None  # the one that it was made for; others can be trained with it, without its options


# van Laatum et al., GreenLight-Gym, table 7, which prints 1028 where its text has 1024.
GREENLIGHT_GYM: dict[str, Any] = {
    "steps": 40_000_000,
    "num_envs": 12,
    "rollout": 2880,
    "minibatch": 64,
    "epochs": 7,
    "discount": 0.99,
    "gae_lambda": 0.995,
    "clip": 0.5,
    "entropy": 0.01,
    "value_weight": 0.5,
    "learning_rate": 7e-5,
    "actor": (512, 512, 512),
    "critic": (1024, 1024, 1024),
    "activation": "silu",
}

# The same amount of experience and the same networks, with fewer and larger gradient steps.
GREENLIGHT_GYM_GPU: dict[str, Any] = GREENLIGHT_GYM | {
    "num_envs": 128,
    "rollout": 288,
    "minibatch": 256,
    "epochs": 3,
    "learning_rate": 3e-4,
    "staggered": True,
}

# From what the rule-based grower does on to more profit; the step from imitation to learning has to be a small one.
FROM_GROWER: dict[str, Any] = {
    "steps": 5_220_000,  # 567 updates
    "num_envs": 128,
    "rollout": 72,
    "minibatch": 1152,
    "epochs": 5,
    "discount": 0.98,
    "gae_lambda": 0.95,
    "learning_rate": 1e-4,
    "actor": (128, 128),
    "critic": (128, 128),
    "activation": "silu",
    "initial_log_std": -1.5,
    "staggered": True,
    "imitate": "rule-based",
    "critic_first": 30,
}

# Kallenberg et al. 2023, CropGym, and the code that came with it.
CROPGYM: dict[str, Any] = {
    "steps": 400_000,
    "num_envs": 1,
    "rollout": 2048,
    "minibatch": 64,
    "epochs": 10,
    "discount": 1.0,
    "gae_lambda": 0.95,
    "clip": 0.3,
    "learning_rate": 3e-4,
    "actor": (128, 128),
    "critic": (128, 128),
    "activation": "tanh",
    "orthogonal": False,
    "clip_observation": 10.0,
    "clip_reward": 50.0,
}

# InterCropGym, table VI. The number of environments and of steps is not said there; steps as for its other agents.
INTERCROPGYM: dict[str, Any] = {
    "steps": 19_000,
    "num_envs": 1,
    "rollout": 4096,
    "minibatch": 512,
    "epochs": 10,
    "discount": 0.99,
    "gae_lambda": 0.95,
    "clip": 0.2,
    "entropy": 0.05,
    "value_weight": 0.5,
    "learning_rate": 5e-4,
    "max_gradient_norm": 0.5,
    "actor": (256, 256),
    "critic": (64, 64),
    "activation": "relu",
}

# A minute or two on a laptop, for a first look.
QUICK_GREENHOUSE: dict[str, Any] = FROM_GROWER | {
    "steps": 1_000_000,
    "imitation_rounds": 150,
    "discount": 0.995,
    "learning_rate_end": 1e-5,
}
QUICK_WHEAT: dict[str, Any] = {
    "steps": 120_000,
    "num_envs": 16,
    "rollout": 128,
    "minibatch": 256,
    "epochs": 8,
    "discount": 1.0,
    "clip": 0.3,
    "learning_rate": 1e-3,
    "actor": (64, 64),
    "critic": (64, 64),
    "clip_reward": 50.0,
}

PPO_PRESETS: dict[str, Preset] = {
    "default": Preset("defaults of Stable-Baselines3, with several environments"),
    "greenlight-gym": Preset("GreenLight-Gym, table 7", GREENLIGHT_GYM, environment=GREENHOUSE),
    "greenlight-gym-gpu": Preset(
        "the same with larger minibatches, for a GPU", GREENLIGHT_GYM_GPU, environment=GREENHOUSE
    ),
    "from-grower": Preset("begins as the rule-based grower", FROM_GROWER, environment=GREENHOUSE),
    "cropgym": Preset("CropGym", CROPGYM, environment=WHEAT),
    "intercropgym": Preset("InterCropGym, table VI", INTERCROPGYM),
    "quick-greenhouse": Preset("a first look at the greenhouse", QUICK_GREENHOUSE, environment=GREENHOUSE),
    "quick-wheat": Preset("a first look at wheat", QUICK_WHEAT, environment=WHEAT),
}


def presets(agent: str) -> dict[str, Preset]:
    """All presets of an agent."""
    AGENTS.entry(agent)
    if agent == "ppo":
        return PPO_PRESETS
    published: Mapping[str, dict[str, Any]] = getattr(off_policy_presets, f"{agent.upper()}_PRESETS", {})
    return {"default": Preset("the defaults of the agent")} | {
        name: Preset(f"settings of {name}", settings) for name, settings in published.items()
    }


def find_preset(agent: str, name: str) -> Preset:
    known = presets(agent)
    if name not in known:
        raise UnknownNameError(f"preset of {agent}", name, known)
    return known[name]


def make_settings(agent: str, preset: str = "default", **changes: Any) -> Any:
    """The settings of an agent: its defaults, changed by a preset, changed by name. Values may be text."""
    return settings_from(
        AGENTS[agent].Settings, dict(find_preset(agent, preset).settings) | changes, f"setting of {agent}"
    )


def settings_from(kind: type[Any], chosen: Mapping[str, Any], what: str) -> Any:
    """Settings of a dataclass, some chosen by name; errors call one of them `what`. Values may be text."""
    hints = typing.get_type_hints(kind)
    known = [each.name for each in dataclasses.fields(kind)]
    for setting in chosen:
        if setting not in known:
            raise UnknownNameError(what, setting, known)
    return kind(**{setting: _converted(setting, value, hints[setting]) for setting, value in chosen.items()})


def make_agent(agent: str, environment: Environment[Any, Any], settings: Any) -> Agent:
    """An agent that learns in an environment."""
    made: Agent = AGENTS[agent](environment, settings)
    return made


def _converted(name: str, value: Any, hint: Any) -> Any:
    """A value of the type that a setting has."""
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if isinstance(value, str) and str not in kinds:
        try:
            value = json.loads(value)
        except ValueError:
            raise ValueRangeError(name, value, _wanted(kinds)) from None
    if value is None and types.NoneType in kinds:
        return None
    if isinstance(value, bool) or bool in kinds:
        fits = isinstance(value, bool) and bool in kinds
    elif int in kinds:
        value = int(value) if isinstance(value, float) and value.is_integer() else value
        fits = isinstance(value, int)
    elif float in kinds:
        fits = isinstance(value, int | float)
        value = float(value) if fits else value
    elif str in kinds:
        fits = isinstance(value, str)
    else:  # widths of a network
        fits = isinstance(value, list | tuple)
        value = tuple(value) if fits else value
    if not fits:
        raise ValueRangeError(name, value, _wanted(kinds))
    return value


def _wanted(kinds: tuple[Any, ...]) -> str:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a name", types.NoneType: "null"}
    return " or ".join(words.get(kind, "a list of whole numbers, as [64, 64]") for kind in kinds)
