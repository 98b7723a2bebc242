"""Proximal policy optimisation (Schulman, Wolski, Dhariwal, Radford and Klimov 2017).

Details follow Stable-Baselines3, so that equal settings can be compared: separate actor and critic, one Adam for both,
advantages normalised in each minibatch, the value of the last observation added where time was up.
"""

import dataclasses
from functools import cached_property
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.actions import Categorical, Gaussian
from phytotron.agents.base import Progress
from phytotron.agents.imitation import imitate
from phytotron.agents.learner import Experience, ReturnLearner, rows_of, totals
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.policy import Policy
from phytotron.agents.settings import NATURAL, POSITIVE, SHARE, WHOLE, WIDTHS, ReturnSettings, within
from phytotron.controllers.registry import make_controller
from phytotron.core.errors import ValueRangeError
from phytotron.episodes.vector_environment import EpisodeSums

ADAM_EPSILON = 1e-5


@dataclasses.dataclass(frozen=True, kw_only=True)
class PPOSettings(ReturnSettings):
    """Settings of PPO. Defaults are those of Stable-Baselines3, with several environments."""

    num_envs: int = within(WHOLE, 8)
    rollout: int = within(WHOLE, 256)  # choices in each environment between updates
    hold: int = within(WHOLE, 1)  # steps for which a choice holds in training; its policy chooses at every step
    minibatch: int = within(WHOLE, 64)
    epochs: int = within(WHOLE, 10)
    gae_lambda: float = within(SHARE, 0.95)
    clip: float = within(POSITIVE, 0.2)
    value_clip: float | None = None
    entropy: float = 0.0
    entropy_end: float | None = None  # reached in a straight line at the last step; None: constant
    value_weight: float = 0.5
    learning_rate_end: float | None = None  # reached in a straight line at the last step; None: constant
    max_gradient_norm: float = within(POSITIVE, 0.5)
    actor: tuple[int, ...] = within(WIDTHS, (64, 64))
    critic: tuple[int, ...] = within(WIDTHS, (64, 64))
    orthogonal: bool = True
    initial_log_std: float = 0.0
    imitate: str | None = None  # name of a controller that the actor is to begin as
    imitation_rounds: int = within(NATURAL, 300)  # of 64 steps of each environment; they do not count as training
    critic_first: int = within(NATURAL, 0)  # updates of the critic alone, for an actor that is good from the start
    steps: int = within(WHOLE, 1_000_000)  # of training in all

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minibatch < 2:
            expected = "at least 2, as the advantages of a minibatch are compared with their mean"
            raise ValueRangeError("minibatch", self.minibatch, expected)
        if (self.num_envs * self.rollout) % self.minibatch:
            expected = f"a divisor of num_envs x rollout = {self.num_envs * self.rollout}"
            raise ValueRangeError("minibatch", self.minibatch, expected)


class Networks(eqx.Module):
    """The networks that PPO learns."""

    actor: MLP
    critic: MLP
    log_std: Array


class PPOState(NamedTuple):
    """The state of training."""

    key: Array
    experience: Experience
    networks: Networks
    optimiser: Any


class Rollout(NamedTuple):
    """The transitions between two updates; arrays are (steps, environments, ...)."""

    observation: Array  # normalised
    choice: Array
    log_probability: Array
    reward: Array  # normalised
    following: Array  # normalised
    terminated: Array
    truncated: Array


class TrainingBatch(NamedTuple):
    """The transitions of a rollout with their values, advantages and targets, from which minibatches are drawn."""

    observation: Array
    choice: Array
    log_probability: Array
    value: Array
    advantage: Array
    target: Array


