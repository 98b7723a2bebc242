"""The compiled forms of `Environment.reset` and `Environment.step`."""

from collections.abc import Callable
from typing import Any

import jax
from jax import Array

from phytotron.core.outcomes import check_outcome

Compiled = tuple[Callable[..., Any], Callable[..., Any]]


def compiled(env: Any) -> Compiled:
    """Compile `reset` and `step` of an environment; where `params` is None, they use the default parameters."""
    with jax.ensure_compile_time_eval():  # a copy that was unpickled may be traced before it has computed them
        defaults = env.default_params

    def reset(key: Array, params: Any) -> Any:
        return env.initial(key, defaults if params is None else params)

    def step(key: Array, state: Any, action: Array, params: Any) -> Any:
        outcome = env.transition(key, state, action, defaults if params is None else params)
        check_outcome(env.id, state, outcome)
        return outcome

    return jax.jit(reset), jax.jit(step)
