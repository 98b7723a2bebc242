"""One environment behind the Gymnasium interface: NumPy in, NumPy out."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.compiling import Vectors, compiled
from phytotron.adapters.sharing import check_render_mode, environment_of, picture, render_metadata, to_gymnasium
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
        return compiled(self.environment).state(self._carry)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode; its first observation, and no info."""
        super().reset(seed=seed)
        if options:
            raise PhytotronError(f"reset has no options, but was given {', '.join(map(repr, options))}")
        number = np.uint32(self.np_random.integers(2**32))
        functions = compiled(self.environment)
        observation, self._carry = functions.reset(functions.nothing, number, np.bool_(True))
        return np.array(observation), {}

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """One control interval."""
        space = self.environment.action_space
        space.check(action, "action")
        self._carry, outcome = compiled(self.environment).stepped(self._carry, np.asarray(action, space.dtype))
        observation, reward, terminated, truncated, info = outcome
        return observation, float(reward), bool(terminated), bool(truncated), info

    def render(self) -> NDArray[np.uint8] | None:
        """A picture of the present state, or nothing without a render mode."""
        return None if self.render_mode is None else picture(self.environment, self.state)


def make(env_id: str, render_mode: str | None = None, **options: Any) -> GymnasiumEnv:
    """What `gymnasium.make` calls."""
    return GymnasiumEnv(environment_of(env_id, options, render_mode), render_mode)
