"""Deep Q-learning (Mnih et al. 2015), double (van Hasselt, Guez and Silver 2016) or not.

Details follow Stable-Baselines3, so that equal settings can be compared. With a `decay_rate`, exploration decays by
this factor at each step; otherwise in a straight line over `exploration_fraction` of all steps.
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.base import Progress
from phytotron.agents.networks import MLP, mlp
from phytotron.agents.off_policy import Losses, OffPolicyLearner, OffPolicySettings, OffPolicyState, nearer
from phytotron.agents.policy import Policy
from phytotron.agents.replay import ReplayBatch
from phytotron.agents.settings import POSITIVE, POSITIVE_SHARE, SHARE, WHOLE, WIDTHS, within
from phytotron.core.errors import PhytotronError
from phytotron.episodes.vector_environment import EpisodeSums


@dataclasses.dataclass(frozen=True, kw_only=True)
class DQNSettings(OffPolicySettings):
    """Defaults are those of Stable-Baselines3, with a smaller buffer, normalisation, and a double estimate."""

    train_frequency: int = within(WHOLE, 4)
    batch: int = within(WHOLE, 32)
    tau: float = within(POSITIVE_SHARE, 1.0)
    target_update: int = within(WHOLE, 10_000)  # steps
    learning_rate: float = within(POSITIVE, 1e-4)
    max_gradient_norm: float | None = within(POSITIVE, 10.0)
    hidden: tuple[int, ...] = within(WIDTHS, (64, 64))
    double: bool = True
    initial_epsilon: float = within(SHARE, 1.0)
    final_epsilon: float = within(SHARE, 0.05)
    exploration_fraction: float = within(POSITIVE_SHARE, 0.1)
    decay_rate: float | None = within(POSITIVE_SHARE, None)


class QNetworks(NamedTuple):
    """The networks of DQN: the one that acts, its delayed copy (the target network), and the state of the optimiser."""

    network: MLP
    target: MLP
    optimiser: Any


@dataclasses.dataclass(frozen=True, eq=False)
class DQN(OffPolicyLearner[DQNSettings]):
    """An agent that learns the value of each discrete action."""

    Settings = DQNSettings
    losses = ("value_loss", "value")

    settings: DQNSettings = dataclasses.field(default_factory=DQNSettings)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.discrete:
            raise PhytotronError(f"{self.environment.id} has continuous actions, and DQN chooses; train ppo, or sac")

    def initial_networks(self, keys: Array) -> QNetworks:
        s, (inputs, outputs) = self.settings, self.sizes
        network = mlp(keys[0], inputs, s.hidden, outputs, s.activation, orthogonal=False)
        return QNetworks(network, network, self.optimiser.init(network))

    def policy(self, state: OffPolicyState) -> Policy:
        """Return the policy that takes the action with the highest value."""
        return self.policy_of(state.learned.network, state.experience, "gaussian")

    def update(self, state: OffPolicyState, params: Any) -> tuple[OffPolicyState, Progress]:
        """Run rounds of collecting experience and learning from it; report the share of random actions as well."""
        state, (episode_sums, losses) = super().update(state, params)
        return state, Progress(episode_sums, {**losses, "epsilon": self.epsilon(state.experience.steps)})

    # Collecting

    def epsilon(self, steps: Array) -> Array:
        """Return the share of random actions after some steps of training."""
        s = self.settings
        done = steps.astype(jnp.float32)
        if s.decay_rate is not None:
            return jnp.maximum(s.initial_epsilon * s.decay_rate**done, s.final_epsilon)
        progress = jnp.minimum(done / (s.exploration_fraction * s.steps), 1.0)
        return s.initial_epsilon + progress * (s.final_epsilon - s.initial_epsilon)

    def choose(self, learned: QNetworks, key: Array, observation: Array, steps: Array) -> Array:
        best = jnp.argmax(learned.network(observation), axis=-1).astype(jnp.int32)
        return self.explored(key, best, self.epsilon(steps), steps)

    def collect(self, key: Array, state: OffPolicyState, params: Any) -> tuple[OffPolicyState, EpisodeSums]:
        """Take some steps in all environments; update the target network where it is due."""
        after, episode_sums = super().collect(key, state, params)
        s, networks = self.settings, state.learned
        due = after.experience.steps // s.target_update > state.experience.steps // s.target_update
        target = nearer(networks.target, networks.network, s.tau, due)
        return after._replace(learned=networks._replace(target=target)), episode_sums

    # Learning

    def gradient_step(self, learned: QNetworks, given: tuple[Array, ReplayBatch]) -> tuple[QNetworks, Losses]:
        gradient, losses = jax.grad(self._loss, has_aux=True)(learned.network, learned.target, given[1])
        network, optimiser = self.changed(learned.network, gradient, learned.optimiser)
        return QNetworks(network, learned.target, optimiser), losses

    def _loss(self, network: MLP, target: MLP, batch: ReplayBatch) -> tuple[Array, Losses]:
        values = network(batch.observation)
        value = jnp.take_along_axis(values, batch.choice[:, None], axis=-1)[:, 0]
        aim = jax.lax.stop_gradient(self._targets(network, target, batch))
        loss = jnp.mean(optax.huber_loss(value, aim))
        return loss, {"value_loss": loss, "value": jnp.mean(value)}

    def _targets(self, network: MLP, target: MLP, batch: ReplayBatch) -> Array:
        """Return the targets of double Q-learning (batch,); those of plain Q-learning where `double` is off."""
        following = target(batch.following)
        # van Hasselt, Guez and Silver 2016, eq. 4: one network selects, the other evaluates. Mnih et al. 2015: one does
        # both.
        best = jnp.argmax(network(batch.following) if self.settings.double else following, axis=-1)
        after = jnp.take_along_axis(following, best[:, None], axis=-1)[:, 0]
        return batch.reward + self.settings.discount * jnp.where(batch.terminated, 0.0, after)
