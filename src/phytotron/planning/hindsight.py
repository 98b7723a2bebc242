"""The search of the oracle: the best plan in hindsight for every start, by gradients or by local search."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.controllers.registry import make_competitor
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.spaces import Box, Discrete
from phytotron.episodes.engine import Progress, check_starts, one_start, windows
from phytotron.episodes.recording import run_episodes
from phytotron.planning import search
from phytotron.planning.gradients import ByGradients, by_rounding, no_worse_than_first
from phytotron.planning.objective import Objective
from phytotron.planning.oracle import countable
from phytotron.planning.plans import Plan, Plans, finite_course, improves
from phytotron.planning.problem import Actions, Method, Problem

ITERATIONS = 300
BATCH = 128  # sequences of choices that are valued at once

Beginning = str | Plans | Actions  # a controller by name; plans by start; actions (steps, ...) or (starts, steps, ...)


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
            if label not in plans or improves(plan.value, plans[label].value):
                plans[label] = plan
    return {label: _with_finite_values(problem, label, plan) for label, plan in plans.items()}


def method_for(problem: Problem, iterations: int) -> Method:
    """Return the method for a problem: gradients where actions are continuous or can be relaxed, otherwise search."""
    if isinstance(problem.env.action_space, Box):
        return no_worse_than_first(problem, ByGradients(problem, iterations))
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


def by_search(problem: Problem, iterations: int) -> Method:
    """Return a method that plans by local search over sequences of choices, one start after the other."""
    space, keys = problem.env.action_space, problem.keys
    assert isinstance(space, Discrete)
    value = jax.jit(jax.vmap(lambda *plan: problem.value(problem.follow(*plan)), (None, 0, None)))

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


def _with_finite_values(problem: Problem, label: str, plan: Plan) -> Plan:
    """The plan of a start with a history of finite values; an error where its own value is not finite."""
    if not np.isfinite(plan.value):
        objective, id = problem.objective.measure, problem.env.id
        raise PhytotronError(
            f"{objective} of {id} is not finite from the start {label} for any plan that was tried; let the task give "
            "finite numbers there, or choose another objective, other beginnings or other starts"
        )
    return replace(plan, history=finite_course(plan.history, plan.value))


def _share(progress: Progress, part: int, parts: int) -> Progress:
    return lambda done, of: progress(part * of + done, parts * of)