@dataclasses.dataclass(frozen=True, eq=False)
class PPO(ReturnLearner[PPOSettings]):
    """An agent that learns an actor and a critic, with continuous or discrete actions."""

    Settings = PPOSettings

    settings: PPOSettings = dataclasses.field(default_factory=PPOSettings)

    @property
    def steps_per_update(self) -> int:
        """Environment steps of an update."""
        return self._choices_per_update * self.settings.hold

    @property
    def _choices_per_update(self) -> int:
        return self.settings.num_envs * self.settings.rollout

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        """Adam, with a limit on the norm of the gradient and a learning rate that may fall."""
        s = self.settings
        rate: Any = s.learning_rate
        if s.learning_rate_end is not None:
            gradients = -(-s.steps // self.steps_per_update) * s.epochs * (self._choices_per_update // s.minibatch)
            rate = optax.linear_schedule(s.learning_rate, s.learning_rate_end, gradients)
        return optax.chain(optax.clip_by_global_norm(s.max_gradient_norm), optax.adam(rate, eps=ADAM_EPSILON))

    def init(self, key: Array, params: Any) -> PPOState:
        """Return the state before the first update; if the actor is to imitate a controller, it has done so by then."""
        s, (inputs, outputs) = self.settings, self.sizes
        key, start, of_actor, of_critic = jax.random.split(key, 4)
        actor = mlp(of_actor, inputs, s.actor, outputs, s.activation, orthogonal=s.orthogonal, last_gain=0.01)
        critic = mlp(of_critic, inputs, s.critic, 1, s.activation, orthogonal=s.orthogonal)
        experience = self.start(start, params)
        if s.imitate is not None and s.imitation_rounds > 0:
            key, of_clone = jax.random.split(key)
            controller = make_controller(s.imitate, self.environment)
            clone = imitate(controller, self, experience, actor, of_clone, params, s.imitation_rounds)
            actor, experience = clone.network, clone.experience
        networks = Networks(actor, critic, jnp.full(outputs, s.initial_log_std, jnp.float32))
        return PPOState(key, experience, networks, self.optimiser.init(networks))

    def policy(self, state: PPOState) -> Policy:
        """Return the policy of its actor."""
        return self.policy_of(state.networks.actor, state.experience, "gaussian", state.networks.log_std)

    def update(self, state: PPOState, params: Any) -> tuple[PPOState, Progress]:
        """Collect a rollout, then learn from it for some epochs."""
        weights = self._actor_weights(state.experience.steps)
        state, rollout, episode_sums = self._collect(state, params)
        batch = self._with_advantages(state.networks, rollout)
        key, shuffle = jax.random.split(state.key)
        networks, optimiser, losses = self._learn(shuffle, state.networks, state.optimiser, batch, weights)
        return PPOState(key, state.experience, networks, optimiser), Progress(episode_sums, losses)

    # Collecting

    def _distribution(self, networks: Networks, observation: Array) -> Categorical | Gaussian:
        logits = networks.actor(observation)
        return Categorical(logits) if self.discrete else Gaussian(logits, networks.log_std)

    def _collect(self, state: PPOState, params: Any) -> tuple[PPOState, Rollout, EpisodeSums]:
        def step(
            before: tuple[Array, Experience], _: None
        ) -> tuple[tuple[Array, Experience], tuple[Rollout, EpisodeSums]]:
            key, draw = jax.random.split(before[0])
            observation = self.normalised(before[1], before[1].environments.observation)
            choices = self._distribution(state.networks, observation)
            choice = choices.sample(draw)
            now, moved, episode_sums = self.act(before[1], choice, params, self.settings.hold)
            row = Rollout(
                observation,
                choice,
                choices.log_probability(choice),
                self.scaled(now, moved.reward),
                self.normalised(now, moved.following),
                moved.terminated,
                moved.truncated,
            )
            return (key, now), (row, episode_sums)

        start = (state.key, state.experience)
        (key, experience), (rollout, sums_by_step) = jax.lax.scan(step, start, length=self.settings.rollout)
        return state._replace(key=key, experience=experience), rollout, totals(sums_by_step)

    # Judging

    def _with_advantages(self, networks: Networks, rows: Rollout) -> TrainingBatch:
        """Return the rollout as a training batch, with generalised advantage estimates (Schulman et al. 2016)."""
        s = self.settings
        value, following = (networks.critic(each)[..., 0] for each in (rows.observation, rows.following))
        error = rows.reward + s.discount * jnp.where(rows.terminated, 0.0, following) - value
        goes_on = ~(rows.terminated | rows.truncated)

        def backwards(later: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
            error, goes_on = now
            advantage = error + s.discount * s.gae_lambda * jnp.where(goes_on, later, 0.0)
            return advantage, advantage

        _, advantage = jax.lax.scan(backwards, jnp.zeros_like(value[0]), (error, goes_on), reverse=True)
        return TrainingBatch(rows.observation, rows.choice, rows.log_probability, value, advantage, advantage + value)

    # Learning

    def _actor_weights(self, steps: Array) -> tuple[Array, Array]:
        """Return the weights in the loss after some steps: of the policy and, within it, of its entropy."""
        s = self.settings
        done = jnp.minimum(steps / s.steps, 1.0)
        end = s.entropy if s.entropy_end is None else s.entropy_end
        return jnp.where(steps < s.critic_first * self.steps_per_update, 0.0, 1.0), s.entropy + done * (end - s.entropy)

    def _learn(
        self, key: Array, networks: Networks, optimiser: Any, batch: TrainingBatch, weights: tuple[Array, Array]
    ) -> tuple[Networks, Any, dict[str, Array]]:
        rows = rows_of(batch)
        size = self.settings.minibatch

        def minibatch(carry: tuple[Networks, Any], chosen: Array) -> tuple[tuple[Networks, Any], dict[str, Array]]:
            networks, optimiser = carry
            part = jax.tree.map(lambda each: each[chosen], rows)
            losses, gradient = jax.grad(self._loss, has_aux=True)(networks, part, weights)[::-1]
            change, optimiser = self.optimiser.update(gradient, optimiser)
            return (optax.apply_updates(networks, change), optimiser), losses

        def epoch(carry: tuple[Networks, Any], key: Array) -> tuple[tuple[Networks, Any], dict[str, Array]]:
            order = jax.random.permutation(key, self._choices_per_update).reshape(-1, size)
            return jax.lax.scan(minibatch, carry, order)

        keys = jax.random.split(key, self.settings.epochs)
        (networks, optimiser), losses = jax.lax.scan(epoch, (networks, optimiser), keys)
        return networks, optimiser, {name: jnp.mean(each) for name, each in losses.items()}

    def _loss(
        self, networks: Networks, part: TrainingBatch, weights: tuple[Array, Array]
    ) -> tuple[Array, dict[str, Array]]:
        s = self.settings
        policy_weight, entropy_weight = weights
        choices = self._distribution(networks, part.observation)
        log_ratio = choices.log_probability(part.choice) - part.log_probability
        ratio = jnp.exp(log_ratio)
        advantage = (part.advantage - jnp.mean(part.advantage)) / (jnp.std(part.advantage) + 1e-8)
        clipped = jnp.clip(ratio, 1.0 - s.clip, 1.0 + s.clip)
        policy = -jnp.mean(jnp.minimum(ratio * advantage, clipped * advantage))

        value = networks.critic(part.observation)[..., 0]
        if s.value_clip is not None:
            value = part.value + jnp.clip(value - part.value, -s.value_clip, s.value_clip)
        error = jnp.mean((part.target - value) ** 2)
        entropy = jnp.mean(choices.entropy())
        spread = jnp.var(part.target)
        losses = {
            "policy_loss": policy,
            "value_loss": error,
            "entropy": entropy,
            "divergence": jnp.mean(ratio - 1.0 - log_ratio),  # Schulman 2020, an estimate of the KL divergence
            "clipped": jnp.mean(jnp.abs(ratio - 1.0) > s.clip),
            "explained_variance": 1.0 - jnp.mean((part.target - value) ** 2) / (spread + 1e-8),
        }
        return policy_weight * (policy - entropy_weight * entropy) + s.value_weight * error, losses
