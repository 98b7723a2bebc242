"""The problem of planning: one episode from each start, and the objective to maximise in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
from jax import Array
from numpy.typing import NDArray

from phytotron.core.environment import Environment, Starts
from phytotron.episodes.engine import Progress, one_start
from phytotron.episodes.open_loop import Act, Outcome, as_planned, follow
from phytotron.planning.objective import Objective
from phytotron.planning.plans import Plan

Actions = NDArray[Any]
Method = Callable[[Actions, Progress | None], list[Plan]]  # from first actions (starts, steps, ...) to plans


@dataclass(frozen=True)
class Problem:
    """An environment, the starts of the episodes to plan, and the objective of the plans."""

    env: Environment[Any, Any]
    starts: Starts
    objective: Objective

    @property
    def keys(self) -> Array:
        """One random key per start, the same as in an evaluation with the seed 0."""
        return jax.random.split(jax.random.key(0), len(self.starts.labels))

    def follow(self, key: Array, plan: Array, params: Any, act: Act = as_planned) -> Outcome:
        """Return the outcome of a plan, with the sum of the objective."""
        return follow(self.env, key, plan, params, act, self.objective.gain(self.env))

    def value(self, outcome: Outcome) -> Array:
        """Return the value of the outcome of a plan."""
        return self.objective.value(self.env, outcome)

    def outcomes(self, actions: Actions) -> list[Outcome]:
        """Return the outcomes of actions (starts, steps, ...), one per start."""
        run = self.env.kept(("outcomes of plans", self.objective.name), lambda: jax.jit(self.follow))
        return [run(self.keys[n], actions[n], one_start(self.starts, n)) for n in range(len(self.starts.labels))]
