"""What a plan is to raise: the return or a measure, what is left at the end, and constraints at a price."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import jax.numpy as jnp
from jax import Array

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.episodes.engine import summed_up
from phytotron.episodes.open_loop import Outcome

Allowed = Mapping[str, Any]  # mean violation of each constraint that costs nothing


@dataclass(frozen=True)
class Objective:
    """What is raised: a measure of the episode, less a price for the violation of constraints.

    `measure`: "return", or the name of one of the environment's measures. `terminal`: what the state at the end is
    still worth counts as well; it is in the unit of the return. `penalties`: by the name of a constraint in
    `info["costs"]`, what one unit of its mean violation over the episode costs, in the unit of the measure.
    `no_worse_than`: a controller; only the part of a mean violation that exceeds its own on the same start costs
    anything. Where the price is high enough, constraints are then violated no more than by it.
    """

    measure: str = "return"
    terminal: bool = False
    penalties: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    no_worse_than: str | None = None

    def __post_init__(self) -> None:
        for name, price in self.penalties.items():
            if not price >= 0.0:
                raise ValueRangeError(f"the penalty of {name}", price, "a number, 0 or more")
        if self.no_worse_than is not None and not self.penalties:
            raise PhytotronError(
                f"constraints are to be violated no more than by {self.no_worse_than}, but none has a price; give "
                "penalties, such as temperature=1"
            )

    @property
    def name(self) -> str:
        """Tells it from others in the name of a file; empty for the return alone."""
        parts = [] if self.measure == "return" else [self.measure]
        parts += [f"{name}={price:g}" for name, price in sorted(self.penalties.items())]
        parts += [] if self.no_worse_than is None else [self.no_worse_than]
        return "-".join(parts)

    def check(self, env: Environment[Any, Any], outcome: Outcome) -> None:
        """Refuse names that the environment does not have; the outcome is that of any plan."""
        if self.measure not in outcome.sums:
            raise UnknownNameError(f"measure of {env.id}", self.measure, outcome.sums)
        for name in self.penalties:
            if name not in outcome.costs:
                raise UnknownNameError(f"constraint of {env.id}", name, outcome.costs)
        if self.terminal and self.measure != "return":
            raise PhytotronError(f"what is left at the end is in the unit of the return, not of {self.measure}")

    def value(self, env: Environment[Any, Any], outcome: Outcome, allowed: Allowed) -> Array:
        """What an outcome is worth."""
        worth = jnp.asarray(summed_up(env, dict(outcome.sums), outcome.length)[self.measure])
        worth = worth + outcome.remaining if self.terminal else worth
        for name, price in self.penalties.items():
            worth = worth - price * jnp.maximum(violation(outcome, name) - allowed.get(name, 0.0), 0.0)
        return worth


def violation(outcome: Outcome, name: str) -> Array:
    """The mean violation of a constraint over an episode."""
    return jnp.asarray(outcome.costs[name] / outcome.length)
