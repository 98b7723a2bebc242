"""Episodes of an environment as JavaScript: a step, what a person wants made into an action, and where it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.browser.compiler.module import Module, layout, numbers
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import Starts
from phytotron.core.presentation import Channel, Step
from phytotron.core.stepping import checked_choice, checked_transition
from phytotron.episodes.engine import measured, one_start

PRICES = ".prices."  # begins the paths of prices among the parameters of a task
Variant = tuple[Environment[Any, Any], Starts]
KEY = 0  # of episodes; a step that draws random numbers cannot be compiled


@dataclass(frozen=True)
class Window:
    """The start of an episode: its numbers, and arrays that differ between windows, or that a person may change."""

    label: str
    state: NDArray[np.float64]
    observation: NDArray[np.float64]
    given: tuple[NDArray[np.float64], ...]


class Episodes:
    """Some starts of an environment in float64, and the functions that make steps from them.

    `step(state, observation, action)` gives state, observation, reward, terminated, truncated, measures and channels.
    `variants`: the same starts of environments that differ from `env` in nothing but the numbers of their parameters,
    such as other greenhouses.
    """

    def __init__(self, env: Environment[Any, Any], starts: Starts, variants: Sequence[Variant] = ()) -> None:
        self.env = env
        self.channels: tuple[Channel, ...] = tuple(each for each in env.channels if each.group != "time")
        self.key = jax.random.key(KEY)
        sets = [(env, starts), *variants]
        each_set = [[task.narrowed(one_start(s, n)) for n in range(len(s.labels))] for task, s in sets]
        self.params = each_set[0]
        leaves = [jax.tree.leaves(each) for params in each_set for each in params]
        paths = [jax.tree_util.keystr(path) for path, _ in jax.tree.leaves_with_path(self.params[0])]
        prices = {n for n, path in enumerate(paths) if path.startswith(PRICES) and np.size(leaves[0][n]) == 1}
        differing = {n for n, first in enumerate(leaves[0]) if any(not _same(first, each[n]) for each in leaves)}
        self.places = sorted(prices | differing)
        self.prices = {paths[n].removeprefix(PRICES): self.places.index(n) for n in sorted(prices)}  # among `given`
        begun = [[self._begin(each) for each in params] for params in each_set]
        self.beginnings = begun[0]
        self.module = Module()
        self._add_step()
        self.windows, *self.variants = [
            [self._window(*each) for each in zip(s.labels, beginnings, params, strict=True)]
            for (_, s), beginnings, params in zip(sets, begun, each_set, strict=True)
        ]

    @property
    def observation(self) -> Any:
        """An observation, for its shape."""
        return self.beginnings[0][0]

    @property
    def state(self) -> Any:
        """A state, for its shapes."""
        return self.beginnings[0][1]

    @property
    def action(self) -> Any:
        """An action, for its shape."""
        return jax.ShapeDtypeStruct(self.env.action_space.shape, self.env.action_space.dtype)

    @property
    def given(self) -> list[Any]:
        """Arrays of the first window that are not compiled in."""
        leaves = jax.tree.leaves(self.params[0])
        return [jnp.asarray(leaves[place]) for place in self.places]

    def _with(self, given: Sequence[Any]) -> Any:
        """The parameters with arrays of a window."""
        leaves, structure = jax.tree.flatten(self.params[0])
        for place, each in zip(self.places, given, strict=True):
            leaves[place] = each
        return jax.tree.unflatten(structure, leaves)

    @cached_property
    def _begin(self) -> Callable[[Any], Any]:
        """The function from parameters to the first observation and state, compiled once for all windows."""
        return jax.jit(lambda params: self.env.initial(self.key, params))

    def _window(self, label: str, beginning: Any, params: Any) -> Window:
        observation, state = beginning
        leaves = jax.tree.leaves(params)
        given = tuple(np.asarray(leaves[place], np.float64).ravel() for place in self.places)
        return Window(label, numbers(state), numbers(observation), given)

    def _add_step(self) -> None:
        env = self.env

        def step(state: Any, observed: Array, action: Array, *given: Any) -> Any:
            params = self._with(given)
            outcome = checked_transition(env, self.key, state, action, params)
            observation, after, reward, terminated, truncated, info = outcome
            made = Step(observed, state, action, after, reward, terminated, truncated, info, params)
            measures = [jnp.asarray(each, float) for each in list(measured(env, reward, info).values())[1:]]
            channels = [jnp.asarray(each.of(made), float) for each in self.channels]
            return after, observation, reward, terminated, truncated, measures, channels

        self.module.add("step", step, self.state, self.observation, self.action, given=self.given)

    def add_act(self, quantities: Sequence[Quantity]) -> None:
        """Add the function from what a person wants (NaN: nothing) and the state to an action."""

        def act(wanted: Array, state: Any, *given: Any) -> Array:
            values = {each.name: wanted[n] for n, each in enumerate(quantities)}
            action = self.env.scheduling.act(values, state, self._with(given))
            return jnp.asarray(action, self.env.action_space.dtype)

        wanted = jax.ShapeDtypeStruct((len(quantities),), jnp.dtype(float))
        self.module.add("act", act, wanted, self.state, given=self.given)

    def add_controller(self, name: str, controller: Controller) -> NDArray[np.float64]:
        """Add a function from memory, observation and state to an action and the next memory; the first memory."""
        memory = controller.start(self.key)

        def act(memory: Any, observation: Array, state: Any, *given: Any) -> Any:
            return checked_choice(self.env, controller, self.key, memory, observation, state, self._with(given))

        self.module.add(name, act, memory, self.observation, self.state, given=self.given)
        return numbers(memory)

    def sizes(self) -> dict[str, int]:
        """Return the numbers of elements of state, observation and action."""
        parts = {"state": self.state, "observation": self.observation, "action": self.action}
        return {name: sum(each.size for each in layout(part)) for name, part in parts.items()}


def _same(one: Any, other: Any) -> bool:
    return np.array_equal(np.asarray(one), np.asarray(other))
