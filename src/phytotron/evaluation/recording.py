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
from numpy.typing import NDArray

from phytotron.controllers.base import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.evaluation.playing import Function, Rows, Step, player, windows
from phytotron.evaluation.rollout import Progress
from phytotron.evaluation.scores import is_policy

CHUNK = 288  # steps, where nothing else is asked for

Numbers = NDArray[Any]


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
    begin, advance = player(env, fixed, axes, _seen(env, channels), lambda step, rows: _stacked(step, rows, chunk))
    rows = begin(stacked, keys, chosen)
    steps = env.episode_steps
    for first in range(0, steps, chunk):
        rows, series = advance(stacked, rows, chosen)
        kept = min(chunk, steps - first)
        active, parts = jax.tree.map(lambda each, kept=kept: np.moveaxis(np.asarray(each), 0, -1)[..., :kept], series)
        if progress is not None:
            progress(first + kept, steps)
        yield Part(first, active, *parts)


def _seen(env: Environment[Any, Any], channels: Sequence[Channel]) -> Callable[[Step], Any]:
    def seen(step: Step) -> Any:
        measured = {"return": step.reward} | {each.quantity.name: each.of(step.info) for each in env.measures}
        return {each.name: each.of(step) for each in channels}, measured, step.info.get("costs", {})

    return seen


def _stacked(step: Function, rows: Rows, length: int) -> tuple[Rows, Any]:
    return jax.lax.scan(lambda now, _: step(now), rows, length=length)
