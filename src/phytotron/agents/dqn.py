"""Deep Q-learning (Mnih et al. 2015), double (van Hasselt, Guez and Silver 2016) or not.

Details follow Stable-Baselines3, so that equal settings can be compared. With a `decay_rate`, exploration decays by
this factor at each step; otherwise in a straight line over `exploration_fraction` of all steps.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.actions import outputs
from phytotron.agents.base import Progress
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.off_policy import Experience, Gathering, OffPolicySettings, nearer, only_if, totals
from phytotron.agents.policy import Policy
from phytotron.agents.replay import Memories, Replay, add
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.fleet import Tally


@dataclasses.dataclass(frozen=True, kw_only=True)
class DQNSettings(OffPolicySettings):
    """Defaults are those of Stable-Baselines3, with a smaller buffer, normalisation, and a double estimate."""

    train_frequency: int = 4
    batch: int = 32
    tau: float = 1.0
    target_update: int = 10_000  # steps
    learning_rate: float = 1e-4
    max_gradient_norm: float | None = 10.0
    hidden: tuple[int, ...] = (64, 64)
    double: bool = True
    initial_epsilon: float = 1.0
    final_epsilon: float = 0.05
    exploration_fraction: float = 0.1
    decay_rate: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("initial_epsilon", "final_epsilon"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueRangeError(name, getattr(self, name), "between 0 and 1")
        for name in ("exploration_fraction", "decay_rate"):
            value = getattr(self, name)
            if not (value is None and name == "decay_rate") and not 0.0 < value <= 1.0:
                raise ValueRangeError(name, value, "above 0 and at most 1")


class DQNState(NamedTuple):
    key: Array
    experience: Experience
    replay: Replay
    network: MLP
    target: MLP
    optimiser: Any


@dataclasses.dataclass(frozen=True, eq=False)
class DQN:
    """Learns what each discrete action is worth."""

    Settings: ClassVar[type[DQNSettings]] = DQNSettings

    environment: Environment[Any, Any]
    settings: DQNSettings = dataclasses.field(default_factory=DQNSettings)

    def __post_init__(self) -> None:
        if not isinstance(self.environment.action_space, Discrete):
            raise PhytotronError(f"DQN needs discrete actions, not {self.environment.action_space}; take SAC or PPO")

    @property
    def steps_per_update(self) -> int:
        return self.settings.steps_per_round * self.settings.rounds

    @cached_property
    def gathering(self) -> Gathering:
        return Gathering(self.environment, self.settings)

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        return self.settings.adam()

    def init(self, key: Array, params: Any) -> DQNState:
        s = self.settings
        key, start, of_network = jax.random.split(key, 3)
        seen, said = self.environment.observation_space.shape[0], outputs(self.environment.action_space)
        network = mlp(of_network, seen, s.hidden, said, s.activation, orthogonal=False)
        experience = self.gathering.start(start, params)
        kept = self.gathering.empty_replay()
        return DQNState(key, experience, kept, network, network, self.optimiser.init(network))

    def policy(self, state: DQNState) -> Policy:
        nothing = jnp.zeros(outputs(self.environment.action_space), jnp.float32)
        moments, clip = state.experience.observations, self.settings.observation_clip
        return Policy(state.network, moments, nothing, None, "categorical", clip)

    def update(self, state: DQNState, params: Any) -> tuple[DQNState, Progress]:
        """Rounds of collecting experience and learning from it."""

        def a_round(state: DQNState, _: None) -> tuple[DQNState, tuple[Tally, dict[str, Array]]]:
            key, act, draw = jax.random.split(state.key, 3)
            state, tally = self._collect(act, state._replace(key=key), params)
            state, losses = self._learn(state, self.gathering.draw(draw, state.experience, state.replay))
            return state, (tally, losses)

        state, (tallies, losses) = jax.lax.scan(a_round, state, length=self.settings.rounds)
        taught = jnp.maximum(jnp.sum(losses.pop("taught")), 1.0)
        losses = {name: jnp.sum(each) / taught for name, each in losses.items()}  # 0 before learning starts
        return state, Progress(totals(tallies), {**losses, "epsilon": self.epsilon(state.experience.steps)})

    # Collecting

    def epsilon(self, steps: Array) -> Array:
        """The share of random actions after so many steps."""
        s = self.settings
        done = steps.astype(jnp.float32)
        if s.decay_rate is not None:
            return jnp.maximum(s.initial_epsilon * s.decay_rate**done, s.final_epsilon)
        progress = jnp.minimum(done / (s.exploration_fraction * s.steps), 1.0)
        return s.initial_epsilon + progress * (s.final_epsilon - s.initial_epsilon)

    def _collect(self, key: Array, state: DQNState, params: Any) -> tuple[DQNState, Tally]:
        s = self.settings

        def choose(key: Array, observation: Array, steps: Array) -> Array:
            best = jnp.argmax(state.network(observation), axis=-1).astype(jnp.int32)
            return self.gathering.explored(key, best, self.epsilon(steps), steps)

        experience, rows, tally = self.gathering.gather(key, state.experience, choose, params)
        due = experience.steps // s.target_update > state.experience.steps // s.target_update
        target = nearer(state.target, state.network, s.tau, due)
        return state._replace(experience=experience, replay=add(state.replay, rows), target=target), tally

    # Learning

    def _learn(self, state: DQNState, batches: Memories) -> tuple[DQNState, dict[str, Array]]:
        def step(carry: tuple[MLP, Any], batch: Memories) -> tuple[tuple[MLP, Any], dict[str, Array]]:
            network, optimiser = carry
            gradient, losses = jax.grad(self._loss, has_aux=True)(network, state.target, batch)
            change, optimiser = self.optimiser.update(gradient, optimiser)
            return (optax.apply_updates(network, change), optimiser), losses

        def learned(carry: tuple[MLP, Any, dict[str, Array]]) -> tuple[MLP, Any, dict[str, Array]]:
            (network, optimiser), losses = jax.lax.scan(step, carry[:2], batches)
            return network, optimiser, {name: jnp.mean(each) for name, each in losses.items()}

        nothing = {name: jnp.zeros((), jnp.float32) for name in ("value_loss", "value", "taught")}
        before = (state.network, state.optimiser, nothing)
        network, optimiser, losses = only_if(self.gathering.ready(state.experience), learned, before)
        return state._replace(network=network, optimiser=optimiser), losses

    def _loss(self, network: MLP, target: MLP, batch: Memories) -> tuple[Array, dict[str, Array]]:
        values = network(batch.observation)
        value = jnp.take_along_axis(values, batch.choice[:, None], axis=-1)[:, 0]
        aim = jax.lax.stop_gradient(self._aim(network, target, batch))
        loss = jnp.mean(optax.huber_loss(value, aim))
        return loss, {"value_loss": loss, "value": jnp.mean(value), "taught": jnp.ones((), jnp.float32)}

    def _aim(self, network: MLP, target: MLP, batch: Memories) -> Array:
        """What the chosen actions should be worth."""
        following = target(batch.following)
        # van Hasselt, Guez and Silver 2016, eq. 4: one network selects, the other evaluates. Mnih et al. 2015: one does
        # both.
        best = jnp.argmax(network(batch.following) if self.settings.double else following, axis=-1)
        after = jnp.take_along_axis(following, best[:, None], axis=-1)[:, 0]
        return batch.reward + self.settings.discount * jnp.where(batch.terminated, 0.0, after)
