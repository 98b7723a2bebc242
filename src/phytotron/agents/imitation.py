"""Behaviour cloning (Pomerleau 1991): a network learns to act like a given controller, as a start for training."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.agents.actions import Categorical
from phytotron.agents.learner import Experience, Learner, rows_of
from phytotron.agents.networks import MLP
from phytotron.core.controller import Controller
from phytotron.core.errors import PhytotronError
from phytotron.core.stepping import checked_choice

ROLLOUT = 64  # steps of every environment in a round
MINIBATCHES = 8  # of a round
LEARNING_RATE = 1e-3  # at first; it falls to 0


class Clone(NamedTuple):
    """The result of imitation; `experience` has the moments of what the controller saw."""

    network: MLP
    experience: Experience
    errors: Array  # of each round


class _Carry(NamedTuple):
    key: Array
    experience: Experience
    network: MLP
    optimiser: Any


def as_taken(action: Array, state: Any) -> Array:
    """Return the action itself, the default of `meaning` in `imitate`."""
    return action


def imitate(
    controller: Controller,
    learner: Learner[Any],
    start: Experience,
    network: MLP,
    key: Array,
    params: Any,
    rounds: int,
    meaning: Callable[[Array, Any], Array] = as_taken,
) -> Clone:
    """Train a network to act as a controller does. In each round the controller acts for a while in all environments,
    and the network learns its actions.

    The loss is the squared error of continuous actions, or the negative log-likelihood of discrete ones. Moments of the
    observations are learned at the same time. `meaning`: a function of action and state that returns what the network
    is to learn; by default the action. A controller with a memory is refused, as a network of the observation has none.
    """
    if jax.tree.leaves(controller.start(key)):
        raise PhytotronError(
            f"{type(controller).__name__} has a memory, which a network that sees only the observation cannot imitate; "
            "imitate a controller without one, such as a rule-based controller"
        )
    environments, scaling = learner.environments, learner.scaling
    optimiser = optax.adam(optax.cosine_decay_schedule(LEARNING_RATE, rounds * MINIBATCHES))

    def choose(key: Array, observation: Array, state: Any) -> Array:
        memory = controller.start(key)
        return checked_choice(learner.environment, controller, key, memory, observation, state, params)[0]

    def act(carry: tuple[Array, Experience], _: None) -> tuple[tuple[Array, Experience], tuple[Array, Array]]:
        key, draw = jax.random.split(carry[0])
        before = carry[1].environments
        actions = jax.vmap(choose)(jax.random.split(draw, environments.size), before.observation, before.state)
        after, moved, _sums = environments.step(before, actions, params)
        moments = learner.observed(carry[1].observations, after.observation)
        meant = jax.vmap(meaning)(actions, before.state)
        return (key, carry[1]._replace(environments=after, observations=moments)), (moved.observation, meant)

    def loss(network: MLP, observation: Array, action: Array) -> Array:
        prediction = network(observation)
        if scaling is None:
            return -jnp.mean(Categorical(prediction).log_probability(action.astype(jnp.int32)))
        return jnp.mean((prediction - scaling.choice(action.reshape(prediction.shape))) ** 2)

    def learn(carry: tuple[MLP, Any], rows: tuple[Array, Array]) -> tuple[tuple[MLP, Any], Array]:
        network, memory = carry
        error, gradient = jax.value_and_grad(loss)(network, *rows)
        change, memory = optimiser.update(gradient, memory)
        return (optax.apply_updates(network, change), memory), error

    def one_round(now: _Carry, _: None) -> tuple[_Carry, Array]:
        (key, experience), (observation, action) = jax.lax.scan(act, (now.key, now.experience), length=ROLLOUT)
        key, shuffle = jax.random.split(key)
        order = jax.random.permutation(shuffle, ROLLOUT * environments.size).reshape(MINIBATCHES, -1)
        rows = (each[order] for each in rows_of((learner.normalised(experience, observation), action)))
        (network, memory), errors = jax.lax.scan(learn, (now.network, now.optimiser), tuple(rows))
        return _Carry(key, experience, network, memory), jnp.mean(errors)

    first = _Carry(key, start, network, optimiser.init(network))
    last, errors = jax.lax.scan(one_round, first, length=rounds)
    return Clone(last.network, last.experience, errors)
