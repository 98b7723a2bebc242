"""What agents that learn from a replay buffer have in common: settings, and how experience is gathered and replayed.

As Stable-Baselines3: the buffer keeps observations and rewards as they came; they are normalised when they are drawn,
by what is known by then.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from phytotron.agents import replay
from phytotron.agents.actions import choices, outputs
from phytotron.agents.networks import check_network
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import scaling_of
from phytotron.agents.replay import Memories, Replay
from phytotron.core.environment import Environment
from phytotron.core.errors import ValueRangeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.fleet import Fleet, FleetState, Tally, Transition

UNCLIPPED = float(np.finfo(np.float32).max)  # where observations are not normalised

Value = TypeVar("Value")


@dataclasses.dataclass(frozen=True, kw_only=True)
class OffPolicySettings:
    """A round is `train_frequency` steps of each environment, then `gradient_steps`; an update is `rounds` of them."""

    num_envs: int = 1
    train_frequency: int = 1
    gradient_steps: int = 1
    rounds: int = 500
    learning_starts: int = 100  # steps, before which choices are random and nothing is learned
    buffer: int = 100_000  # transitions that are kept
    batch: int = 256
    discount: float = 0.99
    tau: float = 0.005  # share of the network that goes into its target; 1: a copy
    target_update: int = 1
    learning_rate: float = 3e-4
    max_gradient_norm: float | None = None
    hidden: tuple[int, ...] = (256, 256)
    activation: str = "relu"
    normalise_observations: bool = True
    clip_observation: float = 10.0
    normalise_rewards: bool = True
    clip_reward: float = 10.0
    staggered: bool = False
    steps: int = 100_000  # of training in all

    def __post_init__(self) -> None:
        counts = (
            "num_envs",
            "train_frequency",
            "gradient_steps",
            "rounds",
            "buffer",
            "batch",
            "target_update",
            "steps",
        )
        for name in (*counts, "learning_starts"):
            value, least = getattr(self, name), 0 if name == "learning_starts" else 1
            if not (isinstance(value, int) and not isinstance(value, bool) and value >= least):
                raise ValueRangeError(name, value, f"a whole number, at least {least}")
        if not 0.0 <= self.discount <= 1.0:
            raise ValueRangeError("discount", self.discount, "between 0 and 1")
        if not 0.0 < self.tau <= 1.0:
            raise ValueRangeError("tau", self.tau, "above 0 and at most 1")
        for name in ("learning_rate", "clip_observation", "clip_reward", "max_gradient_norm"):
            value = getattr(self, name)
            if not (value is None and name == "max_gradient_norm") and not value > 0.0:
                raise ValueRangeError(name, value, "above 0")
        if self.buffer < self.num_envs * self.train_frequency:
            expected = f"at least num_envs x train_frequency = {self.num_envs * self.train_frequency}"
            raise ValueRangeError("buffer", self.buffer, expected)
        check_network(self.hidden, self.activation)

    @property
    def steps_per_round(self) -> int:
        return self.num_envs * self.train_frequency

    @property
    def observation_clip(self) -> float:
        return self.clip_observation if self.normalise_observations else UNCLIPPED

    def adam(self) -> optax.GradientTransformation:
        adam = optax.adam(self.learning_rate)
        if self.max_gradient_norm is None:
            return adam
        return optax.chain(optax.clip_by_global_norm(self.max_gradient_norm), adam)


class Experience(NamedTuple):
    """Where the environments are, and what was seen in them."""

    fleet: FleetState
    observations: Moments
    returns: Moments  # of the discounted returns
    discounted: Array  # return so far of each environment
    steps: Array  # of all environments together


@dataclasses.dataclass(frozen=True, eq=False)
class Gathering:
    """Steps in the environments of an agent, and draws from what they gave."""

    environment: Environment[Any, Any]
    settings: OffPolicySettings

    @cached_property
    def fleet(self) -> Fleet:
        return Fleet(self.environment, self.settings.num_envs, self.settings.staggered)

    def start(self, key: Array, params: Any) -> Experience:
        s = self.settings
        seen = self.environment.observation_space.shape[0]
        fleet = self.fleet.start(key, params)
        observations = Moments.of_nothing((seen,))
        if s.normalise_observations:
            observations = observations.with_batch(fleet.observation.astype(jnp.float32))
        return Experience(
            fleet,
            observations,
            Moments.of_nothing(()),
            jnp.zeros(s.num_envs, jnp.float32),
            jnp.zeros((), jnp.int32),
        )

    def empty_replay(self) -> Replay:
        seen = self.environment.observation_space.shape[0]
        return replay.empty(self.settings.buffer, seen, choices(self.environment.action_space))

    def ready(self, now: Experience) -> Array:
        """Whether there is enough to learn from."""
        return now.steps > self.settings.learning_starts

    def gather(
        self, key: Array, now: Experience, choose: Callable[[Array, Array, Array], Array], params: Any
    ) -> tuple[Experience, Memories, Tally]:
        """A round of steps. `choose` gives choices, from a key, normalised observations and the number of steps."""

        def step(now: Experience, key: Array) -> tuple[Experience, tuple[Memories, Tally]]:
            observation = self.normalised(now, now.fleet.observation)
            choice = choose(key, observation, now.steps)
            fleet, moved, tally = self.fleet.step(now.fleet, self._action(choice), params)
            row = Memories(moved.observation, choice, moved.reward, moved.following, moved.terminated)
            return self._seen(now, fleet, moved), (row, tally)

        now, (rows, tallies) = jax.lax.scan(step, now, jax.random.split(key, self.settings.train_frequency))
        return now, jax.tree.map(lambda each: each.reshape(-1, *each.shape[2:]), rows), totals(tallies)

    def draw(self, key: Array, now: Experience, kept: Replay) -> Memories:
        """A batch, normalised, for each gradient step of a round."""
        s = self.settings
        rows = replay.sample(kept, key, (s.gradient_steps, s.batch))
        return rows._replace(
            observation=self.normalised(now, rows.observation),
            following=self.normalised(now, rows.following),
            reward=now.returns.scale(rows.reward, s.clip_reward) if s.normalise_rewards else rows.reward,
        )

    def any_choice(self, key: Array) -> Array:
        """A uniform draw for each environment."""
        space, size = self.environment.action_space, self.settings.num_envs
        if isinstance(space, Discrete):
            return jax.random.randint(key, (size,), 0, space.n, jnp.int32)
        return jax.random.uniform(key, (size, outputs(space)), jnp.float32, -1.0, 1.0)

    def explored(self, key: Array, choice: Array, share: Array, steps: Array) -> Array:
        """This share of the choices, and all before learning starts, replaced by uniform draws."""
        which, other = jax.random.split(key)
        share = jnp.where(steps < self.settings.learning_starts, 1.0, share)
        replaced = jax.random.uniform(which, (choice.shape[0],), jnp.float32) < share
        return jnp.where(replaced.reshape(-1, *[1] * (choice.ndim - 1)), self.any_choice(other), choice)

    def normalised(self, now: Experience, observation: Array) -> Array:
        return now.observations.normalise(observation.astype(jnp.float32), self.settings.observation_clip)

    def _action(self, choice: Array) -> Array:
        space = self.environment.action_space
        scaling = scaling_of(space)
        action = choice if scaling is None else scaling.action(choice)
        return action.reshape(-1, *space.shape).astype(space.dtype)

    def _seen(self, now: Experience, fleet: FleetState, moved: Transition) -> Experience:
        """After one more step of all environments."""
        s = self.settings
        observations, returns = now.observations, now.returns
        if s.normalise_observations:
            observations = observations.with_batch(fleet.observation.astype(jnp.float32))
        discounted = s.discount * now.discounted + moved.reward
        if s.normalise_rewards:
            returns = returns.with_batch(discounted)
        discounted = jnp.where(moved.terminated | moved.truncated, 0.0, discounted)
        return Experience(fleet, observations, returns, discounted, now.steps + s.num_envs)


def totals(tallies: Tally) -> Tally:
    """Over all the steps."""
    return {name: jnp.sum(each) for name, each in tallies.items()}


def nearer(target: Value, network: Value, tau: float, when: Array) -> Value:
    """The target network moved towards the network, when it is time (Lillicrap et al. 2016; a copy with tau of 1)."""
    return jax.tree.map(lambda old, new: jnp.where(when, (1.0 - tau) * old + tau * new, old), target, network)


def only_if(condition: Array, change: Callable[[Value], Value], value: Value) -> Value:
    """The value, changed where the condition holds.

    As `cond`, which under `vmap` would do the work of both branches always; this does none where it holds for nobody.
    """

    def once(carry: tuple[Array, Value]) -> tuple[Array, Value]:
        return jnp.zeros_like(carry[0]), change(carry[1])

    return jax.lax.while_loop(lambda carry: carry[0], once, (condition, value))[1]
