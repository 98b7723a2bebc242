"""The oracle: for every start the best plan that hindsight finds, a bound on what any controller can be expected to do.

With continuous actions the plan is found by gradients through the model, with choices by local search. Either finds a
local optimum, from several beginnings: what it says is attainable is attainable; a little more may be.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.controllers.registry import make_contender
from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Box, Discrete
from phytotron.episodes.engine import Progress, check_starts, one_start, some, windows
from phytotron.episodes.open_loop import follow
from phytotron.episodes.recording import run_episodes
from phytotron.planning import ascent, search
from phytotron.planning.fingerprints import own_places
from phytotron.planning.plans import Plan, Plans, plans_at_hand, same_length

ITERATIONS = 300
CHUNK = 10  # steps of an ascent between reports
BATCH = 512  # sequences of choices that are valued at once

Actions = NDArray[Any]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Planned(Controller):
    """Follows the plan of the start that its episode began from; after its end the last action holds.

    A start is told by the parameters in which it differs from the others.
    """

    actions: Any  # (starts, steps, ...)
    own: tuple[Any, ...]  # leaves of the parameters, (starts, ...)
    places: tuple[int, ...] = field(metadata={"static": True})  # of these leaves among all
    labels: tuple[str, ...] = field(metadata={"static": True})  # of the starts

    def check_starts(self, labels: Sequence[str]) -> None:
        """Refuse starts without a plan."""
        missing = [label for label in labels if label not in self.labels]
        if missing:
            raise PhytotronError(
                f"{len(missing)} of {len(labels)} starts have no plan, the first being {missing[0]}; make them with "
                "`phytotron oracle`, for the same windows"
            )

    def start(self, key: Array) -> Memory:
        """The number of the first step."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The action of this step, and the number of the next."""
        leaves = jax.tree.leaves(params)
        same = [
            jnp.all(every == leaves[place], axis=tuple(range(1, jnp.ndim(every))))
            for every, place in zip(self.own, self.places, strict=True)
        ]
        found = jnp.argmax(jnp.all(jnp.stack(same), axis=0))
        return self.actions[found, jnp.minimum(memory, self.actions.shape[1] - 1)], memory + 1


def oracle(environment: Environment[Any, Any]) -> Controller:
    """The best plan that hindsight found for each start; `phytotron oracle` makes them."""
    plans = plans_at_hand(environment)
    if not plans:
        raise PhytotronError(
            f"no plans of {environment.id} with these options and windows are stored; make them with `phytotron oracle`"
        )
    return following(environment, plans)


def following(environment: Environment[Any, Any], plans: Plans) -> Planned:
    """The controller that follows plans; it refuses starts that have none."""
    starts = countable(environment, windows(environment))
    known = [n for n, label in enumerate(starts.labels) if label in plans]
    if not known:
        raise PhytotronError(f"none of the plans is for a start of {environment.id}, such as {starts.labels[0]}")
    chosen = some(starts, np.array(known))
    places = own_places(chosen)
    leaves = jax.tree.leaves(chosen.params)
    actions = jnp.asarray(same_length([plans[label].actions for label in chosen.labels]))
    return Planned(actions, tuple(jnp.asarray(leaves[place]) for place in places), places, chosen.labels)


def countable(environment: Environment[Any, Any], starts: Starts) -> Starts:
    """The starts, which an oracle can tell apart."""
    if starts.axes is None:
        raise PhytotronError(f"the starts of {environment.id} cannot be counted, so that there is no plan for each")
    return starts


