"""A trial of an environment, in one step and in whole episodes, computed once for all checks."""

import re
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Environment, Info
from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import state_changes

ACTIONS = ("random", "lowest", "highest")  # of the episodes
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class NotReachedError(Exception):
    """An error for what a check needs and does not exist, for a reason that another check reports."""


class Outcome(NamedTuple):
    """The results of `transition`."""

    observation: Any
    state: Any
    reward: Any
    terminated: Any
    truncated: Any
    info: Info


class Episodes(NamedTuple):
    """One episode for each of `ACTIONS`; arrays are (episodes, steps, ...)."""

    active: Any  # whether the episode was still running before the step
    over: Any  # whether the step ended it
    observation: Any  # after the step
    reward: Any
    info: Info


class Trial:
    """An environment under test."""

    def __init__(self, env: Environment[Any, Any]) -> None:
        self.env, self.key = env, jax.random.key(0)

    @cached_property
    def params(self) -> Any:
        """The default parameters."""
        return self.env.default_params

    @cached_property
    def initial(self) -> Any:
        """The compiled function `initial`."""
        return jax.jit(self.env.initial)

    @cached_property
    def start(self) -> tuple[Array, Any]:
        """Observation and state at the start of an episode."""
        observation, state = self.initial(self.key, self.params)
        return observation, state

    @property
    def bounded(self) -> bool:
        """Return whether the bounds of actions are finite."""
        space = self.env.action_space
        return bool(np.all(np.isfinite(space.low)) and np.all(np.isfinite(space.high)))

    @cached_property
    def actions(self) -> Array:
        """One of each of `ACTIONS`, (3, ...)."""
        space = self.env.action_space
        if not self.bounded:
            raise NotReachedError
        bounds = [jnp.full(space.shape, bound, space.dtype) for bound in (space.low, space.high)]
        return jnp.stack([jnp.asarray(space.sample(self.key), space.dtype), *bounds])

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Key, state, action and parameters of the first step."""
        return self.key, self.start[1], self.actions[0], self.params

    def transition(self, *arguments: Any) -> Outcome:
        """`transition`, which has to give six values."""
        made = self.env.transition(*arguments)
        if not (isinstance(made, tuple) and len(made) == len(Outcome._fields)):
            raise PhytotronError(f"transition does not give six values; give {', '.join(Outcome._fields)}")
        return Outcome(*made)

    @cached_property
    def kinds(self) -> Outcome:
        """Shapes and dtypes after a step, without computing it."""
        return jax.eval_shape(self.transition, *self.arguments)

    @cached_property
    def step(self) -> Outcome:
        """The first step, compiled."""
        return jax.jit(self.transition)(*self.arguments)

    @cached_property
    def batch(self) -> Outcome:
        """The first step with each of `ACTIONS`, under `vmap`."""
        return jax.jit(jax.vmap(self.transition, (None, None, 0, None)))(*self.arguments[:2], self.actions, self.params)

    def trace(self) -> tuple[Any, ...]:
        """Return the expressions and constants of `initial` and `transition`, traced anew."""
        made = [
            jax.make_jaxpr(lambda *given: self.env.initial(*given))(self.key, self.params),
            jax.make_jaxpr(lambda *given: self.transition(*given))(*self.arguments),
        ]
        return tuple((ADDRESS.sub("", str(each)), [np.asarray(c).tobytes() for c in each.consts]) for each in made)

    @cached_property
    def episodes(self) -> Episodes:
        """Whole episodes under `vmap` and `scan`."""
        if state_changes(self.start, (self.kinds.observation, self.kinds.state)):
            raise NotReachedError
        return jax.jit(jax.vmap(self._episode, (0, 0, None)))(self.actions, np.arange(len(ACTIONS)) == 0, self.params)

    def _episode(self, action: Array, varied: Array, params: Any) -> Episodes:
        def advance(now: Any, key: Array) -> tuple[Any, Any]:
            state, active = now
            drawn = jnp.asarray(self.env.action_space.sample(jax.random.fold_in(key, 1)), action.dtype)
            made = self.transition(key, state, jnp.where(varied, drawn, action), params)
            over = jnp.any(jnp.logical_or(made.terminated, made.truncated))
            return (made.state, active & ~over), Episodes(active, over, made.observation, made.reward, made.info)

        start = self.env.initial(self.key, params)[1], jnp.ones((), bool)
        return jax.lax.scan(advance, start, jax.random.split(self.key, self.env.episode_steps))[1]

    def while_running(self, series: Any) -> Any:
        """Values of the steps that belong to an episode, (steps of all, ...), of a series (episodes, steps, ...)."""
        return np.asarray(series)[np.asarray(self.episodes.active)]
