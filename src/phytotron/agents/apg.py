"""Analytic policy gradients: the actor climbs the slope of what it earns, through the model itself.

In each update all environments go on for a window of steps under the actor, without noise, and the gradient of what
they earn goes back through every step (Freeman et al. 2021, Brax; Xu et al. 2022, short-horizon actor-critic).
Four things make it work for a greenhouse:

- What a window leaves behind counts as `Environment.terminal_value` has it: a crop turns into money days after it grew.
- Later actions are taken as given: the gradient goes from an action through the states to the rewards, but not through
  what the actor would answer to those states. Through the answers of a steep actor it grows without limit within a day;
  and where these answers are the best ones, a small change of them earns nothing.
- Where actions change positions, the actor learns which positions are wanted (`Environment.steering`), and these are
  what is taken as given: a change moves all positions after it, a wanted position only those that follow at once.
- The gradient by each action is clipped, as a few states in thousands have one that is a thousand times the usual.
"""

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.base import Progress
from phytotron.agents.imitation import as_taken, imitate
from phytotron.agents.learner import Experience, Learner, totals
from phytotron.agents.networks import MLP, Layer, mlp, with_linear_part
from phytotron.agents.policy import Policy
from phytotron.agents.settings import NATURAL, POSITIVE, WHOLE, WIDTHS, LearnerSettings, within
from phytotron.controllers.registry import make_controller
from phytotron.core.errors import PhytotronError
from phytotron.core.plannable import Steering
from phytotron.episodes.vector_environment import EpisodeSums

INSIDE = 0.9999  # share of the range of actions that is used: at a bound itself, environments clip gradients away


@dataclasses.dataclass(frozen=True, kw_only=True)
class APGSettings(LearnerSettings):
    """Settings of analytic policy gradients. The default window, a day of five-minute steps, suits a greenhouse."""

    num_envs: int = within(WHOLE, 32)
    window: int = within(WHOLE, 288)  # steps of each environment in an update
    learning_rate: float = within(POSITIVE, 3e-4)  # at first; it falls to 0 along a cosine
    max_gradient_norm: float = within(POSITIVE, 0.5)
    max_action_gradient: float = within(POSITIVE, 0.2)  # of the return by each component of each action
    actor: tuple[int, ...] = within(WIDTHS, (128, 128))
    activation: str = "silu"
    imitate: str | None = None  # name of a controller that the actor is to begin as
    imitation_rounds: int = within(NATURAL, 300)  # of 64 steps of each environment; they do not count as training
    steps: int = within(WHOLE, 5_529_600)  # of training in all


class APGState(NamedTuple):
    """The state of training."""

    key: Array
    experience: Experience
    actor: MLP
    optimiser: Any


