"""Series over whole episodes, of many controllers and windows at once, part by part.

Nothing but the part under way is held, so that a reader can add up what it wants of long episodes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError
from phytotron.core.presentation import Channel, Step
from phytotron.episodes.engine import (
    Function,
    Progress,
    Rows,
    as_floats,
    check_starts,
    is_policy,
    measured,
    player,
    stack_policies,
    windows,
)

CHUNK = 288  # steps, where nothing else is asked for

Numbers = NDArray[Any]


class Part(NamedTuple):
    """Some steps; arrays are (controllers, windows, steps), and count only where `active`."""

    first: int
    active: Numbers
    channels: Mapping[str, Numbers]
    measures: Mapping[str, Numbers]  # "return" among them
    costs: Mapping[str, Numbers]


class Episodes(NamedTuple):
    """Series over the steps; the first axis is the episode, the second the step."""

    observation: Any  # before each step
    state: Any  # before each step
    action: Any
    reward: Any  # 0 after the end
    terminated: Any
    truncated: Any
    info: Any
    active: Any  # whether the episode was still running
    final: Any  # state at the end, one per episode


def record(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    channels: Sequence[Channel],
    starts: Starts | None = None,
    seed: int = 0,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Iterator[Part]:
    """Play some windows under one controller, or under several policies of the same structure; by default all."""
    if not controllers:
        raise PhytotronError("there is nothing to record; give at least one controller")
    if len(controllers) > 1 and not all(map(is_policy, controllers)):
        raise PhytotronError("only trained policies can be recorded together; record other controllers one by one")
    starts = windows(env) if starts is None else starts
    check_starts(controllers, starts)
    chosen, axes, labels = starts
    keys = jax.random.split(jax.random.key(seed), len(labels))

    def seen(step: Step) -> Any:
        series = {each.name: each.of(step) for each in channels}
        return as_floats((series, measured(env, step.reward, step.info), step.info["costs"]))

    for first, _, series in _parts(env, controllers, seen, keys, env.episode_steps, chosen, axes, chunk, progress):
        active, parts = jax.tree.map(lambda each: np.moveaxis(each, 0, -1), series)
        yield Part(first, active, *parts)


def run_episodes(
    env: Environment[Any, Any],
    controller: Controller,
    keys: Array,
    steps: int,
    params: Any = None,
    axes: Any = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Episodes:
    """One episode for each key, of at most `steps` steps, with everything that happens in it.

    `params` may differ between episodes: `axes` says along which axis, as for `jax.vmap`. Work is done in chunks of
    steps, between which `progress` is told.
    """
    params = env.default_params if params is None else params

    def seen(step: Step) -> Any:
        return step._replace(after=None, params=None)

    made = list(_parts(env, [controller], seen, keys, steps, params, axes, chunk, progress))
    active, step = jax.tree.map(
        lambda *columns: np.moveaxis(np.concatenate(columns)[:, 0], 0, 1), *(series for _, _, series in made)
    )
    final = jax.tree.map(lambda leaf: np.asarray(leaf[0]), made[-1][1].state)
    reward = np.where(active, step.reward, 0.0).astype(step.reward.dtype)
    taken = (step.observation, step.before, step.action, reward, step.terminated, step.truncated)
    return Episodes(*taken, step.info, active, final)


def _parts(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    seen: Callable[[Step], Any],
    keys: Array,
    steps: int,
    params: Any,
    axes: Any,
    chunk: int,
    progress: Progress | None,
) -> Iterator[tuple[int, Rows, Any]]:
    """The number of the first step of a part, the rows after it, and (active, what is seen): (steps, rows, keys)."""
    fixed = None if is_policy(controllers[0]) else controllers[0]
    stacked = jnp.zeros(1) if fixed else stack_policies(controllers)
    length = min(chunk, steps)

    def gather(step: Function, rows: Rows) -> Any:
        return jax.lax.scan(lambda now, _: step(now), rows, length=length)

    begin, advance = player(env, fixed, axes, seen, gather, steps)
    rows = begin(stacked, keys, params)
    for first in range(0, steps, length):
        rows, series = advance(stacked, rows, params)
        kept = min(length, steps - first)
        if progress is not None:
            progress(first + kept, steps)
        yield first, rows, jax.tree.map(lambda each, kept=kept: np.asarray(each)[:kept], series)
