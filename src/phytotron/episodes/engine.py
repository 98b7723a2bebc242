"""The loop over the steps of episodes: one controller or many policies, on many windows at once.

All policies see the same windows and the same random numbers. Policies are arguments of the compiled functions, so that
other policies of the same structure need no new compilation; any other controller is compiled in. Three modules decide
what is kept of the steps: `totals` adds them up, `recording` keeps series, and `vector_environment` (for agents that
learn) sums episodes and starts a new one wherever one ends.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import cast
from phytotron.core.compilation import first_that_compiles, single_kernel
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Info, Starts
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.presentation import Step
from phytotron.core.stepping import checked_choice, checked_initial, scored_transition
from phytotron.episodes.keys import start_keys, step_keys

DRAWN_EPISODES = 10  # where the starts of an environment cannot be counted

Function = Callable[..., Any]
Progress = Callable[[int, int], None]  # called with the steps done, and the steps in all


class Rows(NamedTuple):
    """The episodes that are running, one per policy and window; all arrays begin with the axes (policies, windows)."""

    key: Array
    observation: Array
    state: Any
    memory: Any
    active: Array
    age: Array


class Player(NamedTuple):
    """Two compiled functions that run episodes: `begin(policies, keys, params)` starts them and returns `Rows`,
    `advance(policies, rows, params)` continues them.
    """

    begin: Function
    advance: Function


def windows(env: Environment[Any, Any], params: Any = None, episodes: int | None = None) -> Starts:
    """Return one episode from every start, or from `episodes` starts that are evenly spread.

    Where the starts of an environment cannot be counted, starts are drawn at random.
    """
    if episodes is not None and episodes < 1:
        raise ValueRangeError("episodes", episodes, "a whole number, at least 1")
    params, axes, labels = env.starts(params)
    if not labels:
        return Starts(params, axes, tuple(f"episode {n}" for n in range(episodes or DRAWN_EPISODES)))
    if episodes is None or episodes >= len(labels):
        return Starts(params, axes, labels)
    return some(Starts(params, axes, labels), np.linspace(0, len(labels) - 1, episodes).round().astype(int))


def window(env: Environment[Any, Any], label: str | None = None) -> Starts:
    """Return one episode: from the start with a label, or with a label that begins or ends with the text; by default
    from the first start.

    Where the starts of an environment cannot be counted, one is drawn at random.
    """
    starts = windows(env, episodes=None if env.starts().labels else 1)
    if label is None:
        return some(starts, np.array([0])) if len(starts.labels) > 1 else starts
    return some(starts, np.array([find_start(env, starts, label)]))


def find_start(env: Environment[Any, Any], starts: Starts, label: str) -> int:
    """Return the number of the start with a label, or else of the first whose label begins or ends with the text."""
    same = [n for n, each in enumerate(starts.labels) if each == label]
    near = [n for n, each in enumerate(starts.labels) if each.startswith(label) or each.endswith(label)]
    if not (same or near):
        known = "none, as its starts have no names"
        if starts.labels:
            known = f"one of {starts.labels[0]} to {starts.labels[-1]} ({len(starts.labels)} in all)"
        raise ValueRangeError(f"the start of an episode of {env.id}", label, known)
    return (same or near)[0]


def some(starts: Starts, chosen: NDArray[np.int_]) -> Starts:
    """Return some of the starts, given by their numbers."""
    return Starts(_taken(starts, chosen), starts.axes, tuple(starts.labels[n] for n in chosen))


def one_start(starts: Starts, number: int) -> Any:
    """Return the parameters of one start."""
    return _taken(starts, number)


def has_reasons(env: Environment[Any, Any]) -> bool:
    """Return whether a task terminates an episode only for a reason that it can name, such as an impossible state."""
    return type(env).reason is not Environment.reason


def check_starts(controllers: Sequence[Controller], starts: Starts) -> None:
    """Call `check_starts` of every controller that has it, which raises an error for starts that it cannot act from."""
    for each in controllers:
        check = getattr(each, "check_starts", None)
        if check is not None:
            check(starts.labels)


def _taken(starts: Starts, chosen: Any) -> Any:
    """The parameters of a start, or of several along the same axes, by number."""

    def take(axis: int | None, part: Any) -> Any:
        return part if axis is None else jnp.take(part, chosen, axis)

    return jax.tree.map(take, starts.axes, starts.params, is_leaf=lambda axis: axis is None)


def measured(env: Environment[Any, Any], reward: Any, info: Info) -> dict[str, Any]:
    """Return the contributions of a step to its episode: the reward, and every measure."""
    found = {"return": reward}
    for each in env.measures:
        name = each.quantity.name
        try:
            found[name] = each.of(info)
        except KeyError as error:
            known = ", ".join(map(str, info))
            raise PhytotronError(f"the measure {name!r} of {env.id} needs {error} of info, which has {known}") from None
        if jnp.ndim(found[name]) > 0:
            raise ShapeError(f"the measure {name!r} of {env.id}", "one number", jnp.shape(found[name]))
    return found


def summed_up(env: Environment[Any, Any], sums: dict[str, Any], length: Any) -> dict[str, Any]:
    """Return the results of episodes from sums over their steps: means of measures that are means, otherwise totals."""
    means = {each.quantity.name: each for each in env.measures if each.mean}
    return {name: means[name].summed_up(total, length) if name in means else total for name, total in sums.items()}


def player(
    env: Environment[Any, Any],
    controller: Controller | None,
    axes: Any,
    select: Callable[[Step], Any],
    gather: Callable[[Function, Rows], Any],
    limit: int | None = None,
) -> Player:
    """Return the functions that run episodes under a controller or under stacked policies.

    `controller`: None where policies are given to the functions, stacked. `axes`: the axes along which parameters
    differ between windows, as for `vmap`. `select` returns what is to be kept of a `Step`. `gather(step, rows)` runs
    some steps; each call is `rows, (active, selected) = step(rows)`. `limit`: the number of steps after which an
    episode ends, where that is less than `env.episode_steps`.
    """

    latest = env.episode_steps if limit is None else min(limit, env.episode_steps)

    def acting(policy: Any) -> Controller:
        return policy if controller is None else controller

    def begin(policy: Any, key: Array, params: Any) -> Rows:
        key, first, remember = start_keys(key)
        observation, state = checked_initial(env, first, params)
        memory = acting(policy).start(remember)
        return Rows(key, observation, state, memory, jnp.ones((), bool), jnp.zeros((), jnp.int32))

    def choose(policy: Any, now: Rows, params: Any) -> tuple[Array, Any]:
        _, choose, _ = step_keys(now.key)
        return checked_choice(env, acting(policy), choose, now.memory, now.observation, now.state, params)

    def move(policy: Any, row: tuple[Rows, Array, Any], params: Any) -> tuple[Rows, Any]:
        now, action, memory = row
        key, _, move = step_keys(now.key)
        outcome = scored_transition(env, move, now.state, action, params)
        observation, state, reward, terminated, truncated, info = outcome
        wanted = select(Step(now.observation, now.state, action, state, reward, terminated, truncated, info, params))
        held: Any = jax.tree.map(
            lambda new, old: jnp.where(now.active, new, old),
            (observation, state, memory),
            (now.observation, now.state, now.memory),
        )
        age = now.age + 1
        active = now.active & ~(terminated | truncated) & (age < latest)
        return Rows(key, held[0], held[1], held[2], active, age), (now.active, wanted)

    def over_rows(function: Function, same: bool = False) -> Function:
        """`vmap` over policies and, within, over windows; `same`: all policies are given the same rows."""
        return jax.vmap(jax.vmap(function, (None, 0, axes)), (0, None if same else 0, None))

    def several(how: Function) -> Function:
        # A network is faster outside the kernel of the model, the many small operations of a rule inside.
        chosen, moved = over_rows(choose), how(over_rows(move))
        if controller is not None:
            chosen = how(chosen)

        def advance(policies: Any, rows: Rows, params: Any) -> Any:
            return gather(lambda now: moved(policies, (now, *chosen(policies, now, params)), params), rows)

        return jax.jit(advance)

    advance = first_that_compiles(several(single_kernel), several(lambda function: function))
    return Player(jax.jit(over_rows(begin, same=True)), advance)


def as_floats(tree: Any) -> Any:
    """Return a pytree with all leaves in the default floating-point precision of JAX."""
    return cast(tree, str(jnp.result_type(float)))


def is_policy(controller: Any) -> bool:
    """Return whether a controller consists of arrays only, so that it can be an argument of compiled functions."""
    leaves = jax.tree.leaves(controller)
    return bool(leaves) and all(isinstance(each, jax.Array | np.ndarray) for each in leaves)


def stack_policies(policies: Any) -> Any:
    """Return policies of the same structure as one pytree, whose leaves have a first axis of policies."""
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *policies)
