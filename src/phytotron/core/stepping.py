"""Steps of environments and choices of controllers whose results are checked, and the compiled forms of
`Environment.reset` and `.step`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.outcomes import check_outcome, state_changes
from phytotron.core.spaces import Box, Discrete, Space

if TYPE_CHECKING:
    from phytotron.core.environment import Environment

REMEDY = "`phytotron check` on the environment, with the same options, says more"
VALUES = "observation, state, reward, terminated, truncated, info"
Compiled = tuple[Callable[..., Any], Callable[..., Any]]


def compiled(env: Any) -> Compiled:
    """Compile `reset` and `step` of an environment; where `params` is None, they use the default parameters."""
    with jax.ensure_compile_time_eval():  # a copy that was unpickled may be traced before it has computed them
        defaults = env.default_params

    def reset(key: Array, params: Any) -> Any:
        return checked_initial(env, key, defaults if params is None else params)

    def step(key: Array, state: Any, action: Array, params: Any) -> Any:
        return checked_transition(env, key, state, action, defaults if params is None else params)

    return jax.jit(reset), jax.jit(step)


def checked_initial(env: Environment[Any, Any], key: Array, params: Any) -> tuple[Array, Any]:
    """Return the observation and state of `env.initial`; an error where they are not what the contract of environments
    says.

    Like all checks here, those of its results run only while it is traced, so that compiled loops take no longer.
    """
    made = env.initial(key, params)
    if not isinstance(made, tuple) or len(made) != 2:
        raise PhytotronError(f"{env.id} does not begin with two values; give observation and state; {REMEDY}")
    return _observation(env, "the first observation", made[0]), made[1]


def checked_transition(env: Environment[Any, Any], key: Array, state: Any, action: Any, params: Any) -> Any:
    """Return the six values of `env.transition`, with reward and ends as arrays; an error where they are not what the
    contract of environments says.
    """
    outcome = env.transition(key, state, action, params)
    if not isinstance(outcome, tuple) or len(outcome) != len(VALUES.split()):
        count = f"{len(outcome)} values" if isinstance(outcome, tuple) else f"a {type(outcome).__name__}"
        raise PhytotronError(f"a step of {env.id} gives {count}; give a tuple of six, {VALUES}; {REMEDY}")
    if not isinstance(outcome[-1], Mapping):
        problem = f"info of a step of {env.id} is a {type(outcome[-1]).__name__}"
        raise PhytotronError(f'{problem}; give a dict, at least {{"costs": {{}}}}; {REMEDY}')
    try:
        check_outcome(env.id, state, outcome)
    except PhytotronError as error:
        error.args = (f"{error}; {REMEDY}",)
        raise
    observation, after, reward, terminated, truncated, info = outcome
    seen = _observation(env, "the observation after a step", observation)
    return seen, after, jnp.asarray(reward), jnp.asarray(terminated), jnp.asarray(truncated), info


def scored_transition(env: Environment[Any, Any], key: Array, state: Any, action: Any, params: Any) -> Any:
    """Return the values of `checked_transition`, with a reward that is NaN where the action is not finite.

    A task may take such an action for another one, but an episode with it has no return, and a plan no value.
    """
    observation, after, reward, terminated, truncated, info = checked_transition(env, key, state, action, params)
    if isinstance(_space(env, "action_space"), Box):
        reward = jnp.where(jnp.all(jnp.isfinite(action)), reward, jnp.nan)
    return observation, after, reward, terminated, truncated, info


def _observation(env: Environment[Any, Any], what: str, found: Any) -> Array:
    """An observation in the dtype of its space; an error where it has another shape."""
    space = _space(env, "observation_space")
    if not isinstance(found, Array | np.ndarray | np.generic):
        raise PhytotronError(f"{what} in {env.id} is a {type(found).__name__}; give one array; {REMEDY}")
    if found.shape != space.shape:
        names = ", ".join(space.names) if isinstance(space, Box) else ""
        error = ShapeError(f"{what} in {env.id}", str(space.shape), found.shape, names)
        error.args = (f"{error}; {REMEDY}",)
        raise error
    return jnp.asarray(found, space.dtype)


def _space(env: Environment[Any, Any], name: str) -> Space:
    """A space of an environment, computed apart from the trace: a task may make it, and keep it, of arrays of `jnp`."""
    with jax.ensure_compile_time_eval():
        space: Space = getattr(env, name)
    return space


def checked_choice(
    env: Environment[Any, Any],
    controller: Controller,
    key: Array,
    memory: Memory,
    observation: Array,
    state: Any,
    params: Any,
) -> tuple[Array, Memory]:
    """Return the action of a controller, in the dtype of the action space, and its next memory; an error where they are
    not what the contract of controllers says.

    The checks run only while the choice is traced, so that they take no time in compiled loops.
    """
    chosen = controller.act(key, memory, observation, state, params)
    name, space = type(controller).__name__, _space(env, "action_space")
    if not isinstance(chosen, tuple) or len(chosen) != 2:
        raise PhytotronError(f"{name}.act does not give two values; give the action and the memory for the next step")
    action, after = chosen
    try:
        given = jnp.asarray(action)
    except (TypeError, ValueError) as error:
        raise PhytotronError(f"the action of {name} is no array of numbers ({error})") from None
    if given.shape != space.shape:
        meaning = "the number of one choice" if isinstance(space, Discrete) else ", ".join(space.names)
        raise ShapeError(f"the action of {name} in {env.id}", str(space.shape), given.shape, meaning)
    if isinstance(space, Discrete) and not jnp.issubdtype(given.dtype, jnp.integer):
        raise PhytotronError(f"the action of {name} in {env.id} is {given.dtype}; give the whole number of a choice")
    changed = state_changes(memory, after)
    if changed:
        remedy = "keep structure, shapes and dtypes as `start` gives them"
        raise PhytotronError(f"{name}.act changes its memory: {changed[0]}; {remedy}")
    return jnp.asarray(action, space.dtype), after
