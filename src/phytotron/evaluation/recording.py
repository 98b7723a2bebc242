"""Series of chosen quantities over whole episodes, of many controllers and windows at once, part by part.

Nothing but the part under way is held, so that a reader can add up what it wants of long episodes. All rows see the
same windows and the same random numbers, those of `scores.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.controllers.base import Controller
from phytotron.core.compilation import single_kernel
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.evaluation.rollout import Progress
from phytotron.evaluation.scores import DRAWN_EPISODES, is_policy

CHUNK = 288  # steps, where nothing else is asked for

Numbers = NDArray[Any]
Function = Callable[..., Any]


class Step(NamedTuple):
    """One step of one episode, as channels see it."""

    observation: Array  # before the step
    before: Any  # state
    action: Array
    after: Any  # state
    reward: Array
    info: Any
    params: Any


@dataclass(frozen=True)
class Channel:
    """A quantity to be recorded. `group`: "state", "control" or "weather"."""

    quantity: Quantity
    of: Callable[[Step], Any]
    group: str = "state"

    @property
    def name(self) -> str:
        return self.quantity.name


class Part(NamedTuple):
    """Some steps; arrays are (controllers, windows, steps), and count only where `active`."""

    first: int
    active: Numbers
    channels: Mapping[str, Numbers]
    measures: Mapping[str, Numbers]  # "return" among them
    costs: Mapping[str, Numbers]


class _Carry(NamedTuple):
    key: Array
    observation: Array
    state: Any
    memory: Any
    active: Array


def windows(env: Environment[Any, Any], params: Any = None, episodes: int | None = None) -> tuple[Any, Any, Any]:
    """Parameters, axes and labels of one episode from every start, or of some that are evenly spread."""
    if episodes is not None and episodes < 1:
        raise ValueRangeError("episodes", episodes, "a whole number, at least 1")
    params, axes, labels = env.starts(params)
    if not labels:
        return params, axes, tuple(f"episode {n}" for n in range(episodes or DRAWN_EPISODES))
    if episodes is None or episodes >= len(labels):
        return params, axes, labels
    chosen = np.linspace(0, len(labels) - 1, episodes).round().astype(int)

    def take(axis: int | None, part: Any) -> Any:
        return part if axis is None else jnp.take(part, chosen, axis)

    taken = jax.tree.map(take, axes, params, is_leaf=lambda axis: axis is None)
    return taken, axes, tuple(labels[n] for n in chosen)


def record(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    channels: Sequence[Channel],
    params: Any = None,
    seed: int = 0,
    episodes: int | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
) -> Iterator[Part]:
    """Play every window of an environment under one controller, or under several policies of the same structure."""
    if not controllers:
        raise PhytotronError("there is nothing to record; give at least one controller")
    if len(controllers) > 1 and not all(map(is_policy, controllers)):
        raise PhytotronError("only trained policies can be recorded together; record other controllers one by one")
    fixed = None if is_policy(controllers[0]) else controllers[0]
    stacked = jnp.zeros(1) if fixed else jax.tree.map(lambda *leaves: jnp.stack(leaves), *controllers)
    chosen, axes, labels = windows(env, params, episodes)
    keys = jax.random.split(jax.random.key(seed), len(labels))
    begin, advance = _compiled(env, fixed, channels, axes, chunk)
    carry = begin(stacked, keys, chosen)
    steps = env.episode_steps
    for first in range(0, steps, chunk):
        carry, rows = advance(stacked, carry, chosen)
        kept = min(chunk, steps - first)
        active, recorded = jax.tree.map(lambda each, kept=kept: np.moveaxis(np.asarray(each), 0, -1)[..., :kept], rows)
        if progress is not None:
            progress(first + kept, steps)
        yield Part(first, active, *recorded)


def _compiled(
    env: Environment[Any, Any], fixed: Controller | None, channels: Sequence[Channel], axes: Any, length: int
) -> tuple[Function, Function]:
    def acting(policy: Any) -> Controller:
        return policy if fixed is None else fixed

    def begin(policy: Any, key: Array, params: Any) -> _Carry:
        key, first, remember = jax.random.split(key, 3)
        observation, state = env.initial(first, params)
        return _Carry(key, observation, state, acting(policy).start(remember), jnp.ones((), bool))

    def choose(policy: Any, now: _Carry, params: Any) -> tuple[Array, Any]:
        _, choose, _ = jax.random.split(now.key, 3)
        action, memory = acting(policy).act(choose, now.memory, now.observation, now.state, params)
        return jnp.asarray(action, env.action_space.dtype), memory

    def move(policy: Any, row: tuple[_Carry, Array, Any], params: Any) -> tuple[_Carry, Any]:
        now, action, memory = row
        key, _, move = jax.random.split(now.key, 3)
        observation, state, reward, terminated, truncated, info = env.transition(move, now.state, action, params)
        step = Step(now.observation, now.state, action, state, reward, info, params)
        kind = jnp.result_type(float)
        measured = {"return": reward} | {each.quantity.name: each.of(info) for each in env.measures}
        seen = ({each.name: each.of(step) for each in channels}, measured, info.get("costs", {}))
        held: Any = jax.tree.map(
            lambda new, old: jnp.where(now.active, new, old),
            (observation, state, memory),
            (now.observation, now.state, now.memory),
        )
        recorded = jax.tree.map(lambda each: jnp.asarray(each, kind), seen)
        running = now.active & ~(terminated | truncated)
        return _Carry(key, held[0], held[1], held[2], running), (now.active, recorded)

    def over_rows(function: Function, same: bool = False) -> Function:
        return jax.vmap(jax.vmap(function, (None, 0, axes)), (0, None if same else 0, None))

    def several(how: Function) -> Function:
        # A network is faster outside the kernel of the model, the many small operations of a rule inside.
        chosen, moved = over_rows(choose), how(over_rows(move))
        if fixed is not None:
            chosen = how(chosen)

        def advance(policies: Any, carry: _Carry, params: Any) -> tuple[_Carry, Any]:
            def step(rows: _Carry, _: None) -> tuple[_Carry, Any]:
                return moved(policies, (rows, *chosen(policies, rows, params)), params)

            return jax.lax.scan(step, carry, length=length)

        return jax.jit(advance)

    return jax.jit(over_rows(begin, same=True)), _or_else(several(single_kernel), several(lambda function: function))


def _or_else(first: Function, second: Function) -> Function:
    """The first of two compiled functions, or the second where XLA cannot make the first."""
    chosen: Function | None = None

    def call(*arguments: Any) -> Any:
        nonlocal chosen
        if chosen is None:
            try:
                result = jax.block_until_ready(first(*arguments))
            except jax.errors.JaxRuntimeError:
                chosen = second
            else:
                chosen = first
                return result
        return chosen(*arguments)

    return call
