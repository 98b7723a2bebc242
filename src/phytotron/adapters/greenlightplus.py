"""`GreenhouseEnv` under its published name and configuration, for code that was written for GreenLightPlus."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.environments.setpoint import from_env_config


class GreenhouseEnv(GymnasiumEnv):
    """The set-point task as a `gymnasium.Env` that takes an `env_config`, as Ray RLlib passes it.

    `episode_unit_energy_inputs` [MJ kg-1] and `episode_total_yields` [kg m-2] hold the totals of finished episodes. As
    published, the end of the season is reported as terminated; the task itself reports a time limit, truncated.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, **options: Any) -> None:
        super().__init__(from_env_config(env_config, **options))
        self.episode_unit_energy_inputs: list[float] = []
        self.episode_total_yields: list[float] = []

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = super().step(action)
        over = terminated or truncated
        if over:
            self.episode_unit_energy_inputs.append(float(info["yield_unit_energy_input"]))
            self.episode_total_yields.append(float(info["total_yield"]))
        return observation, reward, over, False, info
