"""A step of an environment whose results are checked, and the compiled forms of `Environment.reset` and `.step`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import jax
from jax import Array

from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import check_outcome

if TYPE_CHECKING:
    from phytotron.core.environment import Environment

VALUES = "observation, state, reward, terminated, truncated, info"
Compiled = tuple[Callable[..., Any], Callable[..., Any]]


def compiled(env: Any) -> Compiled:
    """Compile `reset` and `step` of an environment; where `params` is None, they use the default parameters."""
    with jax.ensure_compile_time_eval():  # a copy that was unpickled may be traced before it has computed them
        defaults = env.default_params

    def reset(key: Array, params: Any) -> Any:
        return env.initial(key, defaults if params is None else params)

    def step(key: Array, state: Any, action: Array, params: Any) -> Any:
        return checked_transition(env, key, state, action, defaults if params is None else params)

    return jax.jit(reset), jax.jit(step)


def checked_transition(env: Environment[Any, Any], key: Array, state: Any, action: Any, params: Any) -> Any:
    """Return the six values of `env.transition`; an error where they are not what the contract of environments says.

    The checks run only while a step is traced, so that they take no time in the compiled step.
    """
    outcome = env.transition(key, state, action, params)
    remedy = "`phytotron check` on the environment, with the same options, says more"
    if not isinstance(outcome, tuple) or len(outcome) != len(VALUES.split()):
        count = f"{len(outcome)} values" if isinstance(outcome, tuple) else f"a {type(outcome).__name__}"
        raise PhytotronError(f"a step of {env.id} gives {count}; give a tuple of six, {VALUES}; {remedy}")
    if not isinstance(outcome[-1], Mapping):
        problem = f"info of a step of {env.id} is a {type(outcome[-1]).__name__}"
        raise PhytotronError(f'{problem}; give a dict, at least {{"costs": {{}}}}; {remedy}')
    try:
        check_outcome(env.id, state, outcome)
    except PhytotronError as error:
        error.args = (f"{error}; {remedy}",)
        raise
    return outcome
