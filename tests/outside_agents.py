"""An agent as another package would define it: it inherits nothing, and leaves a `Policy`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Optional

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.agents.actions import outputs
from phytotron.agents.base import Progress
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy, scaling_of
from phytotron.core.environment import Environment
from phytotron.core.spaces import Discrete
from phytotron.episodes.vector_environment import VectorEnvironment, VectorState


@dataclass(frozen=True)
class GuessingSettings:
    """Plain settings."""

    steps: int = 64
    spread: Optional[float] = 0.1  # noqa: UP045 - as older code writes it


class GuessingState(NamedTuple):
    """All that it goes on from."""

    key: Array
    environments: VectorState
    network: MLP


@dataclass(frozen=True, eq=False)
class Guessing:
    """Moves its network at random, whatever comes of it."""

    Settings: ClassVar[type[GuessingSettings]] = GuessingSettings

    environment: Environment[Any, Any]
    settings: GuessingSettings = field(default_factory=GuessingSettings)

    steps_per_update = 8

    def init(self, key: Array, params: Any) -> GuessingState:
        key, start, of_network = jax.random.split(key, 3)
        sizes = self.environment.observation_space.shape[0], outputs(self.environment.action_space)
        network = mlp(of_network, sizes[0], (4,), sizes[1], "tanh")
        return GuessingState(key, VectorEnvironment(self.environment, 2).start(start, params), network)

    def update(self, state: GuessingState, params: Any) -> tuple[GuessingState, Progress]:
        key, move = jax.random.split(state.key)
        space, policy = self.environment.action_space, self.policy(state)

        def step(environments: VectorState, key: Array) -> tuple[VectorState, dict[str, Array]]:
            action, _ = policy.act(key, (), environments.observation, None, params)
            environments, _, episode_sums = VectorEnvironment(self.environment, 2).step(
                environments, action.astype(space.dtype), params
            )
            return environments, episode_sums

        environments, sums_by_step = jax.lax.scan(step, state.environments, jax.random.split(move, 4))
        spread = self.settings.spread or 0.0
        network = jax.tree.map(
            lambda leaf: leaf + spread * jax.random.normal(key, leaf.shape, leaf.dtype), state.network
        )
        episode_sums = {name: jnp.sum(each) for name, each in sums_by_step.items()}
        return GuessingState(key, environments, network), Progress(episode_sums, {"spread": jnp.float32(spread)})

    def policy(self, state: GuessingState) -> Policy:
        space = self.environment.action_space
        head = "categorical" if isinstance(space, Discrete) else "gaussian"
        moments = Moments.of_nothing(self.environment.observation_space.shape)
        return Policy(state.network, moments, jnp.zeros(outputs(space), jnp.float32), scaling_of(space), head, 10.0)
