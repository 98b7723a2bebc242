"""Plans by gradient ascent, for continuous actions and for choices that can be relaxed."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from itertools import count
from threading import Lock
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.core.spaces import Box
from phytotron.episodes.engine import Progress, one_start, some
from phytotron.episodes.open_loop import wanted_by
from phytotron.planning import ascent
from phytotron.planning.plans import LEVELS, Plan, improves
from phytotron.planning.problem import Actions, Method, Problem

CHUNK = 10  # steps of an ascent between reports
LARGEST = 16  # starts of a batch that are planned for at once: a core is twice as fast with them as with one


class Ascent(NamedTuple):
    """The functions of an ascent of a batch: its beginning from plans, and a chunk of its steps."""

    begin: Callable[[Array], ascent.Climb]
    go_on: Callable[[ascent.Climb, Array, Any], ascent.Climb]


class ByGradients:
    """A method that plans by gradient ascent, in as many batches at a time as the machine has cores.

    It searches for the targets of each step (`Environment.toward`), from which the actions follow.
    """

    def __init__(self, problem: Problem, iterations: int) -> None:
        """`iterations` are rounded up to whole chunks."""
        assert isinstance(problem.env.action_space, Box)
        self.problem, self.space = problem, problem.env.action_space
        self.chunks = max(1, -(-iterations // CHUNK))
        self._reached = jax.jit(partial(wanted_by, problem.env))
        self._settled = jax.jit(self._settle)
        self._ascent = cache(self._compile)  # by way

    def __call__(self, first: Actions, progress: Progress | None) -> list[Plan]:
        """Return the plans found from first actions (starts, steps, ...)."""
        starts = range(len(first))
        targets = np.stack(
            [self._reached(self.problem.keys[n], jnp.asarray(first[n]), self._params(n)) for n in starts]
        )
        way = ascent.SQUASHED if np.allclose(targets, first) else ascent.PROJECTED
        best, history = self._climb_all(targets, way, progress)
        return [self._plan(n, best[n], history[n]) for n in starts]

    def _params(self, start: int) -> Any:
        return one_start(self.problem.starts, start)

    def _climb_all(
        self, targets: NDArray[Any], way: ascent.Way, progress: Progress | None
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the best targets of every start, and the best values after each chunk (starts, chunks)."""
        cores = os.cpu_count() or 1
        batches = equal_batches(len(targets), cores)
        report = _reporting(progress, self.chunks * len(batches))
        chosen = self._ascent(way)
        with ThreadPoolExecutor(cores) as pool:
            found = list(pool.map(lambda batch: self._climb(batch, targets[batch], chosen, report), batches))
        best, history = (np.concatenate(each) for each in zip(*found, strict=True))
        return best, history

    def _climb(
        self, batch: NDArray[np.int_], targets: NDArray[Any], chosen: Ascent, report: Callable[[], None]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the same for one batch of starts."""
        params = some(self.problem.starts, batch).params
        keys = self.problem.keys[batch]
        now = chosen.begin(jnp.asarray(targets))
        history = []
        for _ in range(self.chunks):
            now = chosen.go_on(now, keys, params)
            history.append(np.asarray(now.best_value))
            report()
        return np.asarray(now.best), np.stack(history, axis=1)

    def _compile(self, way: ascent.Way) -> Ascent:
        space, problem, adam = self.space, self.problem, ascent.optimiser(self.chunks * CHUNK, way)

        def go_on(now: ascent.Climb, key: Array, params: Any) -> ascent.Climb:
            def value(plan: Array) -> Array:
                return problem.value(problem.follow(key, plan, params, problem.env.toward))

            def once(now: ascent.Climb, _: None) -> tuple[ascent.Climb, None]:
                return ascent.climb(space, adam, value, now, way)[0], None

            return jax.lax.scan(once, now, length=CHUNK)[0]

        begin = jax.vmap(lambda plan: ascent.begin(space, adam, plan, way))
        return Ascent(begin, jax.jit(jax.vmap(go_on, (0, 0, problem.starts.axes))))

    def _plan(self, start: int, targets: NDArray[Any], history: NDArray[Any]) -> Plan:
        actions, worth = self._settled(self.problem.keys[start], targets, self._params(start))
        return Plan(np.asarray(actions), float(worth), tuple(history.tolist()))

    def _settle(self, key: Array, targets: Array, params: Any) -> tuple[Array, Array]:
        """Return the actions that follow from targets, as a file can hold them, and their value."""

        def act(wanted: Array, state: Any) -> Array:
            return storable(self.space, self.problem.env.toward(wanted, state))

        outcome = self.problem.follow(key, targets, params, act)
        return outcome.actions, self.problem.value(outcome)


def _reporting(progress: Progress | None, of: int) -> Callable[[], None]:
    """Return a function that threads call after each chunk; it reports how many chunks are done."""
    numbers, lock = count(1), Lock()

    def report() -> None:
        with lock:
            done = next(numbers)
            if progress is not None:
                progress(done, of)

    return report


def equal_batches(count: int, cores: int) -> list[NDArray[np.int_]]:
    """Return the numbers below `count` in batches of one size, no larger than LARGEST, for the given number of cores.

    The last number is repeated to fill the last batch, because another size would need another compilation.
    """
    size = min(LARGEST, -(-count // cores))
    numbers = np.minimum(np.arange(-(-count // size) * size), count - 1)
    return list(numbers.reshape(-1, size))


def no_worse_than_first(problem: Problem, method: Method) -> Method:
    """Return a method that keeps the first actions, as a file holds them, where these are better than what it finds.

    An ascent does not value them itself: it begins from a plan that is drawn in from the bounds of actions.
    """
    space = problem.env.action_space
    assert isinstance(space, Box)

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        kept = np.asarray(storable(space, jnp.clip(first, space.low, space.high)), space.dtype)
        values = [float(problem.value(outcome)) for outcome in problem.outcomes(kept)]
        return [
            Plan(actions, value, tuple(max(each, value) for each in found.history))
            if improves(value, found.value)
            else found
            for actions, value, found in zip(kept, values, method(first, progress), strict=True)
        ]

    return plans


def by_rounding(problem: Problem, relaxed: Environment[Any, Any], iterations: int) -> Method:
    """Return a method that plans by gradients in the relaxed environment and rounds to choices.

    It keeps the first actions where these are better than the rounded ones.
    """
    climb = ByGradients(replace(problem, env=relaxed), iterations)

    def worth(actions: Actions) -> list[float]:
        return [float(problem.value(outcome)) for outcome in problem.outcomes(actions)]

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        found = climb(first.astype(relaxed.action_space.dtype), progress)
        rounded = np.stack([np.round(plan.actions) for plan in found]).astype(first.dtype)
        before, after = worth(first), worth(rounded)
        return [
            Plan(*((rounded[n], after[n]) if improves(after[n], before[n]) else (first[n], before[n])), plan.history)
            for n, plan in enumerate(found)
        ]

    return plans


def storable(space: Box, actions: Array) -> Array:
    """Return the nearest actions that a file of plans can hold.

    Actions are rounded one after the other, so that later actions make up for the rounding of earlier ones.
    """
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    return low + jnp.round((actions - low) / (high - low) * LEVELS) / LEVELS * (high - low)
