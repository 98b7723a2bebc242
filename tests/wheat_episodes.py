"""Episodes of the wheat task for tests: one compiled loop from reset to well after the harvest."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import numpy as np

from phytotron.environments.wheat import WheatNitrogen, WheatParams

KEY = jax.random.key(0)


class Played(NamedTuple):
    """Series over the steps, and the states at the start and after each step."""

    observation: Any
    state: Any
    reward: Any
    terminated: Any
    truncated: Any
    info: Any
    start: Any

    @property
    def steps(self) -> int:
        """Until the end of the season."""
        return int(np.argmax(self.terminated | self.truncated)) + 1

    @property
    def episode_return(self) -> float:
        return float(self.reward[: self.steps].sum())


def season(env: WheatNitrogen, params: WheatParams, actions: Any, key: Any) -> Any:
    """Traceable: reset, then one step per action."""
    _, start = env.reset(key, params)

    def step(state: Any, action: Any) -> Any:
        observation, after, *rest = env.step(key, state, action, params)
        return after, (observation, after, *rest)

    return (*jax.lax.scan(step, start, actions)[1], start)


def play(env: WheatNitrogen, actions: Any, params: WheatParams | None = None, key: Any = KEY) -> Played:
    compiled = _COMPILED.setdefault(env, jax.jit(lambda params, actions, key: season(env, params, actions, key)))
    made = compiled(env.default_params if params is None else params, actions, key)
    return Played(*jax.tree.map(np.asarray, made))


_COMPILED: dict[WheatNitrogen, Any] = {}


def in_season(env: WheatNitrogen, number: int) -> WheatParams:
    """Parameters with which every episode is this season of the weather."""
    return env.params(seasons=np.array([number], np.int32))
