"""An agent from outside the package: cross-entropy search (Rubinstein 1999) over the weights of a linear policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.flatten_util import ravel_pytree

from phytotron.agents.actions import outputs
from phytotron.agents.base import Progress
from phytotron.agents.networks import mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy, scaling_of
from phytotron.core.environment import Environment
from phytotron.core.spaces import Discrete
from phytotron.episodes.vector_environment import VectorEnvironment


@dataclass(frozen=True, kw_only=True)
class CrossEntropySettings:
    """Numbers and names only; `phytotron train --set NAME=VALUE` changes them. Every agent needs `steps`."""

    candidates: int = 64  # policies that are tried in an update, one episode each
    elite: int = 8  # the best of them, from which the next are drawn
    spread: float = 0.5  # standard deviation of the weights at first
    floor: float = 0.02  # the least standard deviation
    steps: int = 200_000  # of training in all


class Search(NamedTuple):
    """The state of training: arrays only, so that checkpoints can hold it."""

    key: Array
    mean: Array  # of the weights
    spread: Array
    moments: Moments  # of the observations


class CrossEntropy:
    """Draws weights, plays an episode with each, and goes on from the best; see `phytotron.agents.base.Agent`."""

    Settings = CrossEntropySettings

    def __init__(self, environment: Environment[Any, Any], settings: CrossEntropySettings) -> None:
        self.environment, self.settings = environment, settings
        self.environments = VectorEnvironment(environment, settings.candidates)
        seen = environment.observation_space.shape[0]
        network = mlp(jax.random.key(0), seen, (), outputs(environment.action_space), "tanh")
        weights, self._network = ravel_pytree(network)
        self._size = weights.size

    @property
    def steps_per_update(self) -> int:
        """Steps of all candidates."""
        return self.settings.candidates * self.environment.episode_steps

    def init(self, key: Array, params: Any) -> Search:
        """The state before the first update."""
        spread = jnp.full(self._size, self.settings.spread, jnp.float32)
        moments = Moments.of_nothing(self.environment.observation_space.shape)
        return Search(key, jnp.zeros(self._size, jnp.float32), spread, moments)

    def update(self, state: Search, params: Any) -> tuple[Search, Progress]:
        """Try candidates, and draw the next ones around the best."""
        key, draw, begin = jax.random.split(state.key, 3)
        weights = state.mean + state.spread * jax.random.normal(draw, (self.settings.candidates, self._size))

        def act(weights: Array, observation: Array) -> Array:
            return self._policy(weights, state.moments).act(key, (), observation, None, None)[0]

        def step(now: Any, _: None) -> Any:
            environments, running = now
            environments, made, episode_sums = self.environments.step(
                environments, jax.vmap(act)(weights, environments.observation), params
            )
            following = running & ~(made.terminated | made.truncated)
            return (environments, following), (jnp.where(running, made.reward, 0.0), made.observation, episode_sums)

        start = self.environments.start(begin, params), jnp.ones(self.settings.candidates, bool)
        _, (rewards, seen, episode_sums) = jax.lax.scan(step, start, length=self.environment.episode_steps)
        best = weights[jnp.argsort(-rewards.sum(axis=0))[: self.settings.elite]]
        spread = jnp.maximum(best.std(axis=0), self.settings.floor)
        moments = state.moments.with_batch(seen.reshape(-1, seen.shape[-1]))
        totals = {name: each.sum() for name, each in episode_sums.items()}
        return Search(key, best.mean(axis=0), spread, moments), Progress(totals, {"spread": spread.mean()})

    def policy(self, state: Search) -> Policy:
        """The policy of the mean weights."""
        return self._policy(state.mean, state.moments)

    def _policy(self, weights: Array, moments: Moments) -> Policy:
        space = self.environment.action_space
        head = "categorical" if isinstance(space, Discrete) else "gaussian"
        log_std = jnp.zeros(outputs(space), jnp.float32)
        return Policy(self._network(weights), moments, log_std, scaling_of(space), head, clip=10.0)
