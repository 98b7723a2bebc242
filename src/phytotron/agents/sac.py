"""Soft actor-critic: continuous (Haarnoja et al. 2018, arXiv:1812.05905) or discrete (Christodoulou 2019).

Details follow Stable-Baselines3, which has the continuous one, so that equal settings can be compared. Continuous
choices are squashed Gaussians; with discrete ones, expectations over the actions are taken instead of draws.
"""

import dataclasses
import math
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.agents.actions import LOG_STD_RANGE, Categorical, Gaussian
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.off_policy import Losses, OffPolicyLearner, OffPolicySettings, OffPolicyState, nearer
from phytotron.agents.policy import Policy
from phytotron.agents.replay import ReplayBatch
from phytotron.agents.settings import FINITE, POSITIVE, SHARE, within


@dataclasses.dataclass(frozen=True, kw_only=True)
class SACSettings(OffPolicySettings):
    """Settings of SAC. Defaults are those of Stable-Baselines3, with a smaller buffer and normalisation.

    `target_update` counts gradient steps. The entropy coefficient starts at `entropy`; if `automatic`, it is adjusted
    so that the entropy approaches its target.
    """

    entropy: float = within(POSITIVE, 1.0)
    automatic: bool = True
    target_entropy: float | None = within(FINITE, None)  # None: minus the components, or by the share below
    target_entropy_share: float = within(SHARE, 0.98)  # of log(number of discrete actions), Christodoulou 2019
    random_share: float = within(SHARE, 0.0)  # of uniform choices in training, besides those that the actor draws


class Trainable(NamedTuple):
    """The actor, the critics and the entropy coefficient, or the optimiser states of these."""

    actor: Any
    critics: Any  # two, stacked
    log_entropy: Any  # logarithm of the entropy coefficient


class SACNetworks(NamedTuple):
    """Everything that a gradient step changes: networks, target networks and optimiser states."""

    trainable: Trainable
    target: MLP  # of the critics
    optimisers: Trainable
    gradients: Array  # steps done


