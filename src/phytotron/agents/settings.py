"""Settings of agents: frozen dataclasses whose fields state their allowed values."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.agents.networks import check_network
from phytotron.core.errors import ValueRangeError

UNCLIPPED = float(np.finfo(np.float32).max)  # where observations are not normalised


WHOLE, NATURAL = "a whole number, at least 1", "a whole number, at least 0"
POSITIVE, SHARE, POSITIVE_SHARE, FINITE = "above 0", "between 0 and 1", "above 0 and at most 1", "a finite number"
WIDTHS = "the widths of a network, whole numbers, at least 1"


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# What a setting may be, in words, and the condition.
RANGES: Mapping[str, Callable[[Any], bool]] = MappingProxyType(
    {
        WHOLE: lambda value: _is_whole(value) and value >= 1,
        NATURAL: lambda value: _is_whole(value) and value >= 0,
        POSITIVE: lambda value: value > 0.0,
        SHARE: lambda value: 0.0 <= value <= 1.0,
        POSITIVE_SHARE: lambda value: 0.0 < value <= 1.0,
        FINITE: math.isfinite,
        WIDTHS: lambda value: all(_is_whole(width) and width >= 1 for width in value),
    }
)


def within(expected: str, default: Any) -> Any:
    """Return a setting with a default, which must lie in one of RANGES or be None where its type allows that."""
    return dataclasses.field(default=default, metadata={"expected": expected})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """Base of settings; every value is checked when they are created. Numbers are finite, unless by default."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            value, expected = getattr(self, each.name), each.metadata.get("expected")
            missing = value is None and "None" in str(each.type)
            if expected is not None and not missing and not RANGES[expected](value):
                raise ValueRangeError(each.name, value, expected)
            # JSON, and with it a run, cannot hold what is not finite.
            if isinstance(value, float) and value != each.default and not math.isfinite(value):
                raise ValueRangeError(each.name, value, FINITE)
            if each.name == "activation":
                check_network((), value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnerSettings(Settings):
    """Settings that all agents have in common."""

    num_envs: int = within(WHOLE, 1)
    learning_rate: float = within(POSITIVE, 3e-4)
    activation: str = "tanh"
    normalise_observations: bool = True
    clip_observation: float = within(POSITIVE, 10.0)
    staggered: bool = False  # first episodes are cut short at random, so that environments are not in step
    steps: int = within(WHOLE, 100_000)  # of training in all

    @property
    def observation_clip(self) -> float:
        """The bound of normalised observations; practically infinite where observations are not normalised."""
        return self.clip_observation if self.normalise_observations else UNCLIPPED


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReturnSettings(LearnerSettings):
    """Settings that PPO, DQN and SAC have in common, which learn discounted returns."""

    discount: float = within(SHARE, 0.99)
    count_growth: bool = False  # what a step adds to the worth of the state at the end counts with its reward
    normalise_rewards: bool = True
    clip_reward: float = within(POSITIVE, 10.0)
