"""Common parts of all rewards: choice by name or as a function of an outcome, and weighted sums."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import Value, with_values
from phytotron.core.presentation import Return

Reward = Callable[[Any], Array]  # of the task's outcome
Bounds = Mapping[str, tuple[str | float, str]]  # of quantities: names of the lowest and highest value, or a number


def choose_reward(choice: Any, rewards: Mapping[str, Reward]) -> Reward:
    """Return the reward with a name; a function that is given instead is returned as it is."""
    if isinstance(choice, str):
        if choice not in rewards:
            raise UnknownNameError("reward", choice, rewards)
        return rewards[choice]
    if not callable(choice):
        raise PhytotronError(f"reward is {choice!r}; expected {', '.join(rewards)}, or a function of an Outcome")
    return choice


class Rewarded:
    """A task with the option `reward`: a name in `rewards`, or a function of its outcome."""

    rewards: ClassVar[Mapping[str, Reward]]
    reward: Any

    @cached_property
    def chosen_reward(self) -> Reward:
        """The function that gives the reward for an outcome."""
        return choose_reward(self.reward, self.rewards)


def return_of(choice: Any, known: Mapping[str, Return]) -> Return:
    """Return the unit and meaning of the return by the name of a reward; points for a function of your own."""
    return known.get(choice, Return()) if isinstance(choice, str) else Return()


def uncharged(prices: Any, product: str) -> tuple[str, ...]:
    """Return a sentence for each price of a record that is 0, as readers should know; `product` is what is sold."""
    free = [each for each in with_values(prices) if not np.any(np.asarray(getattr(prices, each.name)))]
    meaning = {q.name: "its use costs nothing" for q in free} | {product: "what is harvested earns nothing"}
    return tuple(
        f"The {q.description} is 0 {q.unit}: {meaning[q.name]} in these results. "
        f"Set it by the option prices, as in {q.name}=0.2."
        for q in free
    )


def bounds_of(limits: Any, bounds: Bounds) -> dict[str, tuple[Value, Value]]:
    """Return the lowest and the highest value of each bounded quantity, from a record that has them by name."""
    return {
        name: (getattr(limits, lower) if isinstance(lower, str) else lower, getattr(limits, upper))
        for name, (lower, upper) in bounds.items()
    }


def check_ordered(owner: str, limits: Any, bounds: Bounds) -> None:
    """Refuse limits that contradict each other: the lowest value of a quantity has to be below the highest."""
    for name, (low, high) in bounds_of(limits, bounds).items():
        lower, upper = bounds[name]
        if isinstance(lower, str) and not np.all(np.asarray(low) < np.asarray(high)):
            raise ValueRangeError(f"{owner}.{lower}", low, f"below {upper}, which is {high}")


def beyond(value: Array, low: Any, high: Any) -> Array:
    """Return by how much a value lies below `low` or above `high`; 0 between them."""
    return jnp.maximum(jnp.maximum(low - value, value - high), 0.0)


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
