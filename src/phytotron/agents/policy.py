"""Trained policies: controllers made of a network and the scales of its observations and actions."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.agents.actions import LOG_STD_RANGE, Categorical, Gaussian, Scaling
from phytotron.agents.networks import MLP
from phytotron.agents.normalisation import Moments
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.spaces import Discrete, Space

HEADS = ("categorical", "gaussian", "squashed")


class Policy(eqx.Module):
    """A controller that uses the observation only. All its leaves are arrays, so that policies can be stacked.

    `head` names the output of the network: "categorical" is one number per choice, of which the largest is taken;
    "gaussian" is the mean of each component; "squashed" is the inverse hyperbolic tangent of each component, followed
    by the logarithms of the standard deviations. With `exploring`, it draws an action instead of taking the most likely
    one.
    """

    network: MLP
    moments: Moments  # of the observations
    log_std: Array  # of "gaussian"
    scaling: Scaling | None  # None for discrete actions
    head: str = eqx.field(static=True)
    clip: float = eqx.field(static=True)  # of normalised observations
    exploring: bool = eqx.field(static=True, default=False)

    def start(self, key: Array) -> tuple[()]:
        """Return the memory of a policy, which is empty."""
        return ()

    def act(self, key: Array, memory: Any, observation: Array, state: Any, params: Any) -> tuple[Array, Any]:
        """Return the action for an observation: drawn if `exploring`, otherwise the most likely one."""
        normalised = self.moments.normalise(observation.astype(jnp.float32), self.clip)
        outputs = self.network(normalised)
        if self.head == "categorical":
            choice = Categorical(outputs)
            return choice.sample(key) if self.exploring else choice.mode(), memory
        mean, log_std = jnp.split(outputs, 2, axis=-1) if self.head == "squashed" else (outputs, self.log_std)
        drawn = mean
        if self.exploring:
            spread = jnp.clip(log_std, *LOG_STD_RANGE) if self.head == "squashed" else log_std
            drawn = Gaussian(mean, spread).sample(key)
        assert self.scaling is not None
        return self.scaling.action(jnp.tanh(drawn) if self.head == "squashed" else drawn), memory

    def predict(
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = True
    ) -> tuple[Any, Any]:
        """Return the action for an observation, or for a batch of them, as a NumPy array; and `state`, unchanged.

        The signature is that of `predict` in Stable-Baselines3, so that code for its models accepts this policy.
        """
        if not deterministic:
            raise PhytotronError("predict takes the most likely action; a policy with exploring=True draws, by `act`")
        inputs = self.network.layers[0].weight.shape[-1]
        given = jnp.asarray(observation)
        if given.shape[-1:] != (inputs,):
            raise ShapeError("the observation", f"(..., {inputs})", given.shape)
        return np.asarray(_most_likely(self, given)), state


@eqx.filter_jit
def _most_likely(policy: Policy, observation: Array) -> Array:
    return policy.act(jax.random.key(0), (), observation, None, None)[0]


def scaling_of(space: Space) -> Scaling | None:
    """Return the scaling of continuous actions; None for discrete ones."""
    return None if isinstance(space, Discrete) else Scaling.of(space)
