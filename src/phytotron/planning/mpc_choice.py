"""Model predictive control for tasks with choices: local search in the plan of the steps ahead."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment
from phytotron.core.spaces import Discrete
from phytotron.episodes.open_loop import follow_from

ROUNDS = 20


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class PredictiveChoice(Controller):
    """Predictive control with choices.

    At every decision, it makes the single change of the plan that earns most, again and again, until none helps.
    """

    rounds: Any  # changes in a decision, at most
    environment: Environment[Any, Any] = field(metadata={"static": True})
    horizon: int = field(metadata={"static": True})  # steps
    forecast: str | float = field(metadata={"static": True})
    scenarios: int = field(metadata={"static": True})

    @property
    def _choices(self) -> int:
        space = self.environment.action_space
        assert isinstance(space, Discrete)
        return int(space.n)

    def start(self, key: Array) -> Memory:
        """Return the first plan, which holds the first choice (0) at every step."""
        return jnp.zeros(self.horizon, jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the first choice of the improved plan; the rest of the plan is remembered."""
        env = self.environment

        def earned(plan: Array) -> Array:
            def in_scenario(key: Array) -> Array:
                likely = env.foreseen(key, state, params, self.forecast)
                supposed = state if self.scenarios == 1 else env.supposed(key, state, params)
                return follow_from(env, key, supposed, plan, likely, kernel=False).prospect

            if self.scenarios == 1:
                return in_scenario(key)
            return jnp.mean(jax.vmap(in_scenario)(jax.random.split(key, self.scenarios)))

        step, choice = (each.ravel() for each in jnp.indices((self.horizon, self._choices), jnp.int32))

        def improve(now: tuple[Array, Array, Array, Array]) -> tuple[Array, Array, Array, Array]:
            left, plan, value, _ = now
            tried = jnp.repeat(plan[None], step.size, axis=0).at[jnp.arange(step.size), step].set(choice)
            found = jax.vmap(earned)(tried)
            best = jnp.argmax(found)
            better = found[best] > value
            return left - 1, jnp.where(better, tried[best], plan), jnp.maximum(found[best], value), better

        begin = (jnp.asarray(self.rounds, jnp.int32), memory, earned(memory), jnp.ones((), bool))
        plan = jax.lax.while_loop(lambda now: (now[0] > 0) & now[3], improve, begin)[1]
        return plan[0].astype(env.action_space.dtype), jnp.concatenate([plan[1:], jnp.zeros_like(plan[:1])])