@dataclasses.dataclass(frozen=True, eq=False)
class SAC(OffPolicyLearner[SACSettings]):
    """An agent that learns an actor and two critics, with continuous or discrete actions."""

    Settings = SACSettings
    losses = ("critic_loss", "actor_loss", "value", "entropy", "entropy_coefficient")

    settings: SACSettings = dataclasses.field(default_factory=SACSettings)

    @cached_property
    def target_entropy(self) -> float:
        """The entropy that the adjustment of the coefficient aims at."""
        s, outputs = self.settings, self.sizes[1]
        if s.target_entropy is not None:
            return s.target_entropy
        return s.target_entropy_share * math.log(outputs) if self.discrete else -float(outputs)

    def initial_networks(self, keys: Array) -> SACNetworks:
        s, (inputs, outputs) = self.settings, self.sizes
        actor = mlp(
            keys[0], inputs, s.hidden, outputs if self.discrete else 2 * outputs, s.activation, orthogonal=False
        )
        judged = (inputs, outputs) if self.discrete else (inputs + outputs, 1)
        critics = jax.vmap(lambda key: mlp(key, judged[0], s.hidden, judged[1], s.activation, orthogonal=False))(
            jax.random.split(keys[1])
        )
        trainable = Trainable(actor, critics, jnp.asarray(math.log(s.entropy), jnp.float32))
        return SACNetworks(
            trainable, critics, Trainable(*map(self.optimiser.init, trainable)), jnp.zeros((), jnp.int32)
        )

    def policy(self, state: OffPolicyState) -> Policy:
        """Return the policy of its actor."""
        return self.policy_of(state.learned.trainable.actor, state.experience, "squashed")

    def choose(self, learned: SACNetworks, key: Array, observation: Array, steps: Array) -> Array:
        draw, explore = jax.random.split(key)
        logits = learned.trainable.actor(observation)
        choice = Categorical(logits).sample(draw) if self.discrete else squashed(logits, draw)[0]
        return self.explored(explore, choice, jnp.float32(self.settings.random_share), steps)

    # Learning

    def gradient_step(self, learned: SACNetworks, given: tuple[Array, ReplayBatch]) -> tuple[SACNetworks, Losses]:
        """Take a gradient step of the critics, of the actor and of the entropy coefficient."""
        (key, batch), s = given, self.settings
        of_actor, of_aim = jax.random.split(key)
        (actor, critics, log_entropy), optimisers = learned.trainable, learned.optimisers
        coefficient = jnp.exp(log_entropy)

        aim = self._targets(of_aim, actor, learned.target, coefficient, batch)
        (critic_loss, value), gradient = jax.value_and_grad(self._critic_loss, has_aux=True)(critics, batch, aim)
        critics, of_critics = self.changed(critics, gradient, optimisers.critics)

        (actor_loss, entropy), gradient = jax.value_and_grad(self._actor_loss, has_aux=True)(
            actor, critics, coefficient, of_actor, batch
        )
        actor, of_actor_state = self.changed(actor, gradient, optimisers.actor)
        of_entropy = optimisers.log_entropy
        if s.automatic:
            # Haarnoja et al. 2018, eq. 18, for the logarithm of the coefficient
            log_entropy, of_entropy = self.changed(log_entropy, entropy - self.target_entropy, of_entropy)

        gradients = learned.gradients + 1
        target = nearer(learned.target, critics, s.tau, gradients % s.target_update == 0)
        trainable = Trainable(actor, critics, log_entropy)
        optimisers = Trainable(of_actor_state, of_critics, of_entropy)
        found = (critic_loss, actor_loss, value, entropy, coefficient)
        return SACNetworks(trainable, target, optimisers, gradients), dict(zip(self.losses, found, strict=True))

    def _critic_loss(self, critics: MLP, batch: ReplayBatch, aim: Array) -> tuple[Array, Array]:
        if self.discrete:
            values = jnp.take_along_axis(both(critics, batch.observation), batch.choice[None, :, None], axis=-1)[..., 0]
        else:
            values = both(critics, jnp.concatenate([batch.observation, batch.choice], axis=-1))[..., 0]
        return 0.5 * jnp.sum(jnp.mean((values - aim) ** 2, axis=-1)), jnp.mean(values)

    def _actor_loss(
        self, actor: MLP, critics: MLP, coefficient: Array, key: Array, batch: ReplayBatch
    ) -> tuple[Array, Array]:
        """Return the loss of the actor and its entropy."""
        value, entropy = self._soft(key, actor, critics, batch.observation)
        return -jnp.mean(value + coefficient * entropy), jnp.mean(entropy)

    def _targets(self, key: Array, actor: MLP, target: MLP, coefficient: Array, batch: ReplayBatch) -> Array:
        """Return the soft Bellman targets (batch,). Haarnoja et al. 2018, eq. 2 and 3."""
        value, entropy = self._soft(key, actor, target, batch.following)
        after = value + coefficient * entropy
        return batch.reward + self.settings.discount * jnp.where(batch.terminated, 0.0, after)

    def _soft(self, key: Array, actor: MLP, critics: MLP, observation: Array) -> tuple[Array, Array]:
        """Return the value of the actor's choice by the lesser of the critics, and the entropy of the choice."""
        logits = actor(observation)
        if self.discrete:
            # Christodoulou 2019, eq. 10 to 12: expectations over the actions
            each = jax.nn.log_softmax(logits)
            values = jnp.min(both(critics, observation), axis=0)
            return jnp.sum(jnp.exp(each) * values, axis=-1), Categorical(logits).entropy()
        choice, log_probability = squashed(logits, key)
        values = both(critics, jnp.concatenate([observation, choice], axis=-1))[..., 0]
        return jnp.min(values, axis=0), -log_probability


def both(critics: MLP, inputs: Array) -> Array:
    """Return the outputs of the two critics, (2, ...)."""
    return jax.vmap(lambda critic: critic(inputs))(critics)


def squashed(parameters: Array, key: Array) -> tuple[Array, Array]:
    """Return a draw within (-1, 1) and the logarithm of its probability, from the outputs of the actor.

    Haarnoja et al. 2018, appendix C, eq. 21; log(1 - tanh(x)^2) is written so that it stays finite.
    """
    mean, log_std = jnp.split(parameters, 2, axis=-1)
    plain = Gaussian(mean, jnp.clip(log_std, *LOG_STD_RANGE))
    drawn = plain.sample(key)
    slope = 2.0 * (math.log(2.0) - drawn - jax.nn.softplus(-2.0 * drawn))
    return jnp.tanh(drawn), plain.log_probability(drawn) - jnp.sum(slope, axis=-1)
