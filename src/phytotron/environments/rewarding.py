"""What the rewards of all tasks share: names or functions of an outcome, and sums of them."""

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import jax.numpy as jnp
from jax import Array

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError

Reward = Callable[[Any], Array]  # of the task's outcome


def choose_reward(choice: Any, rewards: Mapping[str, Reward]) -> Reward:
    """The reward of a name, or the function that was given instead."""
    if isinstance(choice, str):
        if choice not in rewards:
            raise UnknownNameError("reward", choice, rewards)
        return rewards[choice]
    if not callable(choice):
        raise PhytotronError(f"reward is {choice!r}; expected {', '.join(rewards)}, or a function of an Outcome")
    return choice


class WeightedRewards:
    """A reward that adds up others, each with a weight: names of the task's `rewards` or functions of its outcome."""

    rewards: ClassVar[Mapping[str, Reward]] = {}

    def __init__(self, *terms: tuple[float, str | Reward]) -> None:
        if not terms:
            raise PhytotronError("a weighted sum needs at least one pair of weight and reward")
        for weight, term in terms:
            if not math.isfinite(weight):
                raise ValueRangeError("the weight of a reward", weight, "a finite number")
            choose_reward(term, self.rewards)
        self.terms = terms

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.terms}"

    def __call__(self, outcome: Any) -> Array:
        parts = [jnp.asarray(weight * choose_reward(term, self.rewards)(outcome)) for weight, term in self.terms]
        return sum(parts[1:], parts[0])
