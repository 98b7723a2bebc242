"""Running means and variances, to bring observations and rewards to a common scale.

As `VecNormalize` of Stable-Baselines3: observations are centred and divided by their standard deviation, rewards are
divided by the standard deviation of the discounted return, both clipped.
"""

from __future__ import annotations

import equinox as eqx
import jax.numpy as jnp
from jax import Array

EPSILON = 1e-8  # added to variances


class Moments(eqx.Module):
    """Mean and variance of the samples so far, and their number."""

    mean: Array
    variance: Array
    count: Array

    @classmethod
    def of_nothing(cls, shape: tuple[int, ...]) -> Moments:
        """Return mean 0 and variance 1, with next to no weight."""
        return cls(jnp.zeros(shape, jnp.float32), jnp.ones(shape, jnp.float32), jnp.asarray(1e-4, jnp.float32))

    def with_batch(self, batch: Array) -> Moments:
        """Return the moments with a further batch (n, ...) (Chan, Golub and LeVeque 1983)."""
        size = batch.shape[0]
        mean, variance = jnp.mean(batch, axis=0), jnp.var(batch, axis=0)
        total = self.count + size
        delta = mean - self.mean
        squares = self.variance * self.count + variance * size + delta**2 * self.count * size / total
        return Moments(self.mean + delta * size / total, squares / total, total)

    @property
    def deviation(self) -> Array:
        """The standard deviation, a little above it so that it is never 0."""
        return jnp.sqrt(self.variance + EPSILON)

    def normalise(self, values: Array, clip: float) -> Array:
        """Return values centred and divided by the standard deviation, within `clip` of 0."""
        return jnp.clip((values - self.mean) / self.deviation, -clip, clip)

    def scale(self, values: Array, clip: float) -> Array:
        """Return values divided by the standard deviation, not centred, as that would change what is optimal."""
        return jnp.clip(values / self.deviation, -clip, clip)
