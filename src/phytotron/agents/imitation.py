"""Behaviour cloning (Pomerleau 1991): a network that does what a controller at hand does, to go on from in training."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.actions import Categorical, Scaling
from phytotron.agents.networks import MLP
from phytotron.agents.normalisation import Moments
from phytotron.core.controller import Controller
from phytotron.episodes.fleet import Fleet, FleetState

ROLLOUT = 64  # steps of every environment in a round
MINIBATCHES = 8  # of a round
LEARNING_RATE = 1e-3  # at first; it falls to 0


class Clone(NamedTuple):
    """What imitation leaves behind."""

    network: MLP
    observations: Moments
    fleet: FleetState
    errors: Array  # of each round


class _Carry(NamedTuple):
    key: Array
    fleet: FleetState
    observations: Moments
    network: MLP
    optimiser: Any


def imitate(
    controller: Controller,
    fleet: Fleet,
    start: FleetState,
    network: MLP,
    observations: Moments,
    *,
    key: Array,
    params: Any,
    scaling: Scaling | None,
    clip: float,
    rounds: int,
) -> Clone:
    """In each round the controller acts for a while in all environments, and the network learns its actions.

    By least squares, or by the likelihood of discrete choices. Moments of the observations are learned on the way.
    """
    space = fleet.environment.action_space
    optimiser = optax.adam(optax.cosine_decay_schedule(LEARNING_RATE, rounds * MINIBATCHES))

    def choose(key: Array, seen: Array, state: Any) -> Array:
        return controller.act(key, controller.start(key), seen, state, params)[0]

    def act(now: _Carry, _: None) -> tuple[_Carry, tuple[Array, Array]]:
        key, draw = jax.random.split(now.key)
        before = now.fleet
        actions = jax.vmap(choose)(jax.random.split(draw, fleet.size), before.observation, before.state)
        after, moved, _tally = fleet.step(before, actions.astype(space.dtype), params)
        seen = now.observations.with_batch(after.observation.astype(jnp.float32))
        return now._replace(key=key, fleet=after, observations=seen), (moved.observation, actions)

    def loss(network: MLP, seen: Array, action: Array) -> Array:
        said = network(seen)
        if scaling is None:
            return -jnp.mean(Categorical(said).log_probability(action.astype(jnp.int32)))
        return jnp.mean((said - scaling.choice(action.reshape(said.shape))) ** 2)

    def learn(carry: tuple[MLP, Any], rows: tuple[Array, Array]) -> tuple[tuple[MLP, Any], Array]:
        network, memory = carry
        error, gradient = jax.value_and_grad(loss)(network, *rows)
        change, memory = optimiser.update(gradient, memory)
        return (optax.apply_updates(network, change), memory), error

    def one_round(now: _Carry, _: None) -> tuple[_Carry, Array]:
        now, (seen, action) = jax.lax.scan(act, now, length=ROLLOUT)
        key, shuffle = jax.random.split(now.key)
        order = jax.random.permutation(shuffle, ROLLOUT * fleet.size).reshape(MINIBATCHES, -1)
        seen = now.observations.normalise(seen.astype(jnp.float32), clip)
        rows = (seen.reshape(-1, *seen.shape[2:])[order], action.reshape(-1, *action.shape[2:])[order])
        (network, memory), errors = jax.lax.scan(learn, (now.network, now.optimiser), rows)
        return now._replace(key=key, network=network, optimiser=memory), jnp.mean(errors)

    first = _Carry(key, start, observations, network, optimiser.init(network))
    last, errors = jax.lax.scan(one_round, first, length=rounds)
    return Clone(last.network, last.observations, last.fleet, errors)
