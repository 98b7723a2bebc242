"""Common parts of agents: the environments in which they act, and running scales of observations and rewards.

As in `VecNormalize` of Stable-Baselines3, observations are centred and scaled, and rewards are scaled by the standard
deviation of the discounted return.
"""

import dataclasses
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.agents.actions import Scaling, outputs
from phytotron.agents.networks import MLP
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy, scaling_of
from phytotron.agents.settings import LearnerSettings, ReturnSettings
from phytotron.core.environment import Environment
from phytotron.core.errors import ShapeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.vector_environment import EpisodeSums, Transition, VectorEnvironment, VectorState

SomeSettings = TypeVar("SomeSettings", bound=LearnerSettings)
SomeReturnSettings = TypeVar("SomeReturnSettings", bound=ReturnSettings)


class Experience(NamedTuple):
    """The states of the environments, and the running scales of their observations and rewards."""

    environments: VectorState
    observations: Moments
    returns: Moments  # of the discounted returns
    discounted: Array  # return so far of each environment
    steps: Array  # of all environments together


@dataclasses.dataclass(frozen=True, eq=False)
class Learner(Generic[SomeSettings]):
    """Base of agents that learn in any environment that keeps the contract."""

    Settings: ClassVar[type[Any]]

    environment: Environment[Any, Any]
    settings: SomeSettings

    def __post_init__(self) -> None:
        observed, acted = self.environment.observation_space.shape, self.environment.action_space.shape
        if len(observed) != 1:
            what = f"the observation of {self.environment.id}"
            raise ShapeError(what, "one dimension", observed, "an agent learns from a row of numbers")
        if len(acted) > 1:
            what = f"the action of {self.environment.id}"
            raise ShapeError(what, "at most one dimension", acted, "an agent chooses a row of numbers")

    @cached_property
    def environments(self) -> VectorEnvironment:
        """The environments that it learns in."""
        return VectorEnvironment(self.environment, self.settings.num_envs, self.settings.staggered)

    @cached_property
    def discrete(self) -> bool:
        """Return whether actions are choices."""
        return isinstance(self.environment.action_space, Discrete)

    @property
    def scaling(self) -> Scaling | None:
        """The scaling between choices and actions; None for discrete ones."""
        return scaling_of(self.environment.action_space)

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of observed values, and the number of values that stand for an action."""
        return self.environment.observation_space.shape[0], outputs(self.environment.action_space)

    def start(self, key: Array, params: Any) -> Experience:
        """Start new episodes in all environments."""
        environments = self.environments.start(key, params)
        observations = self.observed(Moments.of_nothing((self.sizes[0],)), environments.observation)
        discounted = jnp.zeros(self.settings.num_envs, jnp.float32)
        return Experience(environments, observations, Moments.of_nothing(()), discounted, jnp.zeros((), jnp.int32))

    def observed(self, moments: Moments, observation: Array) -> Moments:
        """Return the moments after some more observations (n, ...), where observations are normalised."""
        return moments.with_batch(observation.astype(jnp.float32)) if self.settings.normalise_observations else moments

    def normalised(self, now: Experience, observation: Array) -> Array:
        """Return observations as the networks see them."""
        return now.observations.normalise(observation.astype(jnp.float32), self.settings.observation_clip)

    def policy_of(self, network: MLP, now: Experience, continuous: str, log_std: Array | None = None) -> Policy:
        """Return the policy of an actor; `continuous` names the head for continuous actions."""
        head = "categorical" if self.discrete else continuous
        spread = jnp.zeros(self.sizes[1], jnp.float32) if log_std is None else log_std
        return Policy(network, now.observations, spread, self.scaling, head, self.settings.observation_clip)


@dataclasses.dataclass(frozen=True, eq=False)
class ReturnLearner(Learner[SomeReturnSettings]):
    """Base of agents that learn from discounted returns."""

    def act(
        self, now: Experience, choice: Array, params: Any, steps: int = 1
    ) -> tuple[Experience, Transition, EpisodeSums]:
        """Take some steps of all environments as one transition, with given choices (environments, ...)."""
        s, space = self.settings, self.environment.action_space
        action = choice if self.scaling is None else self.scaling.action(choice)
        action = action.reshape(-1, *space.shape).astype(space.dtype)
        environments, moved, episode_sums = self.environments.hold(now.environments, action, params, steps)
        if s.count_growth:
            moved = moved._replace(reward=moved.reward + moved.terminal_value_change)
        observations = self.observed(now.observations, environments.observation)
        returns = now.returns
        discounted = s.discount * now.discounted + moved.reward
        if s.normalise_rewards:
            returns = returns.with_batch(discounted)
        discounted = jnp.where(moved.terminated | moved.truncated, 0.0, discounted)
        return (
            Experience(environments, observations, returns, discounted, now.steps + s.num_envs * steps),
            moved,
            episode_sums,
        )

    def scaled(self, now: Experience, reward: Array) -> Array:
        """Return rewards as the networks see them."""
        return now.returns.scale(reward, self.settings.clip_reward) if self.settings.normalise_rewards else reward


def rows_of(series: Any) -> Any:
    """Return series (steps, environments, ...) as rows (steps x environments, ...)."""
    return jax.tree.map(lambda each: each.reshape(-1, *each.shape[2:]), series)


def totals(sums_by_step: EpisodeSums) -> EpisodeSums:
    """Return the sums of finished episodes, added up over all steps."""
    return {name: jnp.sum(each) for name, each in sums_by_step.items()}
