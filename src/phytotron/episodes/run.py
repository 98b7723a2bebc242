"""One episode in one line: an environment, a controller, a start, and everything that happens."""

from __future__ import annotations

import warnings
from typing import Any

from phytotron.controllers.registry import make_competitor
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import EndedEarlyWarning, PhytotronError
from phytotron.core.making import described
from phytotron.core.presentation import Competitor
from phytotron.core.registry import make
from phytotron.episodes.engine import Progress, window
from phytotron.episodes.recording import trajectories
from phytotron.episodes.trajectories import Trajectories


def run(
    environment: str | Environment[Any, Any],
    controller: str | Controller | None = None,
    *,
    start: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Trajectories:
    """Return everything that happens in one episode, step by step: `to_frame()`, `to_xarray()`, `write_csv(path)`.

    `environment`: an id, with `options` of it, or an environment. `controller`: a name, by default that of the first
    baseline, or a controller such as a trained policy. `start`: the label of a start or a part of it, such as a date or
    a year; by default the first. A warning reports an episode that the task ends early.

    >>> found = run("phytotron/Lettuce-v0", "rule-based", episode_days=1)
    >>> found.units["temperature"], found["temperature"].shape
    ('°C', (1, 1, 48))
    """
    if not isinstance(environment, str) and options:
        raise PhytotronError(f"{', '.join(options)}: options go with an id; make the environment with them instead")
    env: Environment[Any, Any] = make(environment, **options) if isinstance(environment, str) else environment
    if not isinstance(env, Environment):
        raise PhytotronError(f"run takes an id or an environment, not {described(env)}")
    starts = window(env, start)
    if controller is None or isinstance(controller, str):
        acting = make_competitor(controller or env.presentation.compare[0], env)
    elif not (hasattr(controller, "start") and hasattr(controller, "act")):
        raise PhytotronError(f"{described(controller)} is no controller, which has `start` and `act`; or give a name")
    else:
        acting = Competitor(type(controller).__name__, "", env, (controller,))
    found = trajectories(acting.environment, acting.controllers, starts, seed, progress, controller=acting.label)
    for text in found.endings:
        warnings.warn(text, EndedEarlyWarning, stacklevel=2)
    return found
