"""Environments for Ray RLlib, by their ids.

RLlib's env runners sample from a `gymnasium.vector.VectorEnv`. With
`config.env_runners(gym_env_vectorize_mode="vector_entry_point")` they ask the creator of an environment for it,
by a `num_envs` in its configuration, and get our batch: one compiled call steps all environments of a runner. In the
other modes ("sync" is RLlib's default, "async") the same creator gives single environments.
"""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.batch import Seeds
from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.sharing import environment_of
from phytotron.adapters.vector_env import PhytotronVectorEnv
from phytotron.core.registry import ENVIRONMENTS

try:
    from ray.tune import register_env
except ImportError as error:
    raise ImportError("Ray is not installed; pip install 'phytotron[rllib]' adds it") from error

VECTORISED = "vector_entry_point"  # the mode of vectorisation that uses our batch


class RLlibVectorEnv(PhytotronVectorEnv):
    """The batch, with seeds that RLlib's runners do not share.

    RLlib seeds runner k with s + k, and copy i of a runner would have s + k + i: the same episodes in other runners.
    """

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin new episodes, with seeds spread out."""
        spread = np.random.SeedSequence(seed).generate_state(self.num_envs).tolist() if isinstance(seed, int) else seed
        return super().reset(seed=spread, options=options)


def register(*env_ids: str) -> None:
    """Make environments known to RLlib by their ids, in all its processes; without ids, all that are registered."""
    for env_id in env_ids or ENVIRONMENTS:
        ENVIRONMENTS.entry(env_id)  # refuses what is no environment
        register_env(env_id, functools.partial(create, env_id))


def create(env_id: str, env_config: Mapping[str, Any]) -> GymnasiumEnv | PhytotronVectorEnv:
    """Make what RLlib asks for: one environment, or a batch where `env_config` has `num_envs`.

    The other keys are options of the environment, which may also be named as the task was published.
    """
    configuration = dict(env_config)
    num_envs = configuration.pop("num_envs", None)
    translate = getattr(ENVIRONMENTS[env_id], "options_from", dict)  # of a class; a factory has none
    environment = environment_of(env_id, translate(configuration))
    return GymnasiumEnv(environment) if num_envs is None else RLlibVectorEnv(environment, num_envs)
