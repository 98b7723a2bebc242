"""Agents in training on small tasks: what tests of PPO, DQN and SAC share."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.agents.base import Agent
from phytotron.core.environment import Environment
from phytotron.episodes.recording import run_episodes

KEYS = jax.random.split(jax.random.key(0), 2)


class Training(NamedTuple):
    """States and progress of a training, two seeds at once."""

    states: list[Any]  # the first ones, and the last
    progress: list[Any]


def trained(agent: Agent, updates: int, kept: int, params: Any = None, **compiler_options: Any) -> Training:
    """After some updates, with the first `kept` states kept; parameters of the environment are those of each seed."""
    params = jnp.ones(2) if params is None else params
    init = jax.jit(jax.vmap(agent.init))
    update = jax.jit(jax.vmap(agent.update), compiler_options=compiler_options)
    states, progress = [init(KEYS, params)], []
    for _ in range(updates):
        state, one = update(states[-1], params)
        states, progress = [*states[:kept], state], [*progress, one]
    return Training(states, progress)


def seed(tree: Any, index: int = 0) -> Any:
    """One of the two."""
    return jax.tree.map(lambda leaf: leaf[index], tree)


def mean_return(environment: Environment[Any, Any], controller: Any) -> float:
    keys = jax.random.split(jax.random.key(99), 40)
    return float(np.mean(np.sum(run_episodes(environment, controller, keys, environment.episode_steps).reward, axis=1)))
