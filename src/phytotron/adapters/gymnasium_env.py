"""One environment behind the Gymnasium interface: NumPy in, NumPy out."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.compiling import Vectors, compiled
from phytotron.adapters.forking import check_process, note_use
from phytotron.adapters.sharing import (
    check_render_mode,
    environment_of,
    has_picture,
    picture,
    render_metadata,
    to_gymnasium,
)
from phytotron.adapters.starting import START, check_options, chosen_starts, start_info
from phytotron.adapters.trace import Trace
from phytotron.core.environment import Environment
from phytotron.episodes.engine import one_start


class GymnasiumEnv(gymnasium.Env[NDArray[Any], Any]):
    """Any functional environment as a `gymnasium.Env`. It can be pickled and copied in the middle of an episode.

    `reset(seed=n)` fixes everything that is drawn from then on; without a seed the draws go on.
    """

    def __init__(self, environment: Environment[Any, Any], render_mode: str | None = None) -> None:
        check_render_mode(render_mode)
        note_use()
        self.environment = environment
        self.render_mode = render_mode
        self.metadata = render_metadata()
        self.observation_space = to_gymnasium(environment.observation_space)
        self.action_space = to_gymnasium(environment.action_space)
        self._carry: Vectors | None = None
        self._trace = None if render_mode is None or has_picture(environment) else Trace(environment, None)

    @property
    def state(self) -> Any:
        """The functional environment's state."""
        return compiled(self.environment).state(self._carry)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode: its first observation, and in `info` its date, its window and the weather that this is of.

        `options={"start": "2010-05-01"}` begins it at one of the starts that the environment has (`env.starts()`).
        """
        check_process()
        super().reset(seed=seed)
        options = options or {}
        check_options(self.environment, options)
        number = np.uint32(self.np_random.integers(2**32))
        functions = compiled(self.environment)
        if START in options:
            params = one_start(chosen_starts(self.environment, options[START], 1), 0)
            first, self._carry = functions.reset_from(functions.nothing, number, np.bool_(True), params)
        else:
            first, self._carry = functions.reset(functions.nothing, number, np.bool_(True))
        observation = np.array(first)
        if self._trace is not None:
            self._trace.begin(observation)
        return observation, start_info(self.environment, self.state)

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Step the environment by one control interval."""
        space = self.environment.action_space
        space.check(action, "action")
        before, action = self._carry, np.asarray(action, space.dtype)
        self._carry, outcome = compiled(self.environment).stepped(before, action)
        if self._trace is not None and before is not None:
            self._trace.add(before, action, self._carry, outcome)
        observation, reward, terminated, truncated, info = outcome
        return observation, float(reward), bool(terminated), bool(truncated), info

    def render(self) -> NDArray[np.uint8] | None:
        """Return a picture of the present state, or nothing without a render mode."""
        if self.render_mode is None:
            return None
        return picture(self.environment, self.state) if self._trace is None else self._trace.picture(self.state)


def make(env_id: str, render_mode: str | None = None, **options: Any) -> GymnasiumEnv:
    """Make an environment of an id; `gymnasium.make` calls this."""
    return GymnasiumEnv(environment_of(env_id, options, render_mode), render_mode)
