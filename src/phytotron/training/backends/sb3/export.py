"""Export of Stable-Baselines3 policies as our own: plain arrays that need neither Stable-Baselines3 nor PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from jax import Array
from stable_baselines3 import DQN, PPO, SAC
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env import VecNormalize

from phytotron.agents.actions import Scaling
from phytotron.agents.networks import MLP, Layer
from phytotron.agents.normalisation import EPSILON, Moments
from phytotron.agents.policy import Policy
from phytotron.agents.settings import UNCLIPPED
from phytotron.core.errors import PhytotronError
from phytotron.training.backends.sb3.settings import ACTIVATIONS


def export_policy(model: Any, normaliser: VecNormalize | None = None) -> Policy:
    """Return the policy of a PPO, DQN or SAC with an `MlpPolicy`, which acts as `predict(..., deterministic=True)`
    does.

    Observations are normalised by `normaliser`, or by the `VecNormalize` around the environment of the model, if any.
    """
    _check(model)
    moments, clip = _normalisation(model, normaliser or model.get_vec_normalize_env())
    policy, space = model.policy, model.action_space
    discrete = isinstance(space, Discrete)
    head, scaling = "categorical", None
    log_std = jnp.zeros(int(space.n) if discrete else int(np.prod(space.shape)), jnp.float32)
    if isinstance(model, DQN):
        layers = _linear(policy.q_net.q_net)
    elif isinstance(model, SAC):  # choices are scaled to the bounds
        head, scaling = "squashed", Scaling.of(space)
        layers = [*_linear(policy.actor.latent_pi), _stacked([policy.actor.mu, policy.actor.log_std])]
    else:
        layers = [*_linear(policy.mlp_extractor.policy_net), policy.action_net]
        if not discrete:  # choices are actions, which are clipped
            low, high = jnp.asarray(space.low, jnp.float32), jnp.asarray(space.high, jnp.float32)
            head, scaling = "gaussian", Scaling(jnp.zeros_like(low), jnp.ones_like(low), low, high)
            log_std = _array(policy.log_std)
    network = MLP(tuple(Layer(_array(each.weight), _array(each.bias)) for each in layers), _activation(model))
    return Policy(network, moments, log_std, scaling, head, clip)


def _check(model: Any) -> None:
    if not isinstance(model, PPO | DQN | SAC):
        raise PhytotronError(f"{type(model).__name__} cannot be exported; PPO, DQN and SAC can")
    policy, space = model.policy, model.action_space
    if policy.features_extractor_class is not FlattenExtractor:
        raise PhytotronError(f"{type(policy).__name__} is no plain network; only MlpPolicy can be exported")
    if not isinstance(space, Box | Discrete) or (isinstance(space, Discrete) and space.start != 0):
        raise PhytotronError(f"actions of {space} cannot be exported; those of a Box or of choices from 0 can")
    if getattr(model, "use_sde", False):
        raise PhytotronError("state-dependent noise cannot be exported; train with use_sde=False")


def _normalisation(model: Any, normaliser: VecNormalize | None) -> tuple[Moments, float]:
    if normaliser is None or not normaliser.norm_obs:
        return Moments.of_nothing(model.observation_space.shape), UNCLIPPED
    if normaliser.epsilon != EPSILON:
        raise PhytotronError(f"VecNormalize has epsilon = {normaliser.epsilon}; only {EPSILON} can be exported")
    moments = normaliser.obs_rms
    mean, variance, count = (jnp.asarray(each, jnp.float32) for each in (moments.mean, moments.var, moments.count))
    return Moments(mean, variance, count), float(normaliser.clip_obs)


def _linear(network: Sequence[Any]) -> list[Any]:
    return [layer for layer in network if isinstance(layer, torch.nn.Linear)]


def _stacked(layers: Sequence[Any]) -> Any:
    """Return one layer with the outputs of all layers, which have the same input."""
    joined = torch.nn.Linear(layers[0].in_features, sum(layer.out_features for layer in layers))
    joined.weight.data = torch.cat([layer.weight.data for layer in layers])
    joined.bias.data = torch.cat([layer.bias.data for layer in layers])
    return joined


def _activation(model: Any) -> str:
    used = model.policy.activation_fn
    for name, kind in ACTIVATIONS.items():
        if used is kind:
            return name
    raise PhytotronError(f"the activation {used.__name__} cannot be exported; known: {', '.join(ACTIVATIONS)}")


def _array(tensor: Any) -> Array:
    return jnp.asarray(tensor.detach().cpu().numpy().copy(), jnp.float32)
