"""Soft actor-critic: continuous (Haarnoja et al. 2018, arXiv:1812.05905) or discrete (Christodoulou 2019).

Details follow Stable-Baselines3, which has the continuous one, so that equal settings can be compared. Continuous
choices are squashed Gaussians; with discrete ones, expectations over the actions are taken instead of draws.
"""

from __future__ import annotations

import dataclasses
import math
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.actions import Categorical, Gaussian, outputs
from phytotron.agents.base import Progress
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.off_policy import Experience, Gathering, OffPolicySettings, nearer, only_if, totals
from phytotron.agents.policy import Policy, scaling_of
from phytotron.agents.replay import Memories, Replay, add
from phytotron.core.environment import Environment
from phytotron.core.errors import ValueRangeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.fleet import Tally

LOG_STD_RANGE = (-20.0, 2.0)
LOSSES = ("critic_loss", "actor_loss", "value", "entropy", "entropy_coefficient", "taught")


@dataclasses.dataclass(frozen=True, kw_only=True)
class SACSettings(OffPolicySettings):
    """Defaults are those of Stable-Baselines3, with a smaller buffer and normalisation.

    `target_update` counts gradient steps. The entropy coefficient starts at `entropy`; if `automatic`, it is moved so
    that the entropy comes to its target.
    """

    entropy: float = 1.0
    automatic: bool = True
    target_entropy: float | None = None  # None: minus the number of components, or by the share below
    target_entropy_share: float = 0.98  # of the logarithm of the number of discrete actions, Christodoulou 2019
    random_share: float = 0.0  # of uniform choices in training, besides those that the actor draws

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.entropy > 0.0:
            raise ValueRangeError("entropy", self.entropy, "above 0")
        for name in ("target_entropy_share", "random_share"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueRangeError(name, getattr(self, name), "between 0 and 1")
        if self.target_entropy is not None and not math.isfinite(self.target_entropy):
            raise ValueRangeError("target_entropy", self.target_entropy, "a finite number")


class Learners(NamedTuple):
    """What is learned; also one optimiser state for each."""

    actor: Any
    critics: Any  # two, stacked
    log_entropy: Any  # logarithm of the entropy coefficient


class SACState(NamedTuple):
    key: Array
    experience: Experience
    replay: Replay
    learners: Learners
    target: MLP  # of the critics
    optimisers: Learners
    gradients: Array  # steps done


class Pupils(NamedTuple):
    """What a gradient step changes."""

    learners: Learners
    target: MLP
    optimisers: Learners
    gradients: Array


@dataclasses.dataclass(frozen=True, eq=False)
class SAC:
    """Learns in any environment of the contract, with continuous or discrete actions."""

    Settings: ClassVar[type[SACSettings]] = SACSettings

    environment: Environment[Any, Any]
    settings: SACSettings = dataclasses.field(default_factory=SACSettings)

    @property
    def steps_per_update(self) -> int:
        return self.settings.steps_per_round * self.settings.rounds

    @cached_property
    def gathering(self) -> Gathering:
        return Gathering(self.environment, self.settings)

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        return self.settings.adam()

    @cached_property
    def target_entropy(self) -> float:
        s, said = self.settings, outputs(self.environment.action_space)
        if s.target_entropy is not None:
            return s.target_entropy
        return s.target_entropy_share * math.log(said) if self._discrete else -float(said)

    @cached_property
    def _discrete(self) -> bool:
        return isinstance(self.environment.action_space, Discrete)

    def init(self, key: Array, params: Any) -> SACState:
        s = self.settings
        key, start, of_actor, of_critics = jax.random.split(key, 4)
        seen, said = self.environment.observation_space.shape[0], outputs(self.environment.action_space)
        actor = mlp(of_actor, seen, s.hidden, said if self._discrete else 2 * said, s.activation, orthogonal=False)
        judged = (seen, said) if self._discrete else (seen + said, 1)
        critics = jax.vmap(lambda key: mlp(key, judged[0], s.hidden, judged[1], s.activation, orthogonal=False))(
            jax.random.split(of_critics)
        )
        learners = Learners(actor, critics, jnp.asarray(math.log(s.entropy), jnp.float32))
        optimisers = Learners(*map(self.optimiser.init, learners))
        experience, kept = self.gathering.start(start, params), self.gathering.empty_replay()
        return SACState(key, experience, kept, learners, critics, optimisers, jnp.zeros((), jnp.int32))

    def policy(self, state: SACState) -> Policy:
        space = self.environment.action_space
        nothing = jnp.zeros(outputs(space), jnp.float32)
        head = "categorical" if self._discrete else "squashed"
        moments, clip = state.experience.observations, self.settings.observation_clip
        return Policy(state.learners.actor, moments, nothing, scaling_of(space), head, clip)

    def update(self, state: SACState, params: Any) -> tuple[SACState, Progress]:
        """Rounds of collecting experience and learning from it."""

        def a_round(state: SACState, _: None) -> tuple[SACState, tuple[Tally, dict[str, Array]]]:
            key, act, draw, noise = jax.random.split(state.key, 4)
            state, tally = self._collect(act, state._replace(key=key), params)
            batches = self.gathering.draw(draw, state.experience, state.replay)
            state, losses = self._learn(noise, state, batches)
            return state, (tally, losses)

        state, (tallies, losses) = jax.lax.scan(a_round, state, length=self.settings.rounds)
        taught = jnp.maximum(jnp.sum(losses.pop("taught")), 1.0)
        losses = {name: jnp.sum(each) / taught for name, each in losses.items()}  # 0 before learning starts
        return state, Progress(totals(tallies), losses)

    # Collecting

    def _collect(self, key: Array, state: SACState, params: Any) -> tuple[SACState, Tally]:
        def choose(key: Array, observation: Array, steps: Array) -> Array:
            draw, explore = jax.random.split(key)
            if self._discrete:
                choice = Categorical(state.learners.actor(observation)).sample(draw)
            else:
                choice = squashed(state.learners.actor(observation), draw)[0]
            return self.gathering.explored(explore, choice, jnp.float32(self.settings.random_share), steps)

        experience, rows, tally = self.gathering.gather(key, state.experience, choose, params)
        return state._replace(experience=experience, replay=add(state.replay, rows)), tally

    # Learning

    def _learn(self, key: Array, state: SACState, batches: Memories) -> tuple[SACState, dict[str, Array]]:
        keys = jax.random.split(key, self.settings.gradient_steps)

        def learned(carry: tuple[Pupils, dict[str, Array]]) -> tuple[Pupils, dict[str, Array]]:
            pupils, losses = jax.lax.scan(self._step, carry[0], (keys, batches))
            return pupils, {name: jnp.mean(each) for name, each in losses.items()}

        nothing = {name: jnp.zeros((), jnp.float32) for name in LOSSES}
        before = Pupils(state.learners, state.target, state.optimisers, state.gradients)
        pupils, losses = only_if(self.gathering.ready(state.experience), learned, (before, nothing))
        return state._replace(**pupils._asdict()), losses

    def _step(self, pupils: Pupils, given: tuple[Array, Memories]) -> tuple[Pupils, dict[str, Array]]:
        """A gradient step of the critics, of the actor and of the entropy coefficient."""
        (keys, batch), s = given, self.settings
        of_actor, of_aim = jax.random.split(keys)
        (actor, critics, log_entropy), optimisers = pupils.learners, pupils.optimisers
        coefficient = jnp.exp(log_entropy)

        aim = self._aim(of_aim, actor, pupils.target, coefficient, batch)
        (critic_loss, value), gradient = jax.value_and_grad(self._critic_loss, has_aux=True)(critics, batch, aim)
        critics, of_critics = self._changed(critics, gradient, optimisers.critics)

        (actor_loss, entropy), gradient = jax.value_and_grad(self._actor_loss, has_aux=True)(
            actor, critics, coefficient, of_actor, batch
        )
        actor, of_actor_state = self._changed(actor, gradient, optimisers.actor)
        of_entropy = optimisers.log_entropy
        if s.automatic:
            # Haarnoja et al. 2018, eq. 18, for the logarithm of the coefficient
            log_entropy, of_entropy = self._changed(log_entropy, entropy - self.target_entropy, of_entropy)

        gradients = pupils.gradients + 1
        target = nearer(pupils.target, critics, s.tau, gradients % s.target_update == 0)
        learners, optimisers = Learners(actor, critics, log_entropy), Learners(of_actor_state, of_critics, of_entropy)
        found = (critic_loss, actor_loss, value, entropy, coefficient, jnp.ones((), jnp.float32))
        return Pupils(learners, target, optimisers, gradients), dict(zip(LOSSES, found, strict=True))

    def _changed(self, learner: Any, gradient: Any, optimiser: Any) -> tuple[Any, Any]:
        change, optimiser = self.optimiser.update(gradient, optimiser)
        return optax.apply_updates(learner, change), optimiser

    def _critic_loss(self, critics: MLP, batch: Memories, aim: Array) -> tuple[Array, Array]:
        if self._discrete:
            values = jnp.take_along_axis(both(critics, batch.observation), batch.choice[None, :, None], axis=-1)[..., 0]
        else:
            values = both(critics, jnp.concatenate([batch.observation, batch.choice], axis=-1))[..., 0]
        return 0.5 * jnp.sum(jnp.mean((values - aim) ** 2, axis=-1)), jnp.mean(values)

    def _actor_loss(
        self, actor: MLP, critics: MLP, coefficient: Array, key: Array, batch: Memories
    ) -> tuple[Array, Array]:
        """And the entropy."""
        value, entropy = self._soft(key, actor, critics, batch.observation)
        return -jnp.mean(value + coefficient * entropy), jnp.mean(entropy)

    def _aim(self, key: Array, actor: MLP, target: MLP, coefficient: Array, batch: Memories) -> Array:
        """What the critics should say. Haarnoja et al. 2018, eq. 2 and 3."""
        value, entropy = self._soft(key, actor, target, batch.following)
        after = value + coefficient * entropy
        return batch.reward + self.settings.discount * jnp.where(batch.terminated, 0.0, after)

    def _soft(self, key: Array, actor: MLP, critics: MLP, observation: Array) -> tuple[Array, Array]:
        """What the actor's choice is worth by the lesser of the critics, and its entropy."""
        said = actor(observation)
        if self._discrete:
            # Christodoulou 2019, eq. 10 to 12: expectations over the actions
            each = jax.nn.log_softmax(said)
            values = jnp.min(both(critics, observation), axis=0)
            return jnp.sum(jnp.exp(each) * values, axis=-1), Categorical(said).entropy()
        choice, log_probability = squashed(said, key)
        values = both(critics, jnp.concatenate([observation, choice], axis=-1))[..., 0]
        return jnp.min(values, axis=0), -log_probability


def both(critics: MLP, seen: Array) -> Array:
    """What each of the two says: (2, ...)."""
    return jax.vmap(lambda critic: critic(seen))(critics)


def squashed(said: Array, key: Array) -> tuple[Array, Array]:
    """A draw within (-1, 1) and its logarithm of probability, by what the actor says.

    Haarnoja et al. 2018, appendix C, eq. 21; log(1 - tanh(x)^2) is written so that it stays finite.
    """
    mean, log_std = jnp.split(said, 2, axis=-1)
    plain = Gaussian(mean, jnp.clip(log_std, *LOG_STD_RANGE))
    drawn = plain.sample(key)
    slope = 2.0 * (math.log(2.0) - drawn - jax.nn.softplus(-2.0 * drawn))
    return jnp.tanh(drawn), plain.log_probability(drawn) - jnp.sum(slope, axis=-1)
