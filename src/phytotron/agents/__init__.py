"""Agents that learn, in JAX: PPO, double DQN, SAC, analytic policy gradients; and those of other packages."""

from phytotron.core.registry import Registry

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
)
