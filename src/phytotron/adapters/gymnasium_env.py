"""One environment behind the Gymnasium interface: NumPy in, NumPy out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import jax
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.adapters.episodes import begin, environment_of, proceed, to_gymnasium
from phytotron.adapters.packing import Packing, Vectors
from phytotron.adapters.rendering import check_render_mode, picture, render_metadata
from phytotron.core.compilation import jit_as_kernel
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError


class GymnasiumEnv(gymnasium.Env[NDArray[Any], Any]):
    """Any functional environment as a `gymnasium.Env`. It can be pickled and copied in the middle of an episode.

    `reset(seed=n)` fixes everything that is drawn from then on; without a seed the draws go on.
    """

    def __init__(self, environment: Environment[Any, Any], render_mode: str | None = None) -> None:
        check_render_mode(environment, render_mode)
        self.environment = environment
        self.render_mode = render_mode
        self.metadata = render_metadata(environment)
        self.observation_space = to_gymnasium(environment.observation_space)
        self.action_space = to_gymnasium(environment.action_space)
        self._carry: Vectors | None = None

    @property
    def state(self) -> Any:
        """The functional environment's state."""
        if self._carry is None:
            raise PhytotronError("call reset first")
        return _compiled(self.environment).carry.unpack(self._carry)[1]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        super().reset(seed=seed)
        if options:
            raise PhytotronError(f"reset has no options, but was given {', '.join(map(repr, options))}")
        number = np.uint32(self.np_random.integers(2**32))
        observation, self._carry = _compiled(self.environment).reset(number)
        return np.array(observation), {}

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        if self._carry is None:
            raise PhytotronError("call reset before step")
        space, compiled = self.environment.action_space, _compiled(self.environment)
        space.check(action, "action")
        self._carry, vectors = compiled.step(self._carry, np.asarray(action, space.dtype))
        outcome = compiled.outcome.unpack({dtype: np.array(vector) for dtype, vector in vectors.items()})
        observation, reward, terminated, truncated, info = outcome
        return observation, float(reward), bool(terminated), bool(truncated), info

    def render(self) -> NDArray[np.uint8] | None:
        """A picture of the present state, or nothing without a render mode."""
        return None if self.render_mode is None else picture(self.environment, self.state)


def make(env_id: str, render_mode: str | None = None, **options: Any) -> GymnasiumEnv:
    """What `gymnasium.make` calls."""
    return GymnasiumEnv(environment_of(env_id, options, render_mode), render_mode)


class Compiled(NamedTuple):
    """Reset and step as one call each, with key and state carried in packed form."""

    reset: Callable[..., Any]
    step: Callable[..., Any]
    carry: Packing  # (key, state)
    outcome: Packing  # (observation, reward, terminated, truncated, info)


def _compiled(environment: Environment[Any, Any]) -> Compiled:
    made: Compiled = environment.kept("one copy", lambda: _compile(environment))
    return made


def _compile(environment: Environment[Any, Any]) -> Compiled:
    def reset(number: Array) -> Any:
        observation, carry = begin(environment, number)
        return observation, packing.pack(carry)

    def step(vectors: Vectors, action: Array) -> Any:
        carry, outcome = proceed(environment, packing.unpack(vectors), action)
        return packing.pack(carry), outcome_packing.pack(outcome)

    space = environment.action_space
    _, carry = jax.eval_shape(functools.partial(begin, environment), np.uint32(0))
    _, outcome = jax.eval_shape(functools.partial(proceed, environment), carry, np.zeros(space.shape, space.dtype))
    packing, outcome_packing = Packing(carry), Packing(outcome)
    return Compiled(jax.jit(reset), jit_as_kernel(step), packing, outcome_packing)
