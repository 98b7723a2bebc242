"""The search of the oracle: the best plan in hindsight for every start, by gradients or by local search."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from threading import Lock
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.controllers.registry import make_competitor
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.spaces import Box, Discrete
from phytotron.episodes.engine import Progress, check_starts, one_start, some, windows
from phytotron.episodes.open_loop import Act, Outcome, as_planned, follow, wanted_by
from phytotron.episodes.recording import run_episodes
from phytotron.planning import ascent, search
from phytotron.planning.objective import Objective
from phytotron.planning.oracle import countable
from phytotron.planning.plans import LEVELS, Plan, Plans

ITERATIONS = 300
CHUNK = 10  # steps of an ascent between reports
LARGEST = 16  # starts of a batch that are planned for at once: a core is twice as fast with them as with one
BATCH = 128  # sequences of choices that are valued at once

Actions = NDArray[Any]
Beginning = str | Plans | Actions  # a controller by name; plans by start; actions (steps, ...) or (starts, steps, ...)
Method = Callable[[Actions, Progress | None], list[Plan]]  # from first actions (starts, steps, ...) to plans


@dataclass(frozen=True)
class Problem:
    """The problem of planning: one episode from each start, and the objective to maximise in it."""

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

    def outcomes(self, actions: Actions) -> list[Outcome]:
        """Return the outcomes of actions (starts, steps, ...), one per start."""
        run = self.env.kept(("outcomes of plans", self.objective.name), lambda: jax.jit(self.follow))
        return [run(self.keys[n], actions[n], one_start(self.starts, n)) for n in range(len(self.starts.labels))]


def make_plans(
    env: Environment[Any, Any],
    starts: Starts | None = None,
    objective: Objective | None = None,
    iterations: int = ITERATIONS,
    beginnings: Sequence[Beginning] | None = None,
    progress: Progress | None = None,
) -> dict[str, Plan]:
    """Return the best plan for each start, by label, found from each of several beginnings.

    `objective`: by default the return. `beginnings`: by default, the actions of the baselines. A beginning may be a
    controller by name, plans (such as those of another reward) or an array of actions.
    """
    starts = countable(env, windows(env) if starts is None else starts)
    problem = Problem(env, starts, Objective() if objective is None else objective)
    tried = default_beginnings(env) if beginnings is None else beginnings
    if not tried:
        raise PhytotronError("there is nothing to begin from; name a controller, or give plans or actions")
    method = method_for(problem, iterations)
    plans: dict[str, Plan] = {}
    for n, beginning in enumerate(tried):
        part = None if progress is None else _share(progress, n, len(tried))
        for label, plan in zip(starts.labels, method(first_actions(problem, beginning), part), strict=True):
            if label not in plans or plan.value > plans[label].value:
                plans[label] = plan
    return plans


def method_for(problem: Problem, iterations: int) -> Method:
    """Return the method for a problem: gradients where actions are continuous or can be relaxed, otherwise search."""
    if isinstance(problem.env.action_space, Box):
        return no_worse_than_first(problem, by_gradients(problem, iterations))
    relaxed = problem.env.relaxed()
    return by_search(problem, iterations) if relaxed is None else by_rounding(problem, relaxed, iterations)


def default_beginnings(env: Environment[Any, Any]) -> list[str]:
    """Return the baselines that a task is compared with and that act in this very environment; "off" where there are
    none.
    """
    names = [name for name in env.presentation.compare if name in env.baselines]
    return [name for name in names if make_competitor(name, env).environment is env] or ["off"]


def first_actions(problem: Problem, beginning: Beginning) -> Actions:
    """Return the actions of a beginning, (starts, steps, ...)."""
    env, starts = problem.env, problem.starts
    if isinstance(beginning, str):
        controller = make_competitor(beginning, env).controllers[0]
        check_starts([controller], starts)
        steps = env.episode_steps
        return np.asarray(run_episodes(env, controller, problem.keys, steps, starts.params, starts.axes).action)
    if isinstance(beginning, Mapping):
        missing = [label for label in starts.labels if label not in beginning]
        if missing:
            raise PhytotronError(f"{len(missing)} starts have no plan to begin from, the first being {missing[0]}")
        beginning = np.stack([beginning[label].actions for label in starts.labels])
    shape = (len(starts.labels), env.episode_steps, *env.action_space.shape)
    actions = np.asarray(beginning, env.action_space.dtype)
    if actions.shape not in (shape, shape[1:]):
        raise ShapeError("actions to begin from", str(shape), actions.shape, "starts, steps, components")
    return np.broadcast_to(actions, shape)


def by_gradients(problem: Problem, iterations: int) -> Method:
    """Return a method that plans by gradient ascent, in as many batches at a time as the machine has cores.

    It searches for the targets of each step (`Environment.toward`), from which the actions follow. The number of
    iterations is rounded up to whole chunks.
    """
    env, space, keys = problem.env, problem.env.action_space, problem.keys
    assert isinstance(space, Box)
    rounds = max(1, -(-iterations // CHUNK))
    steps = rounds * CHUNK

    reached = jax.jit(partial(wanted_by, env))

    @jax.jit
    def settled(key: Array, plan: Array, params: Any) -> tuple[Array, Array]:
        """Return the actions of a plan, as a file can hold them, and their value."""
        outcome = problem.follow(key, plan, params, lambda wanted, state: storable(space, env.toward(wanted, state)))
        return outcome.actions, problem.objective.value(outcome)

    @cache
    def compiled(way: ascent.Way) -> Callable[..., ascent.Climb]:
        adam = ascent.optimiser(steps, way)

        def some_steps(now: ascent.Climb, key: Array, params: Any) -> ascent.Climb:
            def value(plan: Array) -> Array:
                return problem.objective.value(problem.follow(key, plan, params, env.toward))

            def once(now: ascent.Climb, _: None) -> tuple[ascent.Climb, None]:
                return ascent.climb(space, adam, value, now, way)[0], None

            return jax.lax.scan(once, now, length=CHUNK)[0]

        return jax.jit(jax.vmap(some_steps, (0, 0, problem.starts.axes)))

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        wanted = np.stack(
            [reached(keys[n], jnp.asarray(first[n]), one_start(problem.starts, n)) for n in range(len(first))]
        )
        way = ascent.SQUASHED if np.allclose(wanted, first) else ascent.PROJECTED
        some_steps = compiled(way)
        adam = ascent.optimiser(steps, way)
        begin: Callable[[Array], ascent.Climb] = jax.vmap(lambda plan: ascent.begin(space, adam, plan, way))
        cores = os.cpu_count() or 1
        batches = equal_batches(len(first), cores)
        done = 0
        counting = Lock()

        def climb(batch: NDArray[np.int_]) -> tuple[Array, NDArray[Any]]:
            nonlocal done
            params = some(problem.starts, batch).params
            now = begin(jnp.asarray(wanted[batch]))
            history = []
            for _ in range(rounds):
                now = some_steps(now, keys[batch], params)
                history.append(np.asarray(now.best_value))
                with counting:
                    done += 1
                    if progress is not None:
                        progress(done, rounds * len(batches))
            return now.best, np.array(history)

        def plan(n: int, best: Array, history: NDArray[Any]) -> Plan:
            actions, worth = settled(keys[n], best, one_start(problem.starts, n))
            return Plan(np.asarray(actions), float(worth), tuple(history.tolist()))

        with ThreadPoolExecutor(cores) as pool:
            found = list(pool.map(climb, batches))
        made = {
            int(n): (best[place], history[:, place])
            for batch, (best, history) in zip(batches, found, strict=True)
            for place, n in enumerate(batch)
        }
        return [plan(n, *made[n]) for n in range(len(first))]

    return plans


def no_worse_than_first(problem: Problem, method: Method) -> Method:
    """Return a method that keeps the first actions, as a file holds them, where these are better than what it finds.

    An ascent does not value them itself: it begins from a plan that is drawn in from the bounds of actions.
    """
    space = problem.env.action_space
    assert isinstance(space, Box)

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        kept = np.asarray(storable(space, jnp.clip(first, space.low, space.high)), space.dtype)
        values = [float(problem.objective.value(outcome)) for outcome in problem.outcomes(kept)]
        return [
            Plan(actions, value, tuple(max(each, value) for each in found.history)) if value > found.value else found
            for actions, value, found in zip(kept, values, method(first, progress), strict=True)
        ]

    return plans


def equal_batches(count: int, cores: int) -> list[NDArray[np.int_]]:
    """Return the numbers below `count` in batches of one size, no larger than LARGEST, for the given number of cores.

    The last number is repeated to fill the last batch, because another size would need another compilation.
    """
    size = min(LARGEST, -(-count // cores))
    numbers = np.minimum(np.arange(-(-count // size) * size), count - 1)
    return list(numbers.reshape(-1, size))


def by_rounding(problem: Problem, relaxed: Environment[Any, Any], iterations: int) -> Method:
    """Return a method that plans by gradients in the relaxed environment and rounds to choices.

    It keeps the first actions where these are better than the rounded ones.
    """
    climb = by_gradients(replace(problem, env=relaxed), iterations)

    def worth(actions: Actions) -> list[float]:
        return [float(problem.objective.value(outcome)) for outcome in problem.outcomes(actions)]

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        found = climb(first.astype(relaxed.action_space.dtype), progress)
        rounded = np.stack([np.round(plan.actions) for plan in found]).astype(first.dtype)
        before, after = worth(first), worth(rounded)
        return [
            Plan(*((rounded[n], after[n]) if after[n] > before[n] else (first[n], before[n])), plan.history)
            for n, plan in enumerate(found)
        ]

    return plans


def storable(space: Box, actions: Array) -> Array:
    """Return the nearest actions that a file of plans can hold.

    Actions are rounded one after the other, so that later actions make up for the rounding of earlier ones.
    """
    low, high = jnp.asarray(space.low), jnp.asarray(space.high)
    return low + jnp.round((actions - low) / (high - low) * LEVELS) / LEVELS * (high - low)


def by_search(problem: Problem, iterations: int) -> Method:
    """Return a method that plans by local search over sequences of choices, one start after the other."""
    space, keys = problem.env.action_space, problem.keys
    assert isinstance(space, Discrete)
    value = jax.jit(jax.vmap(lambda *plan: problem.objective.value(problem.follow(*plan)), (None, 0, None)))

    def values(n: int, params: Any, tried: search.Choices) -> NDArray[np.float64]:
        found = []
        for begin in range(0, len(tried), BATCH):
            part = tried[begin : begin + BATCH]
            padded = np.concatenate([part, np.repeat(part[-1:], BATCH - len(part), axis=0)])
            found.append(np.asarray(value(keys[n], padded, params), np.float64)[: len(part)])
        return np.concatenate(found)

    def plans(first: Actions, progress: Progress | None) -> list[Plan]:
        found = []
        for n in range(len(problem.starts.labels)):
            worth = partial(values, n, one_start(problem.starts, n))
            chosen, history = search.climb(first[n].astype(np.int32), space.n, worth, iterations)
            found.append(Plan(chosen, history[-1], tuple(history)))
            if progress is not None:
                progress(n + 1, len(problem.starts.labels))
        return found

    return plans


def _share(progress: Progress, part: int, parts: int) -> Progress:
    return lambda done, of: progress(part * of + done, parts * of)
