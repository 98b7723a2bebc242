"""Settings of agents: frozen dataclasses in which each field says what it may be."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from phytotron.agents.networks import check_network
from phytotron.core.errors import ValueRangeError

UNCLIPPED = float(np.finfo(np.float32).max)  # where observations are not normalised


def checked(default: Any, fits: Callable[[Any], bool], expected: str, optional: bool = False) -> Any:
    """A setting with a condition, and the condition in words; `optional` settings may also be None."""
    return dataclasses.field(default=default, metadata={"fits": fits, "expected": expected, "optional": optional})


def whole(default: int, least: int = 1) -> Any:
    """A setting that is a whole number, at least `least`."""

    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value >= least

    return checked(default, fits, f"a whole number, at least {least}")


def positive(default: float | None, optional: bool = False) -> Any:
    """A setting above 0."""
    return checked(default, lambda value: value > 0.0, "above 0", optional)


def share(default: float) -> Any:
    """A setting from 0 to 1."""
    return checked(default, lambda value: 0.0 <= value <= 1.0, "between 0 and 1")


def positive_share(default: float | None, optional: bool = False) -> Any:
    """A setting above 0 and at most 1."""
    return checked(default, lambda value: 0.0 < value <= 1.0, "above 0 and at most 1", optional)


def finite(default: float | None, optional: bool = False) -> Any:
    """A setting that is any finite number."""
    return checked(default, math.isfinite, "a finite number", optional)


def widths(*default: int) -> Any:
    """A setting that has the widths of the hidden layers of a network."""

    def fits(value: Any) -> bool:
        return all(isinstance(width, int) and width >= 1 for width in value)

    return checked(default, fits, "the widths of a network, whole numbers, at least 1")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """Base of settings; every value is checked when they are made."""

    def __post_init__(self) -> None:
        for each in dataclasses.fields(self):
            value, limits = getattr(self, each.name), each.metadata
            if limits and not (value is None and limits["optional"]) and not limits["fits"](value):
                raise ValueRangeError(each.name, value, limits["expected"])
            if each.name == "activation":
                check_network((), value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnerSettings(Settings):
    """What PPO, DQN and SAC have in common."""

    num_envs: int = whole(1)
    discount: float = share(0.99)
    learning_rate: float = positive(3e-4)
    activation: str = "tanh"
    normalise_observations: bool = True
    clip_observation: float = positive(10.0)
    normalise_rewards: bool = True
    clip_reward: float = positive(10.0)
    staggered: bool = False  # first episodes are cut short at random, so that environments are not in step
    steps: int = whole(100_000)  # of training in all

    @property
    def observation_clip(self) -> float:
        """The bound of normalised observations; as good as none for those that stay as they are."""
        return self.clip_observation if self.normalise_observations else UNCLIPPED
