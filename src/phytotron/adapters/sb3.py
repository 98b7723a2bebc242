"""A batch of environments behind the interface of Stable-Baselines3."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.batch import Batch, Mask, Member, check_actions, rows
from phytotron.adapters.sharing import check_render_mode, environment_of, to_gymnasium
from phytotron.adapters.starting import START, check_options
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError

try:
    from stable_baselines3.common.vec_env import VecEnv, VecMonitor
except ImportError as error:
    raise ImportError("Stable-Baselines3 is not installed; pip install 'phytotron[sb3]' adds it") from error

Indices = int | Sequence[int] | None


class SB3VecEnv(VecEnv):  # type: ignore[misc]
    """Any functional environment as a Stable-Baselines3 `VecEnv`: one compiled call steps all its copies.

    The step that ends an episode begins the next: the observation is that of the new episode,
    `infos[i]["terminal_observation"]` the last of the old one, `infos[i]["TimeLimit.truncated"]` whether its time was
    up. `seed(s)` gives copy i the seed s + i at the next reset, as in the single adapter. Attributes of the environment
    can be read (`get_attr`) and its methods called (`env_method`); they cannot be changed, others can be set.
    """

    def __init__(self, environment: Environment[Any, Any], num_envs: int, render_mode: str | None = None) -> None:
        check_render_mode(render_mode)
        self._batch = Batch(environment, num_envs, render_mode)
        self._members = [Member(self._batch, index, render_mode=render_mode) for index in range(num_envs)]
        self._actions: NDArray[Any] | None = None
        observation_space, action_space = map(to_gymnasium, (environment.observation_space, environment.action_space))
        super().__init__(num_envs, observation_space, action_space)

    @property
    def environment(self) -> Environment[Any, Any]:
        """The environment of which there are `num_envs` copies."""
        return self._batch.environment

    def reset(self) -> NDArray[Any]:
        """Start new episodes in all environments and return their observations (environments, ...)."""
        for each in self._options:
            check_options(self.environment, each)
        starts = [each[START] for each in self._options if START in each]
        if starts and len(starts) != self.num_envs:
            raise PhytotronError("some environments have the option 'start' and others not; give it to all or to none")
        observation = self._batch.reset(self._seeds, start=starts or None)
        self.reset_infos = self._batch.start_infos()
        self._reset_seeds()
        self._reset_options()
        return observation

    def step_async(self, actions: Any) -> None:
        """Keep actions (environments, ...) for the step that `step_wait` takes."""
        self._actions = check_actions(self.environment.action_space, actions, self.num_envs)

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], Mask, list[dict[str, Any]]]:
        """Take the step and return observations, rewards, ends and infos; ended episodes are reset."""
        if self._actions is None:
            raise PhytotronError("call step_async before step_wait")
        actions, self._actions = self._actions, None
        outcome, last = self._batch.step_and_reset(actions)
        over = outcome.over
        time_up = outcome.truncated & ~outcome.terminated
        infos = rows({**outcome.info, "TimeLimit.truncated": time_up}, self.num_envs)
        for index in np.flatnonzero(over):
            infos[index]["terminal_observation"] = last[index].copy()
        return outcome.observation, outcome.reward.astype(np.float32), over, infos

    def close(self) -> None:
        """Release the environments."""
        self._batch.release()

    def get_images(self) -> list[NDArray[np.uint8]]:
        """Return one picture per environment."""
        return list(self._batch.pictures())

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of each of the chosen environments."""
        return [getattr(self._members[index], attr_name) for index in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of each of the chosen environments."""
        for index in self._get_indices(indices):
            setattr(self._members[index], attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method of each of the chosen environments and return the results."""
        chosen = [self._members[index] for index in self._get_indices(indices)]
        return [getattr(member, method_name)(*method_args, **method_kwargs) for member in chosen]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Return False for each: one environment serves all copies."""
        return [False for _ in self._get_indices(indices)]


def make_sb3(env_id: str, num_envs: int = 1, render_mode: str | None = None, **options: Any) -> VecMonitor:
    """Return the environments of an id for Stable-Baselines3, which logs the return and length of their episodes."""
    return VecMonitor(SB3VecEnv(environment_of(env_id, options, render_mode), num_envs, render_mode))
