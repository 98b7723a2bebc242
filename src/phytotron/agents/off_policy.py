"""Common parts of agents that learn from a replay buffer: settings, and rounds of acting and gradient steps.

As in Stable-Baselines3, the buffer keeps observations and rewards as they came; they are normalised when they are
drawn, with the scales of that time.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents import replay
from phytotron.agents.actions import choices
from phytotron.agents.base import Progress
from phytotron.agents.learner import Experience, ReturnLearner, rows_of, totals
from phytotron.agents.replay import Replay, ReplayBatch
from phytotron.agents.settings import NATURAL, POSITIVE, POSITIVE_SHARE, WHOLE, WIDTHS, ReturnSettings, within
from phytotron.core.errors import ValueRangeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.vector_environment import EpisodeSums

Value = TypeVar("Value")
Losses = dict[str, Array]


@dataclasses.dataclass(frozen=True, kw_only=True)
class OffPolicySettings(ReturnSettings):
    """Settings of off-policy agents.

    A round is `train_frequency` steps of each environment, then `gradient_steps`; an update is `rounds` of them.
    """

    train_frequency: int = within(WHOLE, 1)
    gradient_steps: int = within(WHOLE, 1)
    rounds: int = within(WHOLE, 500)
    learning_starts: int = within(NATURAL, 100)  # steps, before which choices are random and nothing is learned
    buffer: int = within(WHOLE, 100_000)  # transitions that are kept
    batch: int = within(WHOLE, 256)
    tau: float = within(POSITIVE_SHARE, 0.005)  # share of the network that goes into its target; 1: a copy
    target_update: int = within(WHOLE, 1)
    max_gradient_norm: float | None = within(POSITIVE, None)
    hidden: tuple[int, ...] = within(WIDTHS, (256, 256))
    activation: str = "relu"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.buffer < self.steps_per_round:
            raise ValueRangeError(
                "buffer", self.buffer, f"at least num_envs x train_frequency = {self.steps_per_round}"
            )

    @property
    def steps_per_round(self) -> int:
        """Steps of all environments between two phases of learning."""
        return self.num_envs * self.train_frequency


SomeSettings = TypeVar("SomeSettings", bound=OffPolicySettings)


class OffPolicyState(NamedTuple):
    """The state of training; `learned` is what gradient steps change, including optimisers and target networks."""

    key: Array
    experience: Experience
    replay: Replay
    learned: Any


class OffPolicyLearner(ReturnLearner[SomeSettings]):
    """Base of agents that learn from a replay buffer."""

    losses: ClassVar[tuple[str, ...]]  # names of what a gradient step reports

    @abstractmethod
    def initial_networks(self, keys: Array) -> Any:
        """Return the networks and optimiser states before the first gradient step, from two keys."""

    @abstractmethod
    def choose(self, learned: Any, key: Array, observation: Array, steps: Array) -> Array:
        """Return choices for normalised observations (environments, ...), after `steps` steps of training."""

    @abstractmethod
    def gradient_step(self, learned: Any, given: tuple[Array, ReplayBatch]) -> tuple[Any, Losses]:
        """Return the networks after one gradient step, and the losses; `given` is a batch and a key."""

    @property
    def steps_per_update(self) -> int:
        """Environment steps of an update."""
        return self.settings.steps_per_round * self.settings.rounds

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        """Adam, with a limit on the norm of the gradient where one is set."""
        adam = optax.adam(self.settings.learning_rate)
        limit = self.settings.max_gradient_norm
        return adam if limit is None else optax.chain(optax.clip_by_global_norm(limit), adam)

    def changed(self, learner: Any, gradient: Any, memory: Any) -> tuple[Any, Any]:
        """Return a network and the state of its optimiser after applying a gradient."""
        change, memory = self.optimiser.update(gradient, memory)
        return optax.apply_updates(learner, change), memory

    def init(self, key: Array, params: Any) -> OffPolicyState:
        """Return the state before the first update."""
        key, start, *others = jax.random.split(key, 4)
        empty = replay.empty(self.settings.buffer, self.sizes[0], choices(self.environment.action_space))
        return OffPolicyState(key, self.start(start, params), empty, self.initial_networks(jnp.stack(others)))

    def update(self, state: OffPolicyState, params: Any) -> tuple[OffPolicyState, Progress]:
        """Run rounds of collecting experience and learning from it."""

        def a_round(state: OffPolicyState, _: None) -> tuple[OffPolicyState, tuple[EpisodeSums, Losses]]:
            key, act, draw, noise = jax.random.split(state.key, 4)
            state, episode_sums = self.collect(act, state._replace(key=key), params)
            learned, losses = self._learn(noise, state, self._drawn(draw, state))
            return state._replace(learned=learned), (episode_sums, losses)

        state, (sums_by_step, losses) = jax.lax.scan(a_round, state, length=self.settings.rounds)
        taught = jnp.maximum(jnp.sum(losses.pop("taught")), 1.0)
        means = {name: jnp.sum(each) / taught for name, each in losses.items()}  # 0 before learning starts
        return state, Progress(totals(sums_by_step), means)

    def collect(self, key: Array, state: OffPolicyState, params: Any) -> tuple[OffPolicyState, EpisodeSums]:
        """Take some steps in all environments and add them to the buffer."""

        def step(now: Experience, key: Array) -> tuple[Experience, tuple[ReplayBatch, EpisodeSums]]:
            choice = self.choose(state.learned, key, self.normalised(now, now.environments.observation), now.steps)
            now, moved, episode_sums = self.act(now, choice, params)
            return now, (
                ReplayBatch(moved.observation, choice, moved.reward, moved.following, moved.terminated),
                episode_sums,
            )

        keys = jax.random.split(key, self.settings.train_frequency)
        experience, (rows, sums_by_step) = jax.lax.scan(step, state.experience, keys)
        kept = replay.add(state.replay, rows_of(rows))
        return state._replace(experience=experience, replay=kept), totals(sums_by_step)

    def explored(self, key: Array, choice: Array, share: Array, steps: Array) -> Array:
        """Return choices of which the given share, and all before learning starts, are replaced by uniform draws."""
        which, other = jax.random.split(key)
        share = jnp.where(steps < self.settings.learning_starts, 1.0, share)
        replaced = jax.random.uniform(which, (choice.shape[0],), jnp.float32) < share
        return jnp.where(replaced.reshape(-1, *[1] * (choice.ndim - 1)), self._any_choice(other), choice)

    def _any_choice(self, key: Array) -> Array:
        space, size = self.environment.action_space, self.settings.num_envs
        if isinstance(space, Discrete):
            return jax.random.randint(key, (size,), 0, space.n, jnp.int32)
        return jax.random.uniform(key, (size, self.sizes[1]), jnp.float32, -1.0, 1.0)

    def _drawn(self, key: Array, state: OffPolicyState) -> ReplayBatch:
        """Return a normalised batch for each gradient step of a round."""
        now = state.experience
        rows = replay.sample(state.replay, key, (self.settings.gradient_steps, self.settings.batch))
        return rows._replace(
            observation=self.normalised(now, rows.observation),
            following=self.normalised(now, rows.following),
            reward=self.scaled(now, rows.reward),
        )

    def _learn(self, key: Array, state: OffPolicyState, batches: ReplayBatch) -> tuple[Any, Losses]:
        """Return what is learned, and the mean losses of a round; nothing changes before learning starts."""
        keys = jax.random.split(key, self.settings.gradient_steps)

        def taught(carry: tuple[Any, Losses]) -> tuple[Any, Losses]:
            learned, losses = jax.lax.scan(self.gradient_step, carry[0], (keys, batches))
            return learned, {name: jnp.mean(each) for name, each in losses.items()} | {"taught": jnp.float32(1.0)}

        nothing = dict.fromkeys((*self.losses, "taught"), jnp.zeros((), jnp.float32))
        ready = state.experience.steps > self.settings.learning_starts
        return only_if(ready, taught, (state.learned, nothing))


def nearer(target: Value, network: Value, tau: float, when: Array) -> Value:
    """Return the target network moved towards the network by a share `tau`, where `when` is true.

    A `tau` of 1 makes it a copy (Lillicrap et al. 2016).
    """
    return jax.tree.map(lambda old, new: jnp.where(when, (1.0 - tau) * old + tau * new, old), target, network)


def only_if(condition: Array, change: Callable[[Value], Value], value: Value) -> Value:
    """Return the value, changed where the condition holds.

    Under `vmap`, `cond` would always compute both branches; this function computes the change only if the condition
    holds in at least one row.
    """

    def once(carry: tuple[Array, Value]) -> tuple[Array, Value]:
        return jnp.zeros_like(carry[0]), change(carry[1])

    return jax.lax.while_loop(lambda carry: carry[0], once, (condition, value))[1]
