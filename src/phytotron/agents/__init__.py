"""Agents that learn, in JAX: PPO, double DQN, SAC, analytic policy gradients; and those of other packages."""

import dataclasses
from typing import Any

from phytotron.core.making import described
from phytotron.core.registry import Registry

MEMBERS = ("Settings", "init", "update", "policy")


def _fault(found: Any) -> str:
    """Return why an object, such as one of another package, is no agent; empty where it is one."""
    remedy = "write it as phytotron.agents.base.Agent describes it"
    if not callable(found):
        return f"is {described(found)}; expected a class of agents: {remedy}"
    missing = [name for name in MEMBERS if not hasattr(found, name)]
    if missing:
        return f"is {described(found)} without {', '.join(missing)}; expected a class of agents: {remedy}"
    settings = found.Settings
    if not dataclasses.is_dataclass(settings) or "steps" not in {each.name for each in dataclasses.fields(settings)}:
        return f"has Settings that are no dataclass with the field steps; {remedy}"
    return ""


# Each is a class of `agents.base.Agent`, made of an environment and of its `Settings`.
AGENTS = Registry(
    "agent",
    "phytotron.agents",
    {
        "ppo": "phytotron.agents.ppo:PPO",
        "dqn": "phytotron.agents.dqn:DQN",
        "sac": "phytotron.agents.sac:SAC",
        "apg": "phytotron.agents.apg:APG",
    },
    fault=_fault,
)
