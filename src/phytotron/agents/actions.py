"""Action distributions and scalings: from the outputs of a network to actions, with their probabilities."""

from __future__ import annotations

import math
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete, Space

LOG_STD_RANGE = (-20.0, 2.0)  # of squashed Gaussians, as in Stable-Baselines3


class Categorical(eqx.Module):
    """A distribution over a few choices, numbered from 0."""

    logits: Array  # (..., choices)

    def sample(self, key: Array) -> Array:
        """Return a random choice."""
        return jax.random.categorical(key, self.logits).astype(jnp.int32)

    def mode(self) -> Array:
        """Return the most likely choice."""
        return jnp.argmax(self.logits, axis=-1).astype(jnp.int32)

    def log_probability(self, choice: Array) -> Array:
        """Return the logarithm of the probability of a choice (...)."""
        each = jax.nn.log_softmax(self.logits)
        return jnp.take_along_axis(each, choice[..., None], axis=-1)[..., 0]

    def entropy(self) -> Array:
        """Return the entropy (...), in nats."""
        each = jax.nn.log_softmax(self.logits)
        return -jnp.sum(jnp.exp(each) * each, axis=-1)


class Gaussian(eqx.Module):
    """A distribution of independent normal variables, one per component of the action."""

    mean: Array  # (..., components)
    log_std: Array

    def sample(self, key: Array) -> Array:
        """Return a random choice."""
        return self.mean + jnp.exp(self.log_std) * jax.random.normal(key, self.mean.shape, jnp.float32)

    def log_probability(self, choice: Array) -> Array:
        """Return the logarithm of the density of a choice (...)."""
        standard = (choice - self.mean) / jnp.exp(self.log_std)
        return jnp.sum(-0.5 * standard**2 - self.log_std - 0.5 * math.log(2.0 * math.pi), axis=-1)

    def entropy(self) -> Array:
        """Return the entropy (...), in nats."""
        each = self.log_std + 0.5 * math.log(2.0 * math.pi * math.e)
        return jnp.sum(jnp.broadcast_to(each, self.mean.shape), axis=-1)


class Scaling(eqx.Module):
    """The scaling between the choices of an agent, of order one, and the actions of an environment."""

    centre: Array
    half_range: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, space: Any) -> Scaling:
        """Return the scaling by which [-1, 1] stands for the bounds of a space, a `Box` of ours or of Gymnasium's."""
        bounds = np.asarray(space.low, np.float32), np.asarray(space.high, np.float32)
        if not np.all(np.isfinite(bounds)):
            raise PhytotronError(f"an agent needs finite bounds of its actions, not {space.low} to {space.high}")
        low, high = map(jnp.asarray, bounds)
        return cls(0.5 * (low + high), 0.5 * (high - low), low, high)

    def action(self, choice: Array) -> Array:
        """Return the action of a choice (..., components), within the bounds of the space."""
        return jnp.clip(self.centre + self.half_range * choice, self.low, self.high)

    def choice(self, action: Array) -> Array:
        """Return the choice that stands for an action (..., components)."""
        return (action - self.centre) / self.half_range


def outputs(space: Space) -> int:
    """Return the number of network outputs for an action space: one mean per component, or one number per choice."""
    return space.n if isinstance(space, Discrete) else int(np.prod(space.shape))


def choices(space: Space) -> tuple[tuple[int, ...], Any]:
    """Return the shape and dtype of what an agent chooses."""
    return ((), jnp.int32) if isinstance(space, Discrete) else ((outputs(space),), jnp.float32)