def make_plans(
    env: Environment[Any, Any],
    starts: Starts | None = None,
    terminal: bool = False,
    iterations: int = ITERATIONS,
    beginnings: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> dict[str, Plan]:
    """The best plan of each start, from the actions of every controller that is named among `beginnings`.

    `terminal`: what the state at the end is still worth counts as well.
    """
    starts = countable(env, windows(env) if starts is None else starts)
    keys = jax.random.split(jax.random.key(0), len(starts.labels))
    names = default_beginnings(env) if beginnings is None else beginnings
    plans: dict[str, Plan] = {}
    for n, name in enumerate(names):
        told = None if progress is None else _share(progress, n, len(names))
        first = first_actions(env, name, keys, starts)
        how = by_gradients if isinstance(env.action_space, Box) else by_search
        for label, plan in zip(starts.labels, how(env, starts, keys, first, terminal, iterations, told), strict=True):
            if label not in plans or plan.value > plans[label].value:
                plans[label] = plan
    return plans


def default_beginnings(env: Environment[Any, Any]) -> list[str]:
    """The baselines that a task is compared with and that act in this very environment; otherwise the lowest action."""
    names = [name for name in env.presentation.compare if name in env.baselines]
    return [name for name in names if make_contender(name, env).environment is env] or ["off"]


def first_actions(env: Environment[Any, Any], name: str, keys: Array, starts: Starts) -> Actions:
    """What a controller does from each start, (starts, steps, ...)."""
    controller = make_contender(name, env).controllers[0]
    check_starts([controller], starts)
    return np.asarray(run_episodes(env, controller, keys, env.episode_steps, starts.params, starts.axes).action)


def by_gradients(
    env: Environment[Any, Any],
    starts: Starts,
    keys: Array,
    first: Actions,
    terminal: bool,
    iterations: int,
    progress: Progress | None,
) -> list[Plan]:
    """Plans by ascent, each start by itself, as many at a time as the machine has cores."""
    space = env.action_space
    assert isinstance(space, Box)
    adam = ascent.optimiser(iterations)
    value = _value(env, terminal)

    @jax.jit
    def some_steps(now: ascent.Climb, key: Array, params: Any) -> ascent.Climb:
        def once(now: ascent.Climb, _: None) -> tuple[ascent.Climb, None]:
            return ascent.climb(space, adam, lambda actions: value(key, actions, params), now)[0], None

        return jax.lax.scan(once, now, length=CHUNK)[0]

    rounds = max(1, iterations // CHUNK)
    done, counting = 0, Lock()

    def plan(n: int) -> Plan:
        nonlocal done
        params = one_start(starts, n)
        now, course = ascent.begin(space, adam, jnp.asarray(first[n])), []
        for _ in range(rounds):
            now = some_steps(now, keys[n], params)
            course.append(float(now.best_value))
            with counting:
                done += 1
                if progress is not None:
                    progress(done, rounds * len(starts.labels))
        return Plan(np.asarray(now.best), course[-1], tuple(course))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(plan, range(len(starts.labels))))


def by_search(
    env: Environment[Any, Any],
    starts: Starts,
    keys: Array,
    first: Actions,
    terminal: bool,
    iterations: int,
    progress: Progress | None,
) -> list[Plan]:
    """Plans by local search over sequences of choices, start after start."""
    space = env.action_space
    assert isinstance(space, Discrete)
    value = jax.jit(jax.vmap(_value(env, terminal), (None, 0, None)))
    plans = []
    for n in range(len(starts.labels)):
        params = one_start(starts, n)

        def values(tried: search.Choices, n: int = n, params: Any = params) -> NDArray[np.float64]:
            found = []
            for begin in range(0, len(tried), BATCH):
                part = tried[begin : begin + BATCH]
                padded = np.concatenate([part, np.repeat(part[-1:], BATCH - len(part), axis=0)])
                found.append(np.asarray(value(keys[n], padded, params), np.float64)[: len(part)])
            return np.concatenate(found)

        chosen, course = search.climb(first[n].astype(np.int32), space.n, values, iterations)
        plans.append(Plan(chosen, course[-1], tuple(course)))
        if progress is not None:
            progress(n + 1, len(starts.labels))
    return plans


def _value(env: Environment[Any, Any], terminal: bool) -> Callable[[Array, Array, Any], Array]:
    def value(key: Array, actions: Array, params: Any) -> Array:
        outcome = follow(env, key, actions, params)
        return outcome.total + outcome.remaining if terminal else outcome.total

    return value


def _share(progress: Progress, part: int, parts: int) -> Progress:
    return lambda done, of: progress(part * of + done, parts * of)
