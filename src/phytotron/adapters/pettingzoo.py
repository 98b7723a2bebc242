"""A field of two crops with a decision maker for each, behind the parallel interface of PettingZoo."""

import dataclasses
import re
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.sharing import environment_of, to_gymnasium
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete
from phytotron.environments.intercrop import IntercropField

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise ImportError("PettingZoo is not installed; pip install 'phytotron[pettingzoo]' adds it") from error

FIELD = "phytotron/IntercropField-v1"


class CropsParallelEnv(ParallelEnv):  # type: ignore[misc]
    """A field shared by two crops, with doses per crop, as a `ParallelEnv`; agents are called like their crops.

    Each agent doses the rows of its crop and gets the reward that comes from it: the growth of its grain beyond that
    without fertiliser, less its nitrogen, by default. Both see everything; with `own_first`, each sees its own crop as
    crop 1 and its neighbour as crop 2, so that one policy can serve both. The season ends for both at once.
    """

    metadata = {"name": "phytotron_intercrop_field", "render_modes": []}  # noqa: RUF012

    def __init__(self, environment: IntercropField, own_first: bool = True) -> None:
        if not getattr(environment, "doses_per_crop", False):
            raise PhytotronError(f"two decision makers need {FIELD} with doses_per_crop=True")
        self.environment = environment
        self.own_first = own_first
        self.render_mode = None
        self.possible_agents = agent_names(environment)
        self.agents: list[str] = []
        single = dataclasses.replace(environment.processing, per_crop=False).space(environment.precision)
        self._choices = single.n if isinstance(single, Discrete) else None
        self._env = GymnasiumEnv(environment)
        names = environment.observation_space.names
        as_it_is, other = np.arange(len(names)), exchanged(names) if own_first else np.arange(len(names))
        self._orders = dict(zip(self.possible_agents, (as_it_is, other), strict=True))
        self.state_space = self._env.observation_space
        self.observation_spaces = {agent: self._space_of(order) for agent, order in self._orders.items()}
        self.action_spaces = {agent: to_gymnasium(single) for agent in self.possible_agents}
        self._observation: NDArray[Any] = np.zeros(environment.observation_space.shape, environment.precision)

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, dict[str, Any]]]:
        """Begin a season; `options` are there for the interface and have no effect."""
        self._observation, _ = self._env.reset(seed=seed)
        self.agents = list(self.possible_agents)
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Step both agents by one interval; return observations, rewards, terminations, truncations and infos."""
        if not self.agents:
            raise PhytotronError("the season is over; call reset")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise PhytotronError(f"no action for {', '.join(missing)}; every agent acts in every step")
        self._observation, _, terminated, truncated, info = self._env.step(self._joint(actions))
        acted = self.agents
        rewards = {agent: float(each) for agent, each in zip(acted, info["rewards"], strict=True)}
        outcome = (
            self._seen(),
            rewards,
            dict.fromkeys(acted, terminated),
            dict.fromkeys(acted, truncated),
            {agent: dict(info) for agent in acted},
        )
        if terminated or truncated:
            self.agents = []
        return outcome

    def state(self) -> NDArray[Any]:
        """Return the observation of the whole field, a vector in the order of the first agent."""
        return self._observation.copy()

    def render(self) -> None:
        """Do nothing: the field has no picture."""

    def close(self) -> None:
        """Release the environment."""
        self._env.close()

    def _joint(self, actions: dict[str, Any]) -> Any:
        one, two = (actions[agent] for agent in self.possible_agents)
        for agent, action in zip(self.possible_agents, (one, two), strict=True):
            if not self.action_spaces[agent].contains(action):
                raise PhytotronError(
                    f"the action of {agent} is {action!r}; expected one of {self.action_spaces[agent]}"
                )
        if self._choices is None:
            return np.concatenate([one, two])
        return int(one) + self._choices * int(two)

    def _seen(self) -> dict[str, NDArray[Any]]:
        return {agent: self._observation[self._orders[agent]] for agent in self.agents}

    def _space_of(self, order: NDArray[np.intp]) -> gymnasium.Space[Any]:
        space: Any = self._env.observation_space
        return gymnasium.spaces.Box(space.low[order], space.high[order], dtype=space.dtype)


def agent_names(environment: Any) -> list[str]:
    """Return the names of the crops, or "crop_1" and "crop_2" where they have none or the same."""
    one, two = environment.crops
    named = isinstance(one, str) and isinstance(two, str) and one != two
    return [str(one), str(two)] if named else ["crop_1", "crop_2"]


def exchanged(names: tuple[str, ...]) -> NDArray[np.intp]:
    """Return, for each observed quantity, the index of the same quantity of the other crop."""
    place = {name: index for index, name in enumerate(names)}
    other = [re.sub(r"^(crop|state)_([12])\.", lambda m: f"{m[1]}_{3 - int(m[2])}.", name) for name in names]
    missing = sorted(set(other) - set(place))
    if missing:
        raise PhytotronError(f"{', '.join(missing)} is not observed; observe both crops alike, or set own_first=False")
    return np.array([place[name] for name in other])


def make_parallel(own_first: bool = True, id: str = FIELD, **options: Any) -> CropsParallelEnv:
    """Return a field with options of its task, and a decision maker for each crop; `id` is that of a shared field."""
    environment: Any = environment_of(id, {"doses_per_crop": True} | options)
    return CropsParallelEnv(environment, own_first)
