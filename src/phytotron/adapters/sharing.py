"""Helpers of all adapters: environments by id, spaces in Gymnasium's terms, and pictures."""

import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.chart import drawing_is_possible
from phytotron.adapters.forking import check_process, note_use
from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.errors import RenderingError, ShapeError, UnknownNameError
from phytotron.core.spaces import Box, Space


def environment_of(env_id: str, options: Mapping[str, Any], render_mode: str | None = None) -> Environment[Any, Any]:
    """Return the environment of an id, one that records what its pictures show where these are wanted.

    Having no state of their own, equal ones are made, and compiled, once; anew where a file that an option names has
    changed.
    """
    each = tuple(sorted(options.items()))
    try:
        hash(each)
    except TypeError:
        return _made(env_id, each, render_mode)
    return _shared(env_id, each, render_mode, tuple(_stamps(value) for value in options.values()))


def _stamps(value: Any) -> tuple[tuple[str, int, int], ...]:
    """The name, size and time of change of a file, or of those in a folder; empty for a value that names neither."""
    if not isinstance(value, str | os.PathLike):
        return ()
    path = Path(value)
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        found = [(str(each), each.stat()) for each in files if each.is_file()]
    except (OSError, ValueError):  # a text that cannot be a path
        return ()
    return tuple((name, about.st_size, about.st_mtime_ns) for name, about in found)


def _made(
    env_id: str, options: tuple[tuple[str, Any], ...], render_mode: str | None, stamps: object = ()
) -> Environment[Any, Any]:
    del stamps  # changed files are read anew
    check_process()
    note_use()
    environment: Environment[Any, Any] = registry.make(env_id, **dict(options))
    return environment if render_mode is None else environment.recorded()


_shared = functools.lru_cache(maxsize=16)(_made)


def to_gymnasium(space: Space) -> gymnasium.Space[Any]:
    """Return the same space in Gymnasium's terms."""
    if isinstance(space, Box):
        return gymnasium.spaces.Box(space.low, space.high, dtype=space.dtype.type)
    return gymnasium.spaces.Discrete(space.n)


RENDER_MODES = ("rgb_array",)
RENDER_FPS = 12


def has_picture(environment: Environment[Any, Any]) -> bool:
    """Return whether an environment has pictures of its own; of others the channels are drawn."""
    return type(environment).render is not Environment.render


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a way to draw that does not exist, and any where matplotlib is missing."""
    if render_mode is None:
        return
    if render_mode not in RENDER_MODES:
        raise UnknownNameError("render mode", render_mode, RENDER_MODES)
    if not drawing_is_possible():
        raise RenderingError("pictures need matplotlib; install it with: pip install 'phytotron[report]'")


def render_metadata() -> dict[str, Any]:
    """Return Gymnasium's `metadata` about rendering: the modes and the frames per second."""
    if not drawing_is_possible():
        return {"render_modes": []}
    return {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}


def picture(environment: Environment[Any, Any], state: Any) -> NDArray[np.uint8]:
    """Return a picture of one environment in one state."""
    drawn = np.array(environment.render(state, environment.default_params))
    if drawn.dtype != np.uint8 or drawn.ndim != 3 or drawn.shape[2] != 3:
        raise ShapeError(f"a picture of {environment.id} ({drawn.dtype})", "(height, width, 3) of uint8", drawn.shape)
    return drawn
