"""Proximal policy optimisation (Schulman, Wolski, Dhariwal, Radford and Klimov 2017).

Details follow Stable-Baselines3, so that equal settings can be compared: separate actor and critic, one Adam for both,
advantages normalised in each minibatch, the value of the last observation added where time was up.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from phytotron.agents.actions import Categorical, Distribution, Gaussian, Scaling, outputs
from phytotron.agents.base import Progress
from phytotron.agents.imitation import Clone, imitate
from phytotron.agents.networks import MLP, check_network, mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy, scaling_of
from phytotron.controllers.registry import make_controller
from phytotron.core.environment import Environment
from phytotron.core.errors import ValueRangeError
from phytotron.core.spaces import Discrete
from phytotron.episodes.fleet import Fleet, FleetState, Tally

ADAM_EPSILON = 1e-5


@dataclasses.dataclass(frozen=True, kw_only=True)
class PPOSettings:
    """Defaults are those of Stable-Baselines3, with several environments."""

    num_envs: int = 8
    rollout: int = 256  # steps of each environment between updates
    minibatch: int = 64
    epochs: int = 10
    discount: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    value_clip: float | None = None
    entropy: float = 0.0
    entropy_end: float | None = None  # reached in a straight line at the last step; None: constant
    value_weight: float = 0.5
    learning_rate: float = 3e-4
    learning_rate_end: float | None = None  # reached in a straight line at the last step; None: constant
    max_gradient_norm: float = 0.5
    actor: tuple[int, ...] = (64, 64)
    critic: tuple[int, ...] = (64, 64)
    activation: str = "tanh"
    orthogonal: bool = True
    initial_log_std: float = 0.0
    normalise_observations: bool = True
    clip_observation: float = 10.0
    normalise_rewards: bool = True
    clip_reward: float = 10.0
    staggered: bool = False
    imitate: str | None = None  # name of a controller that the actor is to begin as
    imitation_rounds: int = 300  # of 64 steps of each environment; they do not count as training
    critic_first: int = 0  # updates that teach the critic alone, for an actor that is good from the start
    steps: int = 1_000_000  # of training in all

    def __post_init__(self) -> None:
        for name in ("num_envs", "rollout", "minibatch", "epochs", "steps"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 1):
                raise ValueRangeError(name, getattr(self, name), "a whole number, at least 1")
        for name in ("discount", "gae_lambda"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueRangeError(name, getattr(self, name), "between 0 and 1")
        for name in ("clip", "learning_rate", "max_gradient_norm", "clip_observation", "clip_reward"):
            if not getattr(self, name) > 0.0:
                raise ValueRangeError(name, getattr(self, name), "above 0")
        if (self.num_envs * self.rollout) % self.minibatch:
            expected = f"a divisor of num_envs x rollout = {self.num_envs * self.rollout}"
            raise ValueRangeError("minibatch", self.minibatch, expected)
        for widths in (self.actor, self.critic):
            check_network(widths, self.activation)

    @property
    def observation_clip(self) -> float:
        """Of normalised observations; as good as none for those that stay as they are."""
        return self.clip_observation if self.normalise_observations else float(np.finfo(np.float32).max)


class Networks(eqx.Module):
    """What is learned."""

    actor: MLP
    critic: MLP
    log_std: Array


class PPOState(NamedTuple):
    key: Array
    fleet: FleetState
    networks: Networks
    optimiser: Any
    observations: Moments
    returns: Moments  # of the discounted returns
    discounted: Array  # return so far of each environment
    updates: Array


class Experience(NamedTuple):
    """Rows of a rollout: (steps, environments, ...), later shuffled."""

    observation: Array  # normalised
    choice: Array
    log_probability: Array
    reward: Array  # normalised
    following: Array  # normalised
    terminated: Array
    truncated: Array


class Lesson(NamedTuple):
    """What a minibatch is made of."""

    observation: Array
    choice: Array
    log_probability: Array
    value: Array
    advantage: Array
    target: Array


@dataclasses.dataclass(frozen=True, eq=False)
class PPO:
    """Learns in any environment of the contract, with continuous or discrete actions."""

    Settings: ClassVar[type[PPOSettings]] = PPOSettings

    environment: Environment[Any, Any]
    settings: PPOSettings = dataclasses.field(default_factory=PPOSettings)

    @property
    def steps_per_update(self) -> int:
        return self.settings.num_envs * self.settings.rollout

    @cached_property
    def fleet(self) -> Fleet:
        return Fleet(self.environment, self.settings.num_envs, self.settings.staggered)

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        s = self.settings
        rate: Any = s.learning_rate
        if s.learning_rate_end is not None:
            gradients = -(-s.steps // self.steps_per_update) * s.epochs * (self.steps_per_update // s.minibatch)
            rate = optax.linear_schedule(s.learning_rate, s.learning_rate_end, gradients)
        return optax.chain(optax.clip_by_global_norm(s.max_gradient_norm), optax.adam(rate, eps=ADAM_EPSILON))

    @property
    def scaling(self) -> Scaling | None:
        """Between choices and actions; None for discrete ones."""
        return scaling_of(self.environment.action_space)

    @cached_property
    def _discrete(self) -> bool:
        return isinstance(self.environment.action_space, Discrete)

    def init(self, key: Array, params: Any) -> PPOState:
        s = self.settings
        key, start, of_actor, of_critic = jax.random.split(key, 4)
        seen, said = self.environment.observation_space.shape[0], outputs(self.environment.action_space)
        networks = Networks(
            mlp(of_actor, seen, s.actor, said, s.activation, orthogonal=s.orthogonal, last_gain=0.01),
            mlp(of_critic, seen, s.critic, 1, s.activation, orthogonal=s.orthogonal),
            jnp.full(said, s.initial_log_std, jnp.float32),
        )
        fleet = self.fleet.start(start, params)
        observations = Moments.of_nothing((seen,))
        if s.normalise_observations:
            observations = observations.with_batch(fleet.observation.astype(jnp.float32))
        if s.imitate is not None:
            key, of_clone = jax.random.split(key)
            clone = self._clone(of_clone, s.imitate, fleet, networks.actor, observations, params)
            networks, fleet = Networks(clone.network, networks.critic, networks.log_std), clone.fleet
            observations = clone.observations if s.normalise_observations else observations
        return PPOState(
            key,
            fleet,
            networks,
            self.optimiser.init(networks),
            observations,
            Moments.of_nothing(()),
            jnp.zeros(s.num_envs, jnp.float32),
            jnp.zeros((), jnp.int32),
        )

    def _clone(self, key: Array, name: str, fleet: FleetState, actor: MLP, observations: Moments, params: Any) -> Clone:
        return imitate(
            make_controller(name, self.environment),
            self.fleet,
            fleet,
            actor,
            observations,
            key=key,
            params=params,
            scaling=self.scaling,
            clip=self.settings.observation_clip,
            rounds=self.settings.imitation_rounds,
        )

    def policy(self, state: PPOState) -> Policy:
        head = "categorical" if self._discrete else "gaussian"
        networks, clip = state.networks, self.settings.observation_clip
        return Policy(networks.actor, state.observations, networks.log_std, self.scaling, head, clip)

    def update(self, state: PPOState, params: Any) -> tuple[PPOState, Progress]:
        """Collect experience, then learn from it for some epochs."""
        state, experience, tally = self._collect(state, params)
        lesson = self._judge(state.networks, experience)
        key, shuffle = jax.random.split(state.key)
        weights = self._actor_weights(state.updates)
        networks, optimiser, losses = self._learn(shuffle, state.networks, state.optimiser, lesson, weights)
        state = state._replace(key=key, networks=networks, optimiser=optimiser, updates=state.updates + 1)
        return state, Progress(tally, losses)

    # Collecting

    def _distribution(self, networks: Networks, observation: Array) -> Distribution:
        said = networks.actor(observation)
        return Categorical(said) if self._discrete else Gaussian(said, networks.log_std)

    def _collect(self, state: PPOState, params: Any) -> tuple[PPOState, Experience, Tally]:
        def step(now: PPOState, _: None) -> tuple[PPOState, tuple[Experience, Tally]]:
            key, draw = jax.random.split(now.key)
            observation = self.normalised(now.observations, now.fleet.observation)
            choices = self._distribution(now.networks, observation)
            choice = choices.sample(draw)
            action = choice if self.scaling is None else self.scaling.action(choice)
            action = action.reshape(-1, *self.environment.action_space.shape).astype(
                self.environment.action_space.dtype
            )
            fleet, moved, tally = self.fleet.step(now.fleet, action, params)
            observations, returns, discounted = self._seen(now, fleet, moved.reward, moved.terminated | moved.truncated)
            reward = moved.reward
            if self.settings.normalise_rewards:
                reward = returns.scale(reward, self.settings.clip_reward)
            row = Experience(
                observation,
                choice,
                choices.log_probability(choice),
                reward,
                self.normalised(observations, moved.following),
                moved.terminated,
                moved.truncated,
            )
            now = now._replace(key=key, fleet=fleet, observations=observations, returns=returns, discounted=discounted)
            return now, (row, tally)

        state, (rows, tallies) = jax.lax.scan(step, state, length=self.settings.rollout)
        return state, rows, {name: jnp.sum(each) for name, each in tallies.items()}

    def normalised(self, moments: Moments, observation: Array) -> Array:
        return moments.normalise(observation.astype(jnp.float32), self.settings.observation_clip)

    def _seen(self, now: PPOState, fleet: FleetState, reward: Array, over: Array) -> tuple[Moments, Moments, Array]:
        """The moments after one more step of all environments."""
        s = self.settings
        observations, returns = now.observations, now.returns
        if s.normalise_observations:
            observations = observations.with_batch(fleet.observation.astype(jnp.float32))
        discounted = s.discount * now.discounted + reward
        if s.normalise_rewards:
            returns = returns.with_batch(discounted)
        return observations, returns, jnp.where(over, 0.0, discounted)

    # Judging

    def _judge(self, networks: Networks, rows: Experience) -> Lesson:
        """Generalised advantage estimates (Schulman et al. 2016)."""
        s = self.settings
        value, following = (networks.critic(each)[..., 0] for each in (rows.observation, rows.following))
        error = rows.reward + s.discount * jnp.where(rows.terminated, 0.0, following) - value
        goes_on = ~(rows.terminated | rows.truncated)

        def backwards(later: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
            error, goes_on = now
            advantage = error + s.discount * s.gae_lambda * jnp.where(goes_on, later, 0.0)
            return advantage, advantage

        _, advantage = jax.lax.scan(backwards, jnp.zeros_like(value[0]), (error, goes_on), reverse=True)
        return Lesson(rows.observation, rows.choice, rows.log_probability, value, advantage, advantage + value)

    # Learning

    def _actor_weights(self, updates: Array) -> tuple[Array, Array]:
        """Of the policy and, within it, of its entropy."""
        s = self.settings
        done = jnp.minimum(updates * self.steps_per_update / s.steps, 1.0)
        end = s.entropy if s.entropy_end is None else s.entropy_end
        return jnp.where(updates < s.critic_first, 0.0, 1.0), s.entropy + done * (end - s.entropy)

    def _learn(
        self, key: Array, networks: Networks, optimiser: Any, lesson: Lesson, weights: tuple[Array, Array]
    ) -> tuple[Networks, Any, dict[str, Array]]:
        rows = jax.tree.map(lambda each: each.reshape(-1, *each.shape[2:]), lesson)
        size = self.settings.minibatch

        def minibatch(carry: tuple[Networks, Any], chosen: Array) -> tuple[tuple[Networks, Any], dict[str, Array]]:
            networks, optimiser = carry
            part = jax.tree.map(lambda each: each[chosen], rows)
            losses, gradient = jax.grad(self._loss, has_aux=True)(networks, part, weights)[::-1]
            change, optimiser = self.optimiser.update(gradient, optimiser)
            return (optax.apply_updates(networks, change), optimiser), losses

        def epoch(carry: tuple[Networks, Any], key: Array) -> tuple[tuple[Networks, Any], dict[str, Array]]:
            order = jax.random.permutation(key, self.steps_per_update).reshape(-1, size)
            return jax.lax.scan(minibatch, carry, order)

        keys = jax.random.split(key, self.settings.epochs)
        (networks, optimiser), losses = jax.lax.scan(epoch, (networks, optimiser), keys)
        return networks, optimiser, {name: jnp.mean(each) for name, each in losses.items()}

    def _loss(self, networks: Networks, part: Lesson, weights: tuple[Array, Array]) -> tuple[Array, dict[str, Array]]:
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
