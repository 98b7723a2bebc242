"""Episodes that a person played on a page, as files: what was done, and the same again in JAX."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.controllers.base import Replay
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.registry import make_environment
from phytotron.core.tensor_files import read_json
from phytotron.episodes.engine import summed_up, window
from phytotron.episodes.recording import run_episodes

FORMAT = "phytotron-played-1"
REMEDY = "save it again on the page that `phytotron play` writes"


@dataclass(frozen=True)
class Played:
    """An episode as it was played: the environment ("id" and "options"), its start, all actions, its return."""

    environment: Mapping[str, Any]
    start: str
    actions: NDArray[np.float64]
    total: float  # the return, as the page had it

    @property
    def id(self) -> str:
        """The id of its environment."""
        return str(self.environment["id"])


def read_played(path: Path) -> Played:
    """Return the episode in a file that the page saved."""
    record = read_json(path, "played episode", REMEDY)
    try:
        if record["format"] != FORMAT:
            raise ValueError(f"its format is {record['format']!r:.80}")
        environment, start = record["environment"], record["start"]
        if not (isinstance(start, str) and isinstance(environment["id"], str)):
            raise ValueError("its start or its environment is no name")
        dict(environment["options"])
        actions, total = np.asarray(record["actions"], np.float64), float(record["return"])
        if not (actions.ndim and actions.size and np.isfinite(actions).all() and np.isfinite(total)):
            raise ValueError("its actions or its return are missing or not finite")
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise DataFileError(path, f"no played episode can be read from it ({error})", REMEDY) from None
    return Played(environment, start, actions, total)


def replayed(played: Played) -> dict[str, float]:
    """Return the totals of the same actions in JAX: "return", "length" and every measure.

    JAX has to be in double precision.
    """
    env = make_environment(played.id, played.environment["options"])
    if len(played.actions) > env.episode_steps:
        raise PhytotronError(
            f"the played episode has {len(played.actions)} steps and {env.id} with its options {env.episode_steps}; "
            f"{REMEDY}"
        )
    found, size = played.actions[0].size, math.prod(env.action_space.shape)
    if found != size:
        raise PhytotronError(f"a played action has {found} numbers, and one of {env.id} {size}; {REMEDY}")
    controller = Replay(env, played.actions.reshape(len(played.actions), *env.action_space.shape))
    params, axes, labels = window(env, played.start)
    keys = jax.random.split(jax.random.key(0), len(labels))
    done = run_episodes(env, controller, keys, len(played.actions), params, axes)
    sums = {name: float(each.sum()) for name, each in done.measures().items()}
    length = float(done.active.sum())
    return {name: float(each) for name, each in (summed_up(env, sums, length) | {"length": length}).items()}
