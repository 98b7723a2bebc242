"""Series over whole episodes, of many controllers and windows at once, part by part.

Only the current part is held in memory, so that a reader can sum up long episodes.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.arrays import on_host
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import EndedEarlyWarning, PhytotronError
from phytotron.core.memory import enough_memory
from phytotron.core.presentation import Channel, Step
from phytotron.core.seeds import random_key
from phytotron.episodes.engine import (
    Function,
    Progress,
    Rows,
    as_floats,
    check_starts,
    has_reasons,
    is_policy,
    measured,
    player,
    stack_policies,
    windows,
)
from phytotron.episodes.trajectories import Collector, Trajectories, assembled, recorded_channels

CHUNK = 288  # steps, where nothing else is asked for

Numbers = NDArray[Any]


class Part(NamedTuple):
    """The recorded values of some steps; arrays are (controllers, windows, steps), and count only where `active`."""

    first: int
    active: Numbers
    channels: Mapping[str, Numbers]
    measures: Mapping[str, Numbers]  # "return" among them
    costs: Mapping[str, Numbers]
    endings: tuple[str, ...] = ()  # of episodes that ended early, in words


@jax.tree_util.register_static
@dataclass(frozen=True)
class Played:
    """The environment and the parameters of recorded episodes; as a part of a pytree it has no leaves."""

    environment: Environment[Any, Any]
    params: Any = field(compare=False)
    axes: Any = field(compare=False)


class Episodes(NamedTuple):
    """Series over the steps; the first axis is the episode, the second the step.

    `to_frame` and `to_xarray` give all of it by name, with units.
    """

    observation: Any  # before each step
    state: Any  # before each step
    action: Any
    reward: Any  # 0 after the end
    terminated: Any
    truncated: Any
    info: Any
    active: Any  # whether the episode was still running
    final: Any  # state at the end, one per episode
    played: Played

    def measures(self) -> dict[str, NDArray[np.float64]]:
        """Return the reward as "return", and every measure, of each step, (episodes, steps); 0 after the end."""
        env = self.played.environment
        of_steps = jax.jit(jax.vmap(jax.vmap(lambda reward, info: measured(env, reward, info))))
        series = of_steps(self.reward, self.info)
        names = ("return", *(each.quantity.name for each in env.measures))  # in this order, which `jit` changes
        return {name: np.where(self.active, np.asarray(series[name], np.float64), 0.0) for name in names}

    def to_frame(self, labels: Sequence[str] | None = None) -> Any:
        """Return a pandas DataFrame with a row per step; see `Trajectories`."""
        return self.trajectories(labels).to_frame()

    def to_xarray(self, labels: Sequence[str] | None = None) -> Any:
        """Return an xarray Dataset over episode and step; see `Trajectories`."""
        return self.trajectories(labels).to_xarray()

    def trajectories(self, labels: Sequence[str] | None = None) -> Trajectories:
        """Return everything by name, with units.

        `labels`: those of the starts of the episodes, from which time is counted.
        """
        env, params, axes = self.played.environment, self.played.params, self.played.axes
        channels = recorded_channels(env)

        def selected(step: Step, params: Any) -> Any:
            return _seen(env, channels, step._replace(params=params))

        after = jax.tree.map(lambda each, last: np.concatenate([each[:, 1:], last[:, None]], 1), self.state, self.final)
        taken = (self.reward, self.terminated, self.truncated, self.info)
        steps = Step(self.observation, self.state, self.action, after, *taken, params=None)
        series = jax.jit(jax.vmap(jax.vmap(selected, (0, None)), (0, axes)))(steps, params)
        one_seed = jax.tree.map(lambda each: np.asarray(each)[None], series)
        count = len(self.active)
        named = tuple(f"episode {n}" for n in range(count)) if labels is None else tuple(map(str, labels))
        if len(named) != count:
            raise PhytotronError(f"there are {len(named)} labels for {count} episodes; give one for each")
        return assembled(env, named, np.asarray(self.active)[None], one_seed)


def record(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    channels: Sequence[Channel],
    starts: Starts | None = None,
    seed: int = 0,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Iterator[Part]:
    """Run some windows, by default all, under one controller or under several policies of the same structure, and yield
    the parts.
    """
    if not controllers:
        raise PhytotronError("there is nothing to record; give at least one controller")
    if len(controllers) > 1 and not all(map(is_policy, controllers)):
        raise PhytotronError("only trained policies can be recorded together; record other controllers one by one")
    starts = windows(env) if starts is None else starts
    check_starts(controllers, starts)
    chosen, axes, labels = starts
    keys = jax.random.split(random_key(seed), len(labels))
    explained = has_reasons(env)

    def selected(step: Step) -> Any:
        return _seen(env, channels, step), (step.terminated, step.info) if explained else None

    with enough_memory(len(labels), "episodes at once", "--episodes "):
        played = _parts(env, controllers, selected, keys, env.episode_steps, chosen, axes, chunk, progress)
        for first, _, series in played:
            active, (parts, ends) = jax.tree.map(lambda each: np.moveaxis(each, 0, -1), series)
            endings = _endings(env, labels, first, active, *ends) if explained else ()
            channels_part, measures, costs = parts
            yield Part(first, active, channels_part, measures, costs, tuple(endings))


def trajectories(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    starts: Starts | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **about: Any,
) -> Trajectories:
    """Return everything that happens in some windows, by default all, with units; controllers as for `record`."""
    starts = windows(env) if starts is None else starts
    collector = Collector(env, starts.labels, seed=seed, **about)
    for part in record(env, controllers, collector.channels, starts, seed, progress=progress):
        collector.add(part)
    return collector.trajectories()


def _seen(env: Environment[Any, Any], channels: Sequence[Channel], step: Step) -> Any:
    """Return the channels, measures and costs of a step."""
    series = {each.name: each.of(step) for each in channels}
    return as_floats((series, measured(env, step.reward, step.info), step.info["costs"]))


def _endings(
    env: Environment[Any, Any], labels: Sequence[str], first: int, active: Any, terminated: Any, info: Any
) -> Iterator[str]:
    """Yield in words which episodes ended for a reason, when and why; arrays are (controllers, windows, steps)."""
    for place in np.argwhere(active & terminated):
        reason = env.reason(jax.tree.map(lambda each, at=tuple(place): each[at[:2]][..., at[2]], info))
        if reason:
            yield f"{labels[place[1]]} ended early, at step {first + place[2] + 1} of {env.episode_steps}: {reason}"


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
    """Run one episode for each key, of at most `steps` steps, and return everything that happens in it.

    `params` may differ between episodes: `axes` says along which axis, as for `jax.vmap`. Work is done in chunks of
    steps, between which `progress` is called. A warning reports an episode that the task ends early.
    """
    params = env.default_params if params is None else params

    def selected(step: Step) -> Any:
        return step._replace(after=None, params=None)

    made = list(_parts(env, [controller], selected, keys, steps, params, axes, chunk, progress))
    active, step = jax.tree.map(
        lambda *columns: np.moveaxis(np.concatenate(columns)[:, 0], 0, 1), *(series for _, _, series in made)
    )
    final = jax.tree.map(lambda leaf: on_host(leaf[0]), made[-1][1].state)
    reward = np.where(active, step.reward, 0.0).astype(step.reward.dtype)
    taken = (step.observation, step.before, step.action, reward, step.terminated, step.truncated)
    if has_reasons(env):
        info = jax.tree.map(lambda each: np.moveaxis(each, 1, -1)[None], step.info)
        labels = [f"episode {number}" for number in range(len(active))]
        for text in _endings(env, labels, 0, active[None], step.terminated[None], info):
            warnings.warn(text, EndedEarlyWarning, stacklevel=2)
    return Episodes(*taken, step.info, active, final, Played(env, params, axes))


def _parts(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    select: Callable[[Step], Any],
    keys: Array,
    steps: int,
    params: Any,
    axes: Any,
    chunk: int,
    progress: Progress | None,
) -> Iterator[tuple[int, Rows, Any]]:
    """Yield, for each part, its first step, the rows after it, and what is selected of it (steps, rows, keys)."""
    fixed = None if is_policy(controllers[0]) else controllers[0]
    stacked = jnp.zeros(1) if fixed else stack_policies(controllers)
    length = min(chunk, steps)

    def gather(step: Function, rows: Rows) -> Any:
        return jax.lax.scan(lambda now, _: step(now), rows, length=length)

    begin, advance = player(env, fixed, axes, select, gather, steps)
    rows = begin(stacked, keys, params)
    for first in range(0, steps, length):
        rows, series = advance(stacked, rows, params)
        kept = min(length, steps - first)
        if progress is not None:
            progress(first + kept, steps)
        yield first, rows, jax.tree.map(lambda each, kept=kept: on_host(each)[:kept], series)