@dataclasses.dataclass(frozen=True, eq=False)
class APG(Learner[APGSettings]):
    """An agent that learns an actor by gradients through the environment, which has to be differentiable."""

    Settings = APGSettings

    settings: APGSettings = dataclasses.field(default_factory=APGSettings)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.discrete or not self.environment.differentiable:
            raise PhytotronError(
                f"{self.environment.id} gives no gradients by its actions, which this agent needs; train ppo, or sac"
            )

    @property
    def steps_per_update(self) -> int:
        """Environment steps of an update."""
        return self.settings.num_envs * self.settings.window

    @cached_property
    def optimiser(self) -> optax.GradientTransformation:
        """Adam, with a limit on the norm of the gradient."""
        s = self.settings
        rate = optax.cosine_decay_schedule(s.learning_rate, -(-s.steps // self.steps_per_update))
        return optax.chain(optax.clip_by_global_norm(s.max_gradient_norm), optax.adam(rate))

    def init(self, key: Array, params: Any) -> APGState:
        """Return the state before the first update; if an actor is to imitate a controller, it has done so by then."""
        s, (inputs, outputs) = self.settings, self.sizes
        key, start, of_actor, of_clone = jax.random.split(key, 4)
        actor = mlp(of_actor, inputs, s.actor, outputs, s.activation, last_gain=0.01)
        experience = self.start(start, params)
        if s.imitate is not None and s.imitation_rounds > 0:
            controller = make_controller(s.imitate, self.environment)
            meaning = as_taken if self.environment.steering is None else self.environment.reached
            clone = imitate(controller, self, experience, actor, of_clone, params, s.imitation_rounds, meaning)
            actor, experience = clone.network, clone.experience
        return APGState(key, experience, actor, self.optimiser.init(actor))

    def policy(self, state: APGState) -> Policy:
        """Return the policy of the actor; it returns actions even where the actor learns wanted positions."""
        actor, steering = state.actor, self.environment.steering
        if steering is not None:
            actor = self._steered(actor, state.experience, steering)
        return self.policy_of(actor, state.experience, "gaussian")

    def _steered(self, actor: MLP, now: Experience, steering: Steering) -> MLP:
        """Return a network of actions, made of one of wanted positions and of the positions that are observed."""
        scaling = self.scaling
        assert scaling is not None
        seen = jnp.asarray(steering.observed)
        gain, offset, slope = (jnp.asarray(each, jnp.float32) for each in steering[:3])
        mean, deviation = now.observations.mean[seen], now.observations.deviation[seen]
        *hidden, last = actor.layers
        shift = (gain * scaling.centre + offset + slope * mean - scaling.centre) / scaling.half_range
        scaled = MLP((*hidden, Layer(gain[:, None] * last.weight, gain * last.bias + shift)), actor.activation)
        return with_linear_part(scaled, steering.observed, jnp.diag(slope * deviation / scaling.half_range))

    def update(self, state: APGState, params: Any) -> tuple[APGState, Progress]:
        """Run all environments for a window, then take one gradient step on what they earned."""

        def loss(actor: MLP) -> tuple[Array, tuple[Experience, Array, EpisodeSums]]:
            earned, after = self._window(actor, state.experience, params)
            return -earned, after

        (lost, (experience, observations, episode_sums)), slope = jax.value_and_grad(loss, has_aux=True)(state.actor)
        change, optimiser = self.optimiser.update(slope, state.optimiser)
        experience = experience._replace(observations=self.observed(experience.observations, observations))
        losses = {"earned": -lost, "gradient_norm": optax.tree.norm(slope)}
        now = APGState(state.key, experience, optax.apply_updates(state.actor, change), optimiser)
        return now, Progress(episode_sums, losses)

    def _window(
        self, actor: MLP, before: Experience, params: Any
    ) -> tuple[Array, tuple[Experience, Array, EpisodeSums]]:
        """Mean of what an environment earned and grew in a window; experience after it, observations, episode_sums."""
        s, space, scaling = self.settings, self.environment.action_space, self.scaling
        assert scaling is not None
        bounded = within_bounds(s.max_action_gradient / s.num_envs)

        def step(environments: Any, _: None) -> tuple[Any, tuple[Array, Array, EpisodeSums]]:
            choice = bounded(actor(self.normalised(before, jax.lax.stop_gradient(environments.observation))))
            action = scaling.centre + scaling.half_range * choice
            shaped = action.reshape(-1, *space.shape).astype(space.dtype)
            if self.environment.steering is not None:
                shaped = jax.vmap(self.environment.toward)(shaped, environments.state)
            environments, moved, episode_sums = self.environments.step(environments, shaped, params)
            return environments, (moved.reward + moved.terminal_value_change, environments.observation, episode_sums)

        environments, (earned, observations, sums_by_step) = jax.lax.scan(step, before.environments, length=s.window)
        observations = jax.lax.stop_gradient(observations.reshape(-1, observations.shape[-1]))
        after = before._replace(environments=environments, steps=before.steps + self.steps_per_update)
        return jnp.mean(jnp.sum(earned, axis=0)), (after, observations, totals(sums_by_step))


def within_bounds(largest: float) -> Callable[[Array], Array]:
    """Return a function that clips the outputs of an actor to the bounds of actions.

    Its gradient is that of the identity, with components clipped at `largest`; where an output is beyond a bound, a
    gradient that would push it further out is 0.
    """

    @jax.custom_vjp
    def bounded(choice: Array) -> Array:
        return jnp.clip(choice, -INSIDE, INSIDE)

    def backwards(choice: Array, slope: Array) -> tuple[Array]:
        outwards = ((choice > INSIDE) & (slope < 0.0)) | ((choice < -INSIDE) & (slope > 0.0))  # of a loss
        return (jnp.where(outwards | ~jnp.isfinite(slope), 0.0, jnp.clip(slope, -largest, largest)),)

    bounded.defvjp(lambda choice: (bounded(choice), choice), backwards)
    return bounded
