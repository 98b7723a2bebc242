"""The objective of a plan: the return or a measure, optionally the value of the last state, and prices of
violations.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Environment, Info
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.episodes.engine import measured, summed_up
from phytotron.episodes.open_loop import Gain, Outcome


@dataclass(frozen=True)
class Objective:
    """The objective of a plan: a measure of the episode, minus a price for the violation of constraints.

    `measure`: "return", or the name of one of the environment's measures. `terminal`: also count the value of the state
    at the end, which is in the unit of the return. `penalties`: the price of one unit of the mean violation over the
    episode, in the unit of the measure, by the name of a constraint in `info["costs"]`.
    """

    measure: str = "return"
    terminal: bool = False
    penalties: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for name, price in self.penalties.items():
            if not 0.0 <= price < math.inf:
                raise ValueRangeError(f"the penalty of {name}", price, "a finite number, 0 or more")
        if self.terminal and self.measure != "return":
            raise PhytotronError(f"what is left at the end is in the unit of the return, not of {self.measure}")

    @property
    def name(self) -> str:
        """A name for files, which distinguishes it from other objectives; empty for the return alone."""
        parts = [] if self.measure == "return" else [self.measure]
        if self.terminal:
            parts.append("terminal")
        parts += [f"{name}={float(price)}".removesuffix(".0") for name, price in sorted(self.penalties.items())]
        return "-".join(parts)

    def gain(self, env: Environment[Any, Any]) -> Gain:
        """Return the function that computes the contribution of a step."""
        steps = 1 if self._is_mean(env) else env.episode_steps  # a mean is divided by the steps at the end

        def gained(reward: Array, info: Info) -> Array:
            found = measured(env, reward, info)
            if self.measure not in found:
                raise UnknownNameError(f"measure of {env.id}", self.measure, found)
            worth = jnp.asarray(found[self.measure], env.precision)
            for name, price in self.penalties.items():
                if name not in info["costs"]:
                    raise UnknownNameError(f"constraint of {env.id}", name, info["costs"])
                worth = worth - price / steps * info["costs"][name]
            return worth

        return gained

    def value(self, env: Environment[Any, Any], outcome: Outcome) -> Array:
        """Return the value of an outcome, whose total is that of `gain`."""
        found: Array = summed_up(env, {self.measure: outcome.total}, outcome.length)[self.measure]
        return found + outcome.remaining if self.terminal else found

    def _is_mean(self, env: Environment[Any, Any]) -> bool:
        """Whether the measure is a mean over the steps of the episode."""
        return any(each.mean and each.quantity.name == self.measure for each in env.measures)
